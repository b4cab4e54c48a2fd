import Logging
import MarketFeeds
import NIOCore

/// Markets without trades and readers give their past back to the store (FCK-33).
extension LiveFeed.Runner {
    func evictIdle(after limit: Double, to memory: StoredMemory) {
        let count = connections.reduce(0) { $0 + $1.connection.session.symbolCount }
        idle = IdleWatch(markets: count, limit: limit, now: core.clock())
        pipeline.onDemand.append { [weak self] market in self?.use(market) }
        pipeline.onRestore.append { [weak self] market in self?.restore(market, from: memory) }
        let bound = NIOLoopBound(self, eventLoop: core.loop)
        // A review looks at each market; a sixtieth of the limit is as exact as anybody notices.
        let pause = TimeAmount.clamped(seconds: min(max(limit / 60, 1), 60))
        idleTimer = core.loop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { _ in
            bound.value.reviewIdle(memory)
        }
    }

    private func reviewIdle(_ memory: StoredMemory) {
        let candidates = idleMarkets()
        guard !candidates.isEmpty, flushing == nil else { return }
        let bound = NIOLoopBound(self, eventLoop: core.loop)
        let loop = core.loop
        flushing = Task {
            // What cannot be written is in memory only: then it stays there.
            let isWritten = (try? await memory.flush()) != nil
            loop.execute {
                bound.value.flushing = nil
                if isWritten { bound.value.evict(candidates) }
            }
        }
    }

    private func evict(_ candidates: [Int]) {
        let still = Set(idleMarkets())
        for market in candidates where still.contains(market) && pipeline.evict(market) { evictions += 1 }
    }

    private func idleMarkets() -> [Int] {
        guard let base = connections.first?.firstMarket else { return [] }
        let now = core.clock()
        let count = connections.reduce(0) { $0 + $1.connection.session.symbolCount }
        let watched = pipeline.watched(base..<base + count)
        var found: [Int] = []
        for link in connections {
            for market in link.firstMarket..<link.firstMarket + link.connection.session.symbolCount {
                let isIdle = idle?.review(
                    market - base, ticks: pipeline.ticks(market), isWatched: watched.contains(market), now: now)
                if isIdle == true, !pipeline.isEvicted(market) { found.append(market) }
            }
        }
        return found
    }

    /// Markets whose past is not in memory.
    var idleCount: Int {
        connections.reduce(0) { count, link in
            count + pipeline.evicted(link.firstMarket..<link.firstMarket + link.connection.session.symbolCount)
        }
    }

    private func isOurs(_ market: Int) -> Bool {
        connections.contains {
            ($0.firstMarket..<$0.firstMarket + $0.connection.session.symbolCount).contains(market)
        }
    }

    private func use(_ market: Int) {
        guard let base = connections.first?.firstMarket, isOurs(market) else { return }
        idle?.use(market - base, now: core.clock())
    }

    private func restore(_ market: Int, from memory: StoredMemory) {
        guard isOurs(market) else { return }
        use(market)
        let bound = NIOLoopBound(self, eventLoop: core.loop)
        let (loop, title, logger) = (core.loop, title, logger)
        restorings[market] = Task {
            var isWhole = true
            do {
                try await memory.flush()
                _ = try await memory.load(market)
            } catch {
                isWhole = false
                // What is open goes on. Who asks for older candles gets them of the store, when that works again.
                if !Task.isCancelled {
                    logger.error("stored candles cannot be read", metadata: ["feed": "\(title)", "error": "\(error)"])
                }
            }
            let found = isWhole
            loop.execute {
                bound.value.restorings[market] = nil
                bound.value.restorations += 1
                bound.value.use(market)
                bound.value.pipeline.restored(market, isWhole: found)
            }
        }
    }

    func stopEviction() -> [Task<Void, Never>] {
        idleTimer?.cancel()
        let tasks = Array(restorings.values) + [flushing].compactMap { $0 }
        for task in tasks { task.cancel() }
        return tasks
    }
}
