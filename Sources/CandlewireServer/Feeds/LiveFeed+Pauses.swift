import MarketFeeds
import NIOCore

/// Markets without watchers are not followed; what is missed meanwhile is an outage to the history plan.
extension LiveFeed.Runner {
    func pauseUnwatched(after limit: Double) {
        pauses = PauseWatch(markets: numbers.count, limit: limit, now: core.clock())
        pipeline.onDemand.append { [weak self] market in self?.demand(market) }
        pauseTimer = core.loop.runEvery(1, self) { $0.reviewPauses() }
    }

    private func reviewPauses() {
        guard isOn else { return }
        let now = core.clock()
        let watched = pipeline.watched(numbers)
        for link in connections {
            for symbol in 0..<link.connection.session.symbolCount {
                guard let market = link.market(symbol), !gone.contains(market) else { continue }
                let change = pauses?.review(
                    market - numbers.lowerBound, isWatched: watched.contains(market), now: now)
                if let change { make(change, link, symbol) }
            }
        }
    }

    private func demand(_ market: Int) {
        guard isOn, let (link, symbol) = place(of: market),
            let change = pauses?.demand(market - numbers.lowerBound, now: core.clock())
        else { return }
        make(change, link, symbol)
    }

    /// Where a market is requested, by the number that its symbol has there.
    func place(of market: Int) -> (link: Link, symbol: Int)? {
        for link in connections {
            if let symbol = link.markets.firstIndex(of: market) { return (link, symbol) }
        }
        return nil
    }

    private func make(_ change: PauseWatch.Change, _ link: Link, _ symbol: Int) {
        guard let market = link.market(symbol) else { return }
        switch change {
        case .pause:
            // Its interruption is reported on the way, and the state comes after.
            link.connection.setWanted(symbol, false)
            pipeline.setFeed(.paused, ofMarket: market)
        case .resume:
            // A venue that acknowledges nothing has it live at once.
            pipeline.setFeed(.connecting, ofMarket: market)
            link.connection.setWanted(symbol, true)
        }
    }
}

/// Decides which markets are not followed for the time being because they have no watchers.
///
/// A value; reviewed once a second, and notified when a client requests a market. Times are seconds on a clock that never goes back.
struct PauseWatch {
    enum Change: Equatable { case pause, resume }

    private struct Market {
        var watchedAt: Double
        var isPaused = false
    }

    /// Seconds without a watcher after which a market is paused.
    let limit: Double
    private var markets: [Market]

    init(markets: Int, limit: Double, now: Double) {
        self.limit = limit
        self.markets = Array(repeating: Market(watchedAt: now), count: markets)
    }

    func isPaused(_ market: Int) -> Bool { markets[market].isPaused }

    /// - Parameter isWatched: whether it has readers, open orders or a position.
    mutating func review(_ market: Int, isWatched: Bool, now: Double) -> Change? {
        if isWatched { return demand(market, now: now) }
        guard !markets[market].isPaused, now - markets[market].watchedAt >= limit else { return nil }
        markets[market].isPaused = true
        return .pause
    }

    /// A client requested it, whether or not it goes on watching.
    mutating func demand(_ market: Int, now: Double) -> Change? {
        markets[market].watchedAt = max(markets[market].watchedAt, now)
        guard markets[market].isPaused else { return nil }
        markets[market].isPaused = false
        return .resume
    }
}
