import MarketFeeds
import NIOCore

/// Markets without watchers are not followed; what is missed meanwhile is an outage to the history plan.
extension LiveFeed.Runner {
    func pauseUnwatched(after limit: Double) {
        let count = connections.reduce(0) { $0 + $1.connection.session.symbolCount }
        pauses = PauseWatch(markets: count, limit: limit, now: core.clock())
        pipeline.onDemand.append { [weak self] market in self?.demand(market) }
        let bound = NIOLoopBound(self, eventLoop: core.loop)
        pauseTimer = core.loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { _ in
            bound.value.reviewPauses()
        }
    }

    private func reviewPauses() {
        guard let base = connections.first?.firstMarket else { return }
        let now = core.clock()
        let count = connections.reduce(0) { $0 + $1.connection.session.symbolCount }
        let watched = pipeline.watched(base..<base + count)
        for link in connections {
            for symbol in 0..<link.connection.session.symbolCount {
                let market = link.firstMarket + symbol
                let change = pauses?.review(market - base, isWatched: watched.contains(market), now: now)
                if let change { make(change, link, symbol) }
            }
        }
    }

    private func demand(_ market: Int) {
        guard let base = connections.first?.firstMarket,
            let link = connections.last(where: { $0.firstMarket <= market }),
            market - link.firstMarket < link.connection.session.symbolCount,
            let change = pauses?.demand(market - base, now: core.clock())
        else { return }
        make(change, link, market - link.firstMarket)
    }

    private func make(_ change: PauseWatch.Change, _ link: Link, _ symbol: Int) {
        let market = link.firstMarket + symbol
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
