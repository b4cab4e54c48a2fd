import MarketModel
import StreamCore

/// Bitfinex' candles (docs.bitfinex.com, "Candles"): rows `[ms, open, close, high, low, volume]`, close before high.
/// An interval without trades has none. Errors are arrays that begin with `"error"`.
struct BitfinexHistory: DeclaredHistory {
    let venue = Venue.bitfinex
    let endpoint = "https://api-pub.bitfinex.com"
    let timeframes: [Timeframe] = [.m1, .m5, .m15, .m30, .h1, .h6, .h12, .d1]
    let rowsPerPage = 5000
    /// Ten to ninety requests a minute are said to be allowed.
    let pace = RequestPacer.Configuration(rate: 0.5, burst: 1, minimumInterval: 2)
    let layout = HistoryLayout(
        candles: (.init(as: "list of candles"), .values(CandleColumns(count: 6, high: 3, low: 4, close: 2))))

    func request(symbol: String, timeframe: Timeframe, from: Double, to: Double) -> String {
        let length = timeframe == .d1 ? "1D" : timeframe.rawValue
        return "/v2/candles/trade:\(length):\(percentEncoded(symbol))/hist?sort=1&limit=\(rowsPerPage)"
            + "&start=\(queryNumber(from * 1000))&end=\(queryNumber(to * 1000 - 1))"
    }

    func refusal(in body: [UInt8]) -> HistoryError? {
        errorMessage(in: body).map { HistoryError(.refused, "\(venue.rawValue) says “\($0)”.") }
    }

    func errorMessage(in body: [UInt8]) -> String? {
        body.withUnsafeBytes { bytes -> String? in
            var scanner = JSONScanner(bytes)
            var texts: [String] = []
            let isRead: Void? = try? scanner.eachElement { scanner in
                if try scanner.kind() == .array { return try scanner.skipValue() }
                texts.append(try scanner.anyText())
            }
            return isRead != nil && texts.first == "error" ? RESTBody.quoted(texts.last ?? "error") : nil
        }
    }
}
