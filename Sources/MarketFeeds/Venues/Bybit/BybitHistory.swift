public import MarketModel
public import StreamCore

/// Bybit's spot klines (bybit-exchange.github.io/docs/v5/market/kline): `result.list`, arrays of texts, newest first.
/// Errors come with HTTP status 200 and a `retCode` other than 0.
public struct BybitHistory: HistoryAdapter {
    public init() {}

    public var venue: Venue { .bybit }
    public var endpoint: String { "https://api.bybit.com" }
    public var timeframes: [Timeframe] { [.m1, .m3, .m5, .m15, .m30, .h1, .h2, .h4, .h6, .h12, .d1, .w1, .mo1] }
    public var rowsPerPage: Int { 1000 }
    public var pace: RequestPacer.Configuration { .init(rate: 10, burst: 10, minimumInterval: 0.05) }
    public var directoryRequest: String? { "/v5/market/instruments-info?category=spot" }

    public func request(symbol: String, timeframe: Timeframe, from: Double, to: Double) -> String {
        let interval =
            switch timeframe {
            case .d1: "D"
            case .w1: "W"
            case .mo1: "M"
            default: "\(Int(timeframe.seconds / 60))"
            }
        return "/v5/market/kline?category=spot&symbol=\(percentEncoded(symbol))&interval=\(interval)"
            + "&start=\(queryNumber(from * 1000))&end=\(queryNumber(to * 1000 - 1))&limit=\(rowsPerPage)"
    }

    public func candles(from body: [UInt8]) throws(HistoryError) -> [HistoryCandle] {
        try read(body, as: "list of klines") { scanner, candles in
            let row = try scanner.numbers(6)
            candles.append(
                HistoryCandle(
                    candle: Candle(
                        timestamp: row[0] / 1000, open: row[1], high: row[2], low: row[3], close: row[4], volume: row[5]
                    )))
        }
    }

    public func symbols(from body: [UInt8]) throws(HistoryError) -> [VenueSymbol] {
        try read(body, as: "list of instruments") { scanner, symbols in
            var symbol = VenueSymbol(symbol: "", base: "", quote: "", precision: nil, status: "")
            try scanner.eachField { key, scanner in
                if key.equals("symbol") {
                    symbol.symbol = try scanner.anyText()
                } else if key.equals("baseCoin") {
                    symbol.base = try scanner.anyText()
                } else if key.equals("quoteCoin") {
                    symbol.quote = try scanner.anyText()
                } else if key.equals("status") {
                    symbol.status = try scanner.anyText()
                } else if key.equals("priceFilter") {
                    try scanner.eachField { key, scanner in
                        guard key.equals("tickSize") else { return try scanner.skipValue() }
                        symbol.precision = RESTBody.decimals(try scanner.anyText())
                    }
                } else {
                    try scanner.skipValue()
                }
            }
            if !symbol.symbol.isEmpty { symbols.append(symbol) }
        }
    }

    /// The elements of `result.list`.
    private func read<Element>(
        _ body: [UInt8], as what: String, _ element: (inout JSONScanner, inout [Element]) throws -> Void
    ) throws(HistoryError) -> [Element] {
        try RESTBody.read(body, of: venue, as: what) { scanner in
            var (code, message) = (0, "")
            var found: [Element]?
            try scanner.eachField { key, scanner in
                if key.equals("retCode") {
                    code = try scanner.integer()
                } else if key.equals("retMsg") {
                    message = try scanner.anyText()
                } else if key.equals("result") {
                    try scanner.eachField { key, scanner in
                        guard key.equals("list") else { return try scanner.skipValue() }
                        var elements: [Element] = []
                        try scanner.eachElement { try element(&$0, &elements) }
                        found = elements
                    }
                } else {
                    try scanner.skipValue()
                }
            }
            if code != 0 {
                throw HistoryError(.refused, "\(venue.rawValue) says “\(RESTBody.quoted(message))” (\(code)).")
            }
            guard let found else { throw VenueParseError.missingField("list") }
            return found
        }
    }
}
