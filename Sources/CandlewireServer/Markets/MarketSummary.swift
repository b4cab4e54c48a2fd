import MarketModel

/// What the market list shows of one market.
struct MarketSummary: Sendable {
    var market: Int
    var lastPrice: Double?
    /// Of the last trade, or of the newest candle.
    var lastTime: Double?
    /// When the last trade came in, by the feed's clock; `nil`: none has yet, what is known is stored.
    var receivedAt: Double?
    var day: DayStatistics?
    /// Closes of the last 24 hours at half-hour steps, oldest first, the last price at the end.
    var sparkline: [Double]
    var feed = MarketFeedState.live
    /// Most decimals seen in its prices, where the feed could not say so before.
    var decimals = 0
    var bid: Double?
    var ask: Double?

    /// Whether its trades are followed, and none has come yet.
    var isWaiting: Bool { feed == .live && receivedAt == nil }
}
