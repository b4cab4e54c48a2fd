import MarketModel

/// Markets that nobody reads and that do not trade keep the bars that are open, and not their past: that is in the store.
///
/// The open bars stay as they are, so the next trade continues them at once, whatever the store does; what it needs the past
/// for waits until that is back.
extension MarketPipeline {
    /// Lets go of a market's past, unless it is just coming back.
    /// - Returns: whether it did.
    func evict(_ market: Int) -> Bool {
        guard !markets[market].isEvicted else { return false }
        markets[market].evict()
        return true
    }

    func isEvicted(_ market: Int) -> Bool { markets[market].isEvicted }

    /// Asks for a market's past, where it is not in memory.
    func restore(_ market: Int) {
        guard markets[market].isEvicted, restoring.begin(market) else { return }
        for tell in onRestore { tell(market) }
    }

    /// Does something at once, or as soon as the market's past is in memory.
    /// - Parameter connection: for whom; `forget` takes it back.
    func whenRestored(_ market: Int, of connection: ConnectionID? = nil, _ body: @escaping () -> Void) {
        guard markets[market].isEvicted else { return body() }
        restore(market)
        restoring.add(market, of: connection, body)
    }

    /// The same for what is no reason to restore it: at once, unless others wait.
    func afterRestore(_ market: Int, of connection: ConnectionID, _ body: @escaping () -> Void) {
        if restoring.holds(market) { restoring.add(market, of: connection, body) } else { body() }
    }

    /// What is stored of a market is in memory again.
    /// - Parameter isWhole: it could be read.
    func restored(_ market: Int, isWhole: Bool = true) {
        guard markets[market].isEvicted else { return }
        markets[market].restored(isWhole: isWhole)
        for body in restoring.end(market) { body() }
    }

    func forget(_ connection: ConnectionID) { restoring.forget(connection) }

    /// How many of these markets have no past in memory.
    func evicted(_ range: Range<Int>) -> Int { range.count { markets[$0].isEvicted } }

    /// Ticks that a market has had.
    func ticks(_ market: Int) -> Int { markets[market].ticks }
}
