/// An instrument that can be traded, as its feed names it.
public struct Market: Sendable, Equatable {
    /// The venue's own name, for example `BTC-USD`.
    public var symbol: String
    public var baseCurrency: String
    public var quoteCurrency: String
    /// Decimals of its prices.
    public var precision: Int

    public init(symbol: String, baseCurrency: String, quoteCurrency: String, precision: Int) {
        self.symbol = symbol
        self.baseCurrency = baseCurrency
        self.quoteCurrency = quoteCurrency
        self.precision = precision
    }
}
