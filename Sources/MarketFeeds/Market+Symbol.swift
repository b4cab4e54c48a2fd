public import MarketModel

extension Market {
    /// Splits a venue's symbol into its currencies: at a dash, slash or colon, else before a known quote currency.
    public init(symbol: String, precision: Int) {
        let pair = VenueCatalogue.declarations.lazy.compactMap { $0.pair?(symbol) }.first
        let name = (pair ?? symbol[...]).uppercased()
        let parts = name.split(maxSplits: 1, whereSeparator: { $0 == "-" || $0 == "/" || $0 == ":" })
        if parts.count == 2 {
            self.init(
                symbol: symbol, baseCurrency: String(parts[0]), quoteCurrency: String(parts[1]), precision: precision)
            return
        }
        let quote = Self.knownQuotes.first { name.hasSuffix($0) && name.count > $0.count } ?? ""
        self.init(
            symbol: symbol, baseCurrency: String(name.dropLast(quote.count)), quoteCurrency: quote,
            precision: precision)
    }

    /// Quote currencies of symbols written without a separator, longest first.
    private static let knownQuotes = [
        "FDUSD", "USDT", "USDC", "BUSD", "TUSD", "USD", "EUR", "GBP", "TRY", "BTC", "ETH", "BNB",
    ]
}
