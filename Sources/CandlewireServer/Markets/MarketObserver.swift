import MarketModel

/// Sees what the pipeline has accepted, at the very moment: nothing that is derived from the market runs on a timer of its
/// own (D-31). Called on the market loop.
protocol MarketObserver: AnyObject {
    /// A tick was accepted and published.
    func market(_ market: Int, traded tick: Tick, now: Double)
    /// Bars ended; of corrected ones nothing is told.
    func market(_ market: Int, finished bars: [Bar])
    /// The feed began or ended.
    func feedChanged(isLive: Bool)
    /// The markets whose ticks change anything: something is held or ordered there.
    func involvedMarkets() -> Set<Int>
    /// The market is not followed for the time being: its last price is none to trade at.
    func marketPaused(_ market: Int)
    /// Everything begins anew: a recording that is played in a loop.
    func marketsRestarted()
}
