public import MarketModel
public import StreamCore

/// Intrinio's candles (docs.intrinio.com, "Get Interval Prices for Security"): `intervals`, some 100 a page, and where to go
/// on in `next_page`.
///
/// Intervals without trades may be missing, or have nulls for prices: those are left out.
public struct IntrinioHistory: HistoryAdapter {
    public let venue: Venue

    public init(venue: Venue = .intrinio) { self.venue = venue }

    public var endpoint: String { "https://api-v2.intrinio.com" }
    public var timeframes: [Timeframe] { [.m1, .m5, .m15, .m30, .h1] }
    /// Of several answers: the venue's own pages are followed.
    public var rowsPerPage: Int { 1000 }
    /// The limit is not documented.
    public var pace: RequestPacer.Configuration { .init(rate: 2, burst: 2, minimumInterval: 0.25) }

    public func headers(_ credentials: FeedCredentials) -> [FeedHeader] { IntrinioAccess.restHeaders(credentials) }

    public func request(symbol: String, timeframe: Timeframe, from: Double, to: Double) -> String {
        let size = timeframe == .h1 ? "1h" : "\(Int(timeframe.seconds / 60))m"
        return "/securities/\(percentEncoded(symbol))/prices/intervals?interval_size=\(size)"
            + "&\(Self.moment("start", from))&\(Self.moment("end", to))&timezone=UTC&page_size=100"
    }

    /// `start_date=2024-08-08&start_time=00%3A00%3A00`
    private static func moment(_ name: String, _ seconds: Double) -> String {
        let text = RFC3339.text(seconds)
        return "\(name)_date=\(text.prefix(10))&\(name)_time=\(percentEncoded(String(text.dropFirst(11).prefix(8))))"
    }

    public func nextPage(after request: String, in body: [UInt8]) -> String? {
        RESTBody.text(of: ["next_page"], in: body).map { "\(request)&next_page=\(percentEncoded($0))" }
    }

    public func complaint(in body: [UInt8]) -> String? { RESTBody.text(of: ["message", "error", "human"], in: body) }

    public func candles(from body: [UInt8]) throws(HistoryError) -> [HistoryCandle] {
        try RESTBody.read(body, of: venue, as: "list of candles") { scanner in
            var candles: [HistoryCandle]?
            try scanner.eachField { key, scanner in
                guard key.equals("intervals") else { return try scanner.skipValue() }
                var found: [HistoryCandle] = []
                try scanner.eachElement { scanner in if let row = try Self.row(&scanner) { found.append(row) } }
                candles = found
            }
            guard let candles else { throw VenueParseError.missingField("intervals") }
            return candles
        }
    }

    /// `nil` where the interval has no prices.
    private static func row(_ scanner: inout JSONScanner) throws -> HistoryCandle? {
        var bar = CandleFields()
        var trades: UInt64?
        try scanner.eachField { key, scanner in
            if try scanner.skipNull() { return }
            if key.equals("time") {
                let offset = scanner.offset
                guard let start = RFC3339.seconds(try scanner.string().raw) else {
                    throw JSONError(.wrongType, at: offset)
                }
                bar.start = start
            } else if key.equals("trade_count") {
                trades = UInt64(exactly: try scanner.decimalString().rounded())
            } else {
                try bar.read(key, &scanner, start: "")
            }
        }
        guard bar.open != nil, bar.high != nil, bar.low != nil, bar.close != nil else { return nil }
        bar.volume = bar.volume ?? 0
        return HistoryCandle(candle: try bar.candle(.init(start: "time")), trades: trades)
    }
}
