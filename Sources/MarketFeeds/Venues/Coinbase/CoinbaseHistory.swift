import MarketModel
import StreamCore

/// Coinbase Exchange's candles (docs.cdp.coinbase.com, Exchange, "Get product candles"): `[time, low, high, open,
/// close, volume]`, in no documented order, some outside of what was requested, none for a quiet interval. 300 are the
/// most, by the stretch of time, not by the rows. Without both ends the venue ignores either.
struct CoinbaseHistory: DeclaredHistory {
    let venue = Venue.coinbase
    let endpoint = "https://api.exchange.coinbase.com"
    let timeframes: [Timeframe] = [.m1, .m5, .m15, .h1, .h6, .d1]
    /// One less than the 300 that the venue allows: see `request`.
    let rowsPerPage = 299
    /// Of ten requests a second that the venue allows, half: others at this address may need some.
    let pace = RequestPacer.Configuration(rate: 5, burst: 5, minimumInterval: 0.1)
    let directoryRequest: String? = "/products"
    let layout = HistoryLayout(
        candles: (
            .init(as: "list of candles"), .values(CandleColumns(count: 6, open: 3, high: 2, low: 1, unitsPerSecond: 1))
        ),
        symbols: (
            .init(as: "list of products"),
            SymbolRow(
                symbol: "id", base: "base_currency", quote: "quote_currency", status: "status", step: "quote_increment")
        ))

    func request(symbol: String, timeframe: Timeframe, from: Double, to: Double) -> String {
        // Whether the end is included, the documentation does not say: requested up to `to`, the last candle is there in
        // either case, and the one that may follow it is left out with what else was not requested.
        "/products/\(percentEncoded(symbol))/candles?granularity=\(Int(timeframe.seconds))"
            + "&start=\(RFC3339.text(from))&end=\(RFC3339.text(to))"
    }
}
