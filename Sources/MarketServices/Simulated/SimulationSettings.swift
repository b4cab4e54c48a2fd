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
