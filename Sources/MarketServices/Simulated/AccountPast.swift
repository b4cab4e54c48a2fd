public import TradingCore

/// What a simulated account did before it begins: the orders of the past, each with the price at which its market traded
/// then.
public struct AccountPast: Sendable, Hashable {
    public struct Step: Sendable, Hashable {
        public var request: OrderRequest
        /// What the market traded at when the order came; nil: at its present price.
        public var price: ExactDecimal?
        /// How long ago, in seconds.
        public var age: Double
        /// Whether it was cancelled at once.
        public var isCancelled: Bool

        public init(_ request: OrderRequest, price: ExactDecimal? = nil, age: Double = 0, isCancelled: Bool = false) {
            self.request = request
            self.price = price
            self.age = age
            self.isCancelled = isCancelled
        }
    }

    /// Oldest first.
    public var steps: [Step]

    public init(_ steps: [Step]) {
        self.steps = steps
    }

    public static let empty = AccountPast([])

    /// Six orders, of which three opened a position, two wait and one was cancelled.
    public static let example = AccountPast([
        Step(market("past-1", "BTC-USD", .buy, "0.05", leverage: 5), price: 65_000, age: 26 * 3600),
        Step(market("past-2", "ETH-USD", .sell, "0.5", leverage: 3), price: 3500, age: 9 * 3600),
        Step(market("past-3", "SOL-USD", .buy, "12", leverage: 2), price: ExactDecimal("172.4"), age: 4 * 3600),
        Step(limit("past-4", "LINK-USD", .buy, "40", "13.9"), age: 600, isCancelled: true),
        Step(limit("past-5", "BTC-USD", .buy, "0.02", "66000", leverage: 5)),
        Step(limit("past-6", "SOL-USD", .sell, "6", "190", leverage: 2)),
    ])

    private static func market(
        _ name: String, _ symbol: String, _ side: Side, _ quantity: String, leverage: Int
    ) -> OrderRequest {
        OrderRequest(
            clientOrderID: name, symbol: symbol, side: side, type: .market, quantity: decimal(quantity),
            leverage: leverage)
    }

    private static func limit(
        _ name: String, _ symbol: String, _ side: Side, _ quantity: String, _ price: String, leverage: Int = 1
    ) -> OrderRequest {
        OrderRequest(
            clientOrderID: name, symbol: symbol, side: side, type: .limit, quantity: decimal(quantity),
            limitPrice: decimal(price), leverage: leverage)
    }

    /// Only for the literals above.
    private static func decimal(_ text: String) -> ExactDecimal { ExactDecimal(text) ?? .zero }
}
