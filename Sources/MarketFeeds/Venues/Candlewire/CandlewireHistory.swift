public import MarketModel
public import StreamCore

/// The candles of a candlewire server, and of any other provider with `GET /v1/candles?symbol=&timeframe=&limit=`: an
/// array of `{timestamp, open, high, low, close, volume}`.
public struct CandlewireHistory: HistoryAdapter {
    public init() {}

    public var venue: Venue { .candlewire }
    public var endpoint: String { "http://127.0.0.1:8080" }
    public var timeframes: [Timeframe] { Timeframe.allCases }
    public var rowsPerPage: Int { 1000 }
    /// A server that was down has no candle of that time, and its answer does not say why.
    public var tellsQuietIntervals: Bool { false }
    /// One request a second, as long as nobody says that more are welcome.
    public var pace: RequestPacer.Configuration { .init() }
    public var directoryRequest: String? { "/v1/markets" }

    public func request(symbol: String, timeframe: Timeframe, from: Double, to: Double) -> String {
        "/v1/candles?symbol=\(percentEncoded(symbol))&timeframe=\(timeframe.rawValue)&limit=\(rowsPerPage)"
            + "&from=\(queryNumber(from))&to=\(queryNumber(to - 1))"
    }

    public func candles(from body: [UInt8]) throws(HistoryError) -> [HistoryCandle] {
        try RESTBody.read(body, of: venue, as: "list of candles") { scanner in
            var candles: [HistoryCandle] = []
            try scanner.eachElement { scanner in
                var bar = CandleFields()
                try scanner.eachField { key, scanner in try bar.read(key, &scanner, start: "timestamp") }
                candles.append(HistoryCandle(candle: try bar.candle(.init(start: "timestamp"))))
            }
            return candles
        }
    }

    public func symbols(from body: [UInt8]) throws(HistoryError) -> [VenueSymbol] {
        try RESTBody.read(body, of: venue, as: "list of markets") { scanner in
            var symbols: [VenueSymbol] = []
            try scanner.eachField { key, scanner in
                guard key.equals("markets") else { return try scanner.skipValue() }
                try scanner.eachElement { scanner in
                    var symbol = VenueSymbol(symbol: "", base: "", quote: "", precision: nil, status: "")
                    try scanner.eachField { key, scanner in
                        if key.equals("symbol") {
                            symbol.symbol = try scanner.anyText()
                        } else if key.equals("precision") {
                            symbol.precision = try scanner.integer()
                        } else if key.equals("base") {
                            symbol.base = try scanner.anyText()
                        } else if key.equals("quote") {
                            symbol.quote = try scanner.anyText()
                        } else {
                            try scanner.skipValue()
                        }
                    }
                    if !symbol.symbol.isEmpty { symbols.append(symbol) }
                }
            }
            return symbols
        }
    }

    public func complaint(in body: [UInt8]) -> String? {
        body.withUnsafeBytes { bytes -> String? in
            var scanner = JSONScanner(bytes)
            var text: String?
            try? scanner.eachField { key, scanner in
                guard key.equals("error") else { return try scanner.skipValue() }
                try scanner.eachField { key, scanner in
                    if key.equals("message") {
                        text = RESTBody.quoted(try scanner.anyText())
                    } else {
                        try scanner.skipValue()
                    }
                }
            }
            return text
        }
    }
}
