import MarketModel
import StreamCore

/// Bybit's spot klines (bybit-exchange.github.io/docs/v5/market/kline): `result.list`, arrays of texts, newest first.
/// Errors come with HTTP status 200 and a `retCode` other than 0.
struct BybitHistory: DeclaredHistory {
    let venue = Venue.bybit
    let endpoint = "https://api.bybit.com"
    let timeframes: [Timeframe] = [.m1, .m3, .m5, .m15, .m30, .h1, .h2, .h4, .h6, .h12, .d1, .w1, .mo1]
    let rowsPerPage = 1000
    let pace = RequestPacer.Configuration(rate: 10, burst: 10, minimumInterval: 0.05)
    let directoryRequest: String? = "/v5/market/instruments-info?category=spot"
    let layout = HistoryLayout(
        candles: (.init("result", "list", as: "list of klines"), .values(CandleColumns(count: 6))),
        symbols: (
            .init("result", "list", as: "list of instruments"),
            SymbolRow(
                symbol: "symbol", base: "baseCoin", quote: "quoteCoin", status: "status", step: "tickSize",
                stepHolder: "priceFilter")
        ),
        refusal: .init(code: "retCode", success: "0", message: "retMsg"))

    func request(symbol: String, timeframe: Timeframe, from: Double, to: Double) -> String {
        let interval = [Timeframe.d1: "D", .w1: "W", .mo1: "M"][timeframe] ?? "\(Int(timeframe.seconds / 60))"
        return "/v5/market/kline?category=spot&symbol=\(percentEncoded(symbol))&interval=\(interval)"
            + "&start=\(queryNumber(from * 1000))&end=\(queryNumber(to * 1000 - 1))&limit=\(rowsPerPage)"
    }
}
