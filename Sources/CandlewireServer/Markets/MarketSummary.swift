import MarketModel

/// What the market list shows of one market.
struct MarketSummary: Sendable {
    var market: Int
    var lastPrice: Double?
    var lastTime: Double?
    var day: DayStatistics?
    /// Closes of the last 24 hours at half-hour steps, oldest first, the last price at the end.
    var sparkline: [Double]
    var feed = MarketFeedState.live
    /// Most decimals seen in its prices, where the feed could not say so before.
    var decimals = 0
    var bid: Double?
    var ask: Double?
}
