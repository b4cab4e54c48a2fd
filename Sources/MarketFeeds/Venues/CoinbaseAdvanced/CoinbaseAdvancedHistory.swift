import MarketModel
import StreamCore

/// Coinbase Advanced Trade's public candles (docs.cdp.coinbase.com, Advanced Trade, "Get Public Product Candles"). Rows
/// are objects whose values are all texts. An interval without trades has none.
struct CoinbaseAdvancedHistory: DeclaredHistory {
    let venue = Venue.coinbaseAdvanced
    let endpoint = "https://api.coinbase.com"
    let timeframes: [Timeframe] = [.m1, .m5, .m15, .m30, .h1, .h2, .h6, .d1]
    /// The documentation says fewer than 350, in another place 300; one less: see `request`.
    let rowsPerPage = 299
    let pace = RequestPacer.Configuration(rate: 5, burst: 5, minimumInterval: 0.1)
    let directoryRequest: String? = "/api/v3/brokerage/market/products"
    let layout = HistoryLayout(
        candles: (.init("candles", as: "list of candles"), .members(start: "start")),
        symbols: (
            .init("products", as: "list of products"),
            SymbolRow(
                symbol: "product_id", base: "base_currency_id", quote: "quote_currency_id", status: "status",
                step: "price_increment")
        ))

    func request(symbol: String, timeframe: Timeframe, from: Double, to: Double) -> String {
        // As with Coinbase Exchange it is not said whether the end is included.
        "/api/v3/brokerage/market/products/\(percentEncoded(symbol))/candles?start=\(queryNumber(from))"
            + "&end=\(queryNumber(to))&granularity=\(Self.names[timeframe] ?? "ONE_MINUTE")&limit=\(rowsPerPage + 1)"
    }

    private static let names: [Timeframe: String] = [
        .m5: "FIVE_MINUTE", .m15: "FIFTEEN_MINUTE", .m30: "THIRTY_MINUTE", .h1: "ONE_HOUR", .h2: "TWO_HOUR",
        .h6: "SIX_HOUR", .d1: "ONE_DAY",
    ]
}
