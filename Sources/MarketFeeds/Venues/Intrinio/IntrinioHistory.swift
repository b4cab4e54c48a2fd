import MarketModel
import StreamCore

/// Intrinio's candles (docs.intrinio.com, "Get Interval Prices for Security"): `intervals`, some 100 a page, and where
/// to go on in `next_page`. Intervals without trades may be missing, or have nulls for prices: those are left out.
struct IntrinioHistory: HistoryAdapter {
    var venue = Venue.intrinio
    let endpoint = "https://api-v2.intrinio.com"
    let timeframes: [Timeframe] = [.m1, .m5, .m15, .m30, .h1]
    /// Of several answers: the venue's own pages are followed.
    let rowsPerPage = 1000
    /// The limit is not documented.
    let pace = RequestPacer.Configuration(rate: 2, burst: 2, minimumInterval: 0.25)

    func headers(_ credentials: FeedCredentials) -> [FeedHeader] { IntrinioAccess.restHeaders(credentials) }

    func request(symbol: String, timeframe: Timeframe, from: Double, to: Double) -> String {
        let size = timeframe == .h1 ? "1h" : "\(Int(timeframe.seconds / 60))m"
        return "/securities/\(percentEncoded(symbol))/prices/intervals?interval_size=\(size)"
            + "&\(Self.moment("start", from))&\(Self.moment("end", to))&timezone=UTC&page_size=100"
    }

    /// `start_date=2024-08-08&start_time=00%3A00%3A00`
    private static func moment(_ name: String, _ seconds: Double) -> String {
        let text = RFC3339.text(seconds)
        return "\(name)_date=\(text.prefix(10))&\(name)_time=\(percentEncoded(String(text.dropFirst(11).prefix(8))))"
    }

    func nextPage(after request: String, in body: [UInt8]) -> String? {
        RESTBody.text(of: ["next_page"], in: body).map { "\(request)&next_page=\(percentEncoded($0))" }
    }

    func errorMessage(in body: [UInt8]) -> String? { RESTBody.text(of: ["message", "error", "human"], in: body) }

    func candles(from body: [UInt8]) throws(HistoryError) -> [HistoryCandle] {
        try RESTBody.rows(.init("intervals", as: "list of candles"), in: body, of: name) { try Self.row(&$0) }
    }

    /// `nil` where the interval has no prices.
    private static func row(_ scanner: inout JSONScanner) throws -> HistoryCandle? {
        var bar = CandleFields()
        var trades: UInt64?
        try scanner.eachField { key, scanner in
            if try scanner.skipNull() { return }
            switch key {
            case "time":
                let offset = scanner.offset
                guard let start = RFC3339.seconds(try scanner.string().raw) else {
                    throw JSONError(.wrongType, at: offset)
                }
                bar.start = start
            case "trade_count": trades = UInt64(exactly: try scanner.decimalString().rounded())
            default: try bar.read(key, &scanner, start: "")
            }
        }
        guard bar.open != nil, bar.high != nil, bar.low != nil, bar.close != nil else { return nil }
        bar.volume = bar.volume ?? 0
        return HistoryCandle(candle: try bar.candle(.init(start: "time")), trades: trades)
    }
}
