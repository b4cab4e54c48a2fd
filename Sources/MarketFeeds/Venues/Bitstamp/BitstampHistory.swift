public import MarketModel
public import StreamCore

/// Bitstamp's candles (bitstamp.net/api, "OHLC data"): `data.ohlc`, objects whose values are texts, oldest first.
public struct BitstampHistory: HistoryAdapter {
    public init() {}

    public var venue: Venue { .bitstamp }
    public var endpoint: String { "https://www.bitstamp.net" }
    public var timeframes: [Timeframe] { [.m1, .m3, .m5, .m15, .m30, .h1, .h2, .h4, .h6, .h12, .d1] }
    /// One less than the 1000 that the venue allows: whether the end is included, its documentation does not say.
    public var rowsPerPage: Int { 999 }
    public var pace: RequestPacer.Configuration { .init(rate: 5, burst: 5, minimumInterval: 0.1) }

    public func request(symbol: String, timeframe: Timeframe, from: Double, to: Double) -> String {
        "/api/v2/ohlc/\(percentEncoded(symbol.lowercased()))/?step=\(Int(timeframe.seconds))&limit=\(rowsPerPage + 1)"
            + "&start=\(queryNumber(from))&end=\(queryNumber(to))"
    }

    public func candles(from body: [UInt8]) throws(HistoryError) -> [HistoryCandle] {
        try RESTBody.read(body, of: venue, as: "list of candles") { scanner in
            var candles: [HistoryCandle]?
            try scanner.eachField { key, scanner in
                guard key.equals("data") else { return try scanner.skipValue() }
                try scanner.eachField { key, scanner in
                    guard key.equals("ohlc") else { return try scanner.skipValue() }
                    var found: [HistoryCandle] = []
                    try scanner.eachElement { scanner in
                        var bar = CandleFields()
                        try scanner.eachField { key, scanner in try bar.read(key, &scanner, start: "timestamp") }
                        found.append(HistoryCandle(candle: try bar.candle(.init(start: "timestamp"))))
                    }
                    candles = found
                }
            }
            guard let candles else { throw VenueParseError.missingField("ohlc") }
            return candles
        }
    }
}
