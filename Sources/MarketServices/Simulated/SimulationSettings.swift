public import MarketModel
public import TradingCore

/// How the simulated services behave. Everything that happens depends on these and on the times of the requests
/// alone: the same settings, seed included, give the same markets, fills and events.
public struct SimulationSettings: Sendable {
    /// Where randomness starts from.
    public var seed: UInt64 = 42
    public var markets = SimulatedMarket.all
    /// Seconds between two publications of all markets. Within two seconds a price moves by at most its volatility.
    public var marketInterval = 2.0
    /// Seconds between two events that come by chance, drawn evenly.
    public var eventInterval = 2.0...5.0
    /// Their texts.
    public var eventTemplates = EventTemplate.standard
    /// Seconds between two reports of health.
    public var healthInterval = 1.0
    /// How long fetching lasts, in seconds.
    public var latency = 0.2
    /// Seconds of the past that `fetchCandles` has, at most 2,000 candles of a timeframe.
    public var historyDepth = 60.0 * 86_400
    /// The smallest candles of the past: with minutes a container is made four times as fast.
    public var finestHistory = Timeframe.s1
    /// How orders are filled. By default as in a demonstration: market orders at once, and each waiting limit order with
    /// a chance of 30 % every ten seconds, whatever its price.
    public var paper = PaperSettings(
        fillModel: .random(chance: 0.3, every: 10), feeModel: .none,
        initialCapital: [Money(100_000, "USD")])
    /// The name of the account.
    public var account = "demo"
    /// What the account has done before it begins.
    public var past = AccountPast.example
    /// Finished orders, fills and events that are kept; the oldest are forgotten first.
    public var kept = 500
    /// Where the clock jumps further than this, as on a machine that slept, what was due meanwhile is left out.
    public var maximumCatchUp = 300.0

    public init() {}
}

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

    public init(_ steps: [Step]) { self.steps = steps }

    public static let empty = AccountPast([])

    /// Six orders, of which three opened a position, two wait and one was cancelled.
    public static let example = AccountPast([
        Step(order("past-1", "BTC-USD", .buy, "0.05", leverage: 5), price: 65_000, age: 26 * 3600),
        Step(order("past-2", "ETH-USD", .sell, "0.5", leverage: 3), price: 3500, age: 9 * 3600),
        Step(order("past-3", "SOL-USD", .buy, "12", leverage: 2), price: ExactDecimal("172.4"), age: 4 * 3600),
        Step(order("past-4", "LINK-USD", .buy, "40", limit: "13.9"), age: 600, isCancelled: true),
        Step(order("past-5", "BTC-USD", .buy, "0.02", limit: "66000", leverage: 5)),
        Step(order("past-6", "SOL-USD", .sell, "6", limit: "190", leverage: 2)),
    ])

    private static func order(
        _ name: String, _ symbol: String, _ side: Side, _ quantity: String, limit: String? = nil, leverage: Int = 1
    ) -> OrderRequest {
        OrderRequest(
            clientOrderID: name, symbol: symbol, side: side, type: limit == nil ? .market : .limit,
            quantity: decimal(quantity), limitPrice: limit.map(decimal), leverage: leverage)
    }

    /// Only for the literals above.
    private static func decimal(_ text: String) -> ExactDecimal { ExactDecimal(text) ?? .zero }
}

/// A sentence that an event of chance is made from. `{symbol}`, `{price}` and `{percent}` are filled in.
public struct EventTemplate: Sendable, Hashable {
    public var type: ServiceEventType
    public var message: String
    /// Goes with the event as it is.
    public var metadata: [String: String]?

    public init(_ type: ServiceEventType, _ message: String, metadata: [String: String]? = nil) {
        self.type = type
        self.message = message
        self.metadata = metadata
    }

    /// Signals, risks and news of the system. Events of orders and positions come when they happen, not by chance.
    public static let standard: [EventTemplate] = [
        EventTemplate(.signal, "Long signal detected on {symbol} at {price}", metadata: ["direction": "long"]),
        EventTemplate(.signal, "Short signal detected on {symbol} at {price}", metadata: ["direction": "short"]),
        EventTemplate(.signal, "Long signal on {symbol}: {percent} % in 24 hours", metadata: ["direction": "long"]),
        EventTemplate(.risk, "Risk alert: {symbol} moved {percent} % in 24 hours", metadata: ["level": "warning"]),
        EventTemplate(.system, "Market data is complete up to now", metadata: ["component": "markets"]),
        EventTemplate(.system, "The simulated exchange trades {symbol} at {price}", metadata: ["component": "feed"]),
    ]

    /// The event of this template for a market.
    /// - Parameter id: of the event.
    func event(id: String, market: MarketInfo, time: Double) -> ServiceEvent {
        var text = message
        var isAbout = false
        let change = market.changePercent24h.map { ($0 * 100).rounded() / 100 } ?? 0
        for (name, value) in [
            ("{symbol}", market.symbol), ("{price}", market.price.map { "\($0)" } ?? "–"), ("{percent}", "\(change)"),
        ] where text.contains(name) {
            text = text.replacing(name, with: value)
            isAbout = true
        }
        return ServiceEvent(
            id: id, type: type, symbol: isAbout ? market.symbol : nil, message: text, timestamp: time,
            metadata: metadata)
    }

    /// Draws an event of chance: one of the templates, about one of the markets. `nil` where there is none of either.
    /// The same generator draws the same.
    public static func draw(
        from templates: [EventTemplate], markets: [MarketInfo], id: String, time: Double,
        random: inout SeededGenerator
    ) -> ServiceEvent? {
        guard let template = templates.randomElement(using: &random),
            let market = markets.randomElement(using: &random)
        else { return nil }
        return template.event(id: id, market: market, time: time)
    }
}
