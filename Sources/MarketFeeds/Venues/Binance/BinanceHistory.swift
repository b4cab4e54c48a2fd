import MarketModel
import StreamCore

/// Binance's klines (binance-spot-api-docs, `rest-api.md`), those of Binance.US at its own address. Rows are arrays
/// that begin with the open time in milliseconds, open, high, low, close, volume; the ninth value is the number of
/// trades. Oldest first; the last one may still be running.
struct BinanceHistory: DeclaredHistory {
    static let spot = BinanceHistory(name: "binance", endpoint: "https://api.binance.com")
    static let us = BinanceHistory(name: "binance-us", endpoint: "https://api.binance.us")

    let name: String
    let endpoint: String
    let venue = Venue.binance
    let timeframes = Timeframe.allCases.filter { $0 != .s5 && $0 != .s15 }
    let rowsPerPage = 1000
    /// A page weighs 2 of the 6,000 a minute; a burst of 429s ends in a ban.
    let pace = RequestPacer.Configuration(rate: 10, burst: 10, minimumInterval: 0.05)
    let directoryRequest: String? = "/api/v3/exchangeInfo"
    let layout = HistoryLayout(
        candles: (.init(as: "list of klines"), .values(CandleColumns(count: 9, trades: 8))),
        symbols: (
            .init("symbols", as: "list of symbols"),
            SymbolRow(
                symbol: "symbol", base: "baseAsset", quote: "quoteAsset", status: "status", step: "tickSize",
                stepHolder: "filters")
        ))

    func request(symbol: String, timeframe: Timeframe, from: Double, to: Double) -> String {
        // Both ends are included, and compared with the open time.
        "/api/v3/klines?symbol=\(percentEncoded(symbol.uppercased()))&interval=\(timeframe.rawValue)"
            + "&startTime=\(queryNumber(from * 1000))&endTime=\(queryNumber(to * 1000 - 1))&limit=\(rowsPerPage)"
    }
}
