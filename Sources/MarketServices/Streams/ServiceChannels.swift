internal import TradingCore

/// The sending ends of all streams of a container, whatever is behind it.
struct ServiceChannels<Mode: TradingMode>: Sendable {
    let markets = ServiceChannel<[MarketInfo]>.values()
    let positions = ServiceChannel<[Position<Mode>]>.values()
    let orders = ServiceChannel<ServiceUpdate<Order<Mode>>>.changes()
    let fills = ServiceChannel<ServiceUpdate<Fill<Mode>>>.changes()
    let portfolio = ServiceChannel<[Portfolio]>.values()
    let events = ServiceChannel<ServiceUpdate<ServiceEvent>>.changes()
    let health = ServiceChannel<ServiceHealth>.values()

    func finish() {
        markets.finish()
        positions.finish()
        orders.finish()
        fills.finish()
        portfolio.finish()
        events.finish()
        health.finish()
    }
}
