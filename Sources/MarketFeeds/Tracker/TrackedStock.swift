public import MarketModel

/// A stock of the tracker: what `stocks.json` says about it.
public struct TrackedStock: Sendable, Equatable {
    /// ASCII letters, digits, `-` and `.`, at most `StockListReader.maxSymbolLength` of them.
    public let symbol: String
    public let company: String
    public let description: String
    /// What changes are measured against; above zero.
    public let initialPrice: Double
    /// How far the first current price is from it.
    public let initialDelta: Double

    /// The values must be as `StockListReader` requires them.
    public init(symbol: String, company: String, description: String, initialPrice: Double, initialDelta: Double = 0) {
        self.symbol = symbol
        self.company = company
        self.description = description
        self.initialPrice = initialPrice
        self.initialDelta = initialDelta
    }

    /// Decimals of its prices: two from one upwards, more below, and never fewer than its initial price has.
    public var decimals: Int {
        var decimals = initialPrice >= 1 ? 2 : initialPrice >= 0.01 ? 4 : initialPrice >= 0.0001 ? 6 : 8
        while decimals < 8, initialPrice.rounded(decimals: decimals) != initialPrice { decimals += 1 }
        return decimals
    }

    /// What is paid while the distance from the initial price is `delta`: the sum, without the noise of binary
    /// fractions (0.1 + 0.2 is 0.3).
    ///
    /// - Returns: `nil` where that is not a price: not above zero, or beyond every market.
    public func price(delta: Double) -> Double? {
        let sum = (initialPrice + delta).rounded(decimals: 8)
        guard sum > 0, sum <= Self.highestPrice else { return nil }
        return sum
    }

    /// Prices beyond this are no stock's; up to here a double holds eight decimals.
    static let highestPrice = 10_000_000.0
    /// The lowest one that eight decimals distinguish from the next.
    static let lowestPrice = 0.000001

    static let powers = [1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7, 1e8]

    /// As the rest of the process knows it.
    public var market: Market {
        Market(symbol: symbol, baseCurrency: symbol, quoteCurrency: "USD", precision: decimals)
    }
}
