public import MarketModel
public import StreamCore

/// Bitfinex' candles (docs.bitfinex.com, "Candles"): rows `[ms, open, close, high, low, volume]`, close before high.
/// An interval without trades has none. Errors are arrays that begin with `"error"`.
public struct BitfinexHistory: HistoryAdapter {
    public init() {}

    public var venue: Venue { .bitfinex }
    public var endpoint: String { "https://api-pub.bitfinex.com" }
    public var timeframes: [Timeframe] { [.m1, .m5, .m15, .m30, .h1, .h6, .h12, .d1] }
    public var rowsPerPage: Int { 5000 }
    /// Ten to ninety requests a minute are said to be allowed.
    public var pace: RequestPacer.Configuration { .init(rate: 0.5, burst: 1, minimumInterval: 2) }

    public func request(symbol: String, timeframe: Timeframe, from: Double, to: Double) -> String {
        let length = timeframe == .d1 ? "1D" : timeframe.rawValue
        return "/v2/candles/trade:\(length):\(percentEncoded(symbol))/hist?sort=1&limit=\(rowsPerPage)"
            + "&start=\(queryNumber(from * 1000))&end=\(queryNumber(to * 1000 - 1))"
    }

    public func candles(from body: [UInt8]) throws(HistoryError) -> [HistoryCandle] {
        if let complaint = complaint(in: body) {
            throw HistoryError(.refused, "\(venue.rawValue) says “\(complaint)”.")
        }
        return try RESTBody.read(body, of: venue, as: "list of candles") { scanner in
            var candles: [HistoryCandle] = []
            try scanner.eachElement { scanner in
                let row = try scanner.numbers(6)
                candles.append(
                    HistoryCandle(
                        candle: Candle(
                            timestamp: row[0] / 1000, open: row[1], high: row[3], low: row[4], close: row[2],
                            volume: row[5])))
            }
            return candles
        }
    }

    public func complaint(in body: [UInt8]) -> String? {
        body.withUnsafeBytes { bytes -> String? in
            var scanner = JSONScanner(bytes)
            do {
                var texts: [String] = []
                try scanner.eachElement { scanner in
                    if try scanner.kind() == .array { return try scanner.skipValue() }
                    texts.append(try scanner.anyText())
                }
                return texts.first == "error" ? RESTBody.quoted(texts.last ?? "error") : nil
            } catch { return nil }
        }
    }
}
