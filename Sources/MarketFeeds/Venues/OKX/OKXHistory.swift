public import MarketModel
public import StreamCore

/// OKX's candles (okx.com/docs-v5, "Get candlesticks history"): arrays of texts under `data`, newest first; the last text says
/// whether the candle is closed. `after` and `before` leave out the candles of these very times. Errors have a `code`
/// other than 0, some of them with HTTP status 200.
public struct OKXHistory: HistoryAdapter {
    public init() {}

    public var venue: Venue { .okx }
    public var endpoint: String { "https://www.okx.com" }
    public var timeframes: [Timeframe] { Self.bars.map(\.timeframe) }
    public var rowsPerPage: Int { 100 }
    /// Of twenty requests in two seconds that the venue allows, half.
    public var pace: RequestPacer.Configuration { .init(rate: 5, burst: 5, minimumInterval: 0.1) }
    public var directoryRequest: String? { "/api/v5/public/instruments?instType=SPOT" }

    /// Those from six hours on begin at midnight in Hong Kong, but for the ones that say `utc`.
    static let bars: [(timeframe: Timeframe, name: (bar: StaticString, channel: StaticString))] = [
        (.m1, ("1m", "candle1m")), (.m3, ("3m", "candle3m")), (.m5, ("5m", "candle5m")),
        (.m15, ("15m", "candle15m")), (.m30, ("30m", "candle30m")), (.h1, ("1H", "candle1H")),
        (.h2, ("2H", "candle2H")), (.h4, ("4H", "candle4H")), (.h6, ("6Hutc", "candle6Hutc")),
        (.h12, ("12Hutc", "candle12Hutc")), (.d1, ("1Dutc", "candle1Dutc")), (.w1, ("1Wutc", "candle1Wutc")),
        (.mo1, ("1Mutc", "candle1Mutc")),
    ]

    public func request(symbol: String, timeframe: Timeframe, from: Double, to: Double) -> String {
        let bar = Self.bars.first { $0.timeframe == timeframe }?.name.bar ?? "1m"
        return "/api/v5/market/history-candles?instId=\(percentEncoded(symbol))&bar=\(bar)&limit=\(rowsPerPage)"
            + "&before=\(queryNumber(from * 1000 - 1))&after=\(queryNumber(to * 1000))"
    }

    public func candles(from body: [UInt8]) throws(HistoryError) -> [HistoryCandle] {
        try read(body, as: "list of candles") { scanner in
            let row = try scanner.numbers(9)
            return HistoryCandle(
                candle: Candle(
                    timestamp: row[0] / 1000, open: row[1], high: row[2], low: row[3], close: row[4], volume: row[5]),
                isRunning: row[8] == 0)
        }
    }

    public func symbols(from body: [UInt8]) throws(HistoryError) -> [VenueSymbol] {
        try read(body, as: "list of instruments") { scanner in
            var symbol = VenueSymbol(symbol: "", base: "", quote: "", precision: nil, status: "")
            try scanner.eachField { key, scanner in
                if key.equals("instId") {
                    symbol.symbol = try scanner.anyText()
                } else if key.equals("baseCcy") {
                    symbol.base = try scanner.anyText()
                } else if key.equals("quoteCcy") {
                    symbol.quote = try scanner.anyText()
                } else if key.equals("state") {
                    symbol.status = try scanner.anyText()
                } else if key.equals("tickSz") {
                    symbol.precision = RESTBody.decimals(try scanner.anyText())
                } else {
                    try scanner.skipValue()
                }
            }
            return symbol.symbol.isEmpty ? nil : symbol
        }
    }

    /// The elements of `data`.
    private func read<Element>(
        _ body: [UInt8], as what: String, _ element: (inout JSONScanner) throws -> Element?
    ) throws(HistoryError) -> [Element] {
        try RESTBody.read(body, of: venue, as: what) { scanner in
            var (code, message) = ("", "")
            var found: [Element]?
            try scanner.eachField { key, scanner in
                if key.equals("code") {
                    code = try scanner.anyText()
                } else if key.equals("msg") {
                    message = try scanner.anyText()
                } else if key.equals("data") {
                    var elements: [Element] = []
                    try scanner.eachElement { if let one = try element(&$0) { elements.append(one) } }
                    found = elements
                } else {
                    try scanner.skipValue()
                }
            }
            if code != "0", !code.isEmpty {
                throw HistoryError(
                    .refused, "\(venue.rawValue) says “\(RESTBody.quoted(message))” (\(RESTBody.quoted(code))).")
            }
            guard let found else { throw VenueParseError.missingField("data") }
            return found
        }
    }
}
