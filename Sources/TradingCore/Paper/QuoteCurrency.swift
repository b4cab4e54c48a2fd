/// The currency that a market's prices are in, where nobody says it.
public enum QuoteCurrency {
    /// `USD` for `BTC-USD`, `kraken:BTC/USD` and `BTC-USD-PERP`, `USDT` for `BTCUSDT`; `USD` where the name says nothing.
    public static func of(_ symbol: String) -> String {
        let name = symbol.split(separator: ":").last.map(String.init) ?? symbol
        let parts = name.split(whereSeparator: { $0 == "-" || $0 == "/" || $0 == "_" })
        if parts.count > 1 { return parts[1].uppercased() }
        let upper = name.uppercased()
        return known.first { upper.hasSuffix($0) && upper.utf8.count > $0.utf8.count } ?? "USD"
    }

    private static let known = [
        "FDUSD", "USDT", "USDC", "TUSD", "BUSD", "USD", "EUR", "GBP", "JPY", "CHF", "AUD", "TRY", "BRL", "BTC", "ETH",
        "BNB",
    ]
}
