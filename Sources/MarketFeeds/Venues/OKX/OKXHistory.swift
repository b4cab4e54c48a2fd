import MarketModel
import StreamCore

/// OKX's candles (okx.com/docs-v5, "Get candlesticks history"): arrays of texts under `data`, newest first; the last text says
/// whether the candle is closed. `after` and `before` leave out the candles of these very times. Errors have a `code`
/// other than 0, some of them with HTTP status 200.
struct OKXHistory: DeclaredHistory {
    let venue = Venue.okx
    let endpoint = "https://www.okx.com"
    let timeframes = Self.bars.map(\.timeframe)
    let rowsPerPage = 100
    /// Of twenty requests in two seconds that the venue allows, half.
    let pace = RequestPacer.Configuration(rate: 5, burst: 5, minimumInterval: 0.1)
    let directoryRequest: String? = "/api/v5/public/instruments?instType=SPOT"
    let layout = HistoryLayout(
        candles: (.init("data", as: "list of candles"), .values(CandleColumns(count: 9, isClosed: 8))),
        symbols: (
            .init("data", as: "list of instruments"),
            SymbolRow(symbol: "instId", base: "baseCcy", quote: "quoteCcy", status: "state", step: "tickSz")
        ),
        refusal: .init(code: "code", success: "0", message: "msg"))

    /// Those from six hours on begin at midnight in Hong Kong, but for the ones that say `utc`.
    static let bars: [(timeframe: Timeframe, name: (bar: StaticString, channel: StaticString))] = [
        (.m1, ("1m", "candle1m")), (.m3, ("3m", "candle3m")), (.m5, ("5m", "candle5m")),
        (.m15, ("15m", "candle15m")), (.m30, ("30m", "candle30m")), (.h1, ("1H", "candle1H")),
        (.h2, ("2H", "candle2H")), (.h4, ("4H", "candle4H")), (.h6, ("6Hutc", "candle6Hutc")),
        (.h12, ("12Hutc", "candle12Hutc")), (.d1, ("1Dutc", "candle1Dutc")), (.w1, ("1Wutc", "candle1Wutc")),
        (.mo1, ("1Mutc", "candle1Mutc")),
    ]

    func request(symbol: String, timeframe: Timeframe, from: Double, to: Double) -> String {
        let bar = Self.bars.first { $0.timeframe == timeframe }?.name.bar ?? "1m"
        return "/api/v5/market/history-candles?instId=\(percentEncoded(symbol))&bar=\(bar)&limit=\(rowsPerPage)"
            + "&before=\(queryNumber(from * 1000 - 1))&after=\(queryNumber(to * 1000))"
    }
}
