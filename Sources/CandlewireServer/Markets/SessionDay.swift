import MarketFeeds
import MarketModel

/// A market's trading session, from its open to its last price.
struct SessionDay: Sendable, Equatable {
    /// `2024-08-08`, at the exchange.
    var date: String
    var open: Double
    var high: Double
    var low: Double
    /// Seconds since 1970 UTC: `high` and `low` hold the trades up to here.
    private var asOf: Double
    /// From the open to the last price.
    private(set) var change = 0.0

    /// - Returns: `nil` where the prices have no date or no sound open.
    init?(_ price: ReferencePrice, asOf: Double) {
        guard let open = price.open, open.isFinite, open > 0, !price.date.isEmpty else { return nil }
        date = price.date
        self.open = open
        high = max(open, price.high.flatMap { $0.isFinite ? $0 : nil } ?? open)
        low = min(open, price.low.flatMap { $0.isFinite && $0 > 0 ? $0 : nil } ?? open)
        self.asOf = asOf
    }

    /// With what was traded since. `nil` where the last trade is of another session.
    /// - Parameter minutes: ascending.
    func including(_ minutes: [Candle], last: Double, at time: Double) -> SessionDay? {
        guard ReferencePrice.sessionDate(at: time) == date else { return nil }
        var day = self
        // The minute in which the prices were fetched is of the same session.
        for candle in minutes.reversed().prefix(while: { $0.timestamp > asOf - 60 }) {
            day.high = max(day.high, candle.high)
            day.low = min(day.low, candle.low)
        }
        day.high = max(day.high, last)
        day.low = min(day.low, last)
        day.change = (last - open).rounded(decimals: max(open.decimals, last.decimals))
        return day
    }
}

extension SessionDay: JSONDocument {
    func write(into sink: inout [UInt8]) {
        sink.object { sink in
            sink.fields("date", date, "open", open, "high", high, "low", low)
            sink.fields("change", change, "change_percent", (change / open * 100).rounded(decimals: 4))
        }
    }
}
