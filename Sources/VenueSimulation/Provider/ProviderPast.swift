import MarketModel

/// What traded before: the minutes of a recording, as if it had been played over and over.
struct ProviderPast {
    private let market: VenueMarket
    /// Seconds that the recording's times are moved by.
    private let shift: Int64

    /// How far it reaches back: three days, in minutes.
    private static let longest = 4320

    init(_ market: VenueMarket, shift: Int64) {
        self.market = market
        self.shift = shift
    }

    /// Finished and running candles up to now, oldest first.
    /// - Parameters:
    ///   - length: seconds, whole minutes.
    ///   - limit: the most candles; the newest are kept.
    func candles(_ symbol: String, length: Int, limit: Int, now: Double) -> [Candle] {
        let minutes = minutes(symbol)
        guard let first = minutes.keys.min(), let last = minutes.keys.max() else { return [] }
        let period = last - first + 1
        let current = Int((now / 60).rounded(.down))
        let oldest = max(current - Self.longest, current - length / 60 * limit)
        var found: [Candle] = []
        for minute in oldest...max(oldest, current) {
            let offset = minute - first - Int(shift / 60)
            guard var candle = minutes[first + ((offset % period) + period) % period] else { continue }
            let start = Double(minute * 60 / length * length)
            candle.timestamp = start
            if found.last?.timestamp == start { found[found.count - 1].add(candle) } else { found.append(candle) }
        }
        return found.suffix(limit)
    }

    /// The recording's own, by minutes since 1970.
    private func minutes(_ symbol: String) -> [Int: Candle] {
        var minutes: [Int: Candle] = [:]
        for placed in market.trades[symbol] ?? [] {
            guard let price = Double(placed.trade.price), let size = Double(placed.trade.size) else { continue }
            let minute = Int(placed.trade.time / 60_000_000_000)
            let candle = Candle(at: Double(minute * 60), price, volume: size)
            if minutes[minute]?.add(candle) == nil { minutes[minute] = candle }
        }
        return minutes
    }
}
