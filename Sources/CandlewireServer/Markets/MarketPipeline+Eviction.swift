import MarketModel

/// Markets that have no readers and do not trade keep the bars that are open, and not their past: that is in the store.
///
/// The open bars stay as they are, so the next trade continues them at once, whatever the store does; what it needs the past
/// for waits until that is back. Where it cannot be read, readers get what there is, and fetched candles go on waiting.
extension MarketPipeline {
    /// Lets go of a market's past, unless it is just coming back.
    /// - Returns: whether it did.
    func evict(_ market: Int) -> Bool {
        guard !markets[market].isEvicted else { return false }
        changed(market)
        let isStudied = registry.listed.count <= MarketDigest.studiedMarkets
        markets[market].evict(minutes: isStudied ? MarketDigest.studiedMinutes : 1)
        return true
    }

    func isEvicted(_ market: Int) -> Bool { markets[market].isEvicted }

    /// Requests a market's past, where it is not in memory.
    func restore(_ market: Int) { if markets[market].isEvicted, restoring.begin(market) { requestPast(market) } }

    /// Requests again the pasts of these markets that could not be had.
    func retryRestoring(_ markets: Range<Int>) { for market in restoring.retryFailed(markets) { requestPast(market) } }

    /// Whether a connection waits for a market's past.
    func isAwaited(_ market: Int) -> Bool { restoring.isAwaited(market) }

    /// Does something at once, or as soon as the market's past is in memory, or cannot be had for the time being.
    /// - Parameters:
    ///   - connection: for whom; `forget` undoes it.
    ///   - body: gets whether the past is there.
    func whenRestored(_ market: Int, of connection: ConnectionID? = nil, _ body: @escaping (_ isWhole: Bool) -> Void) {
        guard markets[market].isEvicted else { return body(true) }
        guard !restoring.hasFailed(market) else { return body(false) }
        let isNew = restoring.begin(market)
        restoring.add(market, of: connection, body)
        if isNew { requestPast(market) }
    }

    /// Does something at once, or as soon as the market's past is in memory, however many attempts that needs.
    func onceRestored(_ market: Int, _ body: @escaping () -> Void) {
        guard markets[market].isEvicted else { return body() }
        restoring.addUntilRestored(market, body)
        restore(market)
    }

    /// As `whenRestored`, for what is no reason to restore it: at once, unless others wait.
    func afterRestore(_ market: Int, of connection: ConnectionID, _ body: @escaping () -> Void) {
        if restoring.holds(market) { restoring.add(market, of: connection) { _ in body() } } else { body() }
    }

    /// An attempt to bring a market's past back is over.
    /// - Parameter isWhole: it could be read; else what was read of it is in place, and the market counts as evicted.
    func restored(_ market: Int, isWhole: Bool = true) {
        guard markets[market].isEvicted else { return }
        changed(market)
        if isWhole { markets[market].restored() }
        let (bodies, hadFailed) = restoring.end(market, isWhole: isWhole)
        // Who came meanwhile was shown what there was.
        if isWhole, hadFailed { restartStreams(market) }
        for body in bodies { body(isWhole) }
    }

    func forget(_ connection: ConnectionID) { restoring.forget(connection) }

    /// How many of these markets have no past in memory.
    func evicted(_ range: Range<Int>) -> Int { range.count { markets[$0].isEvicted } }

    /// How often a market has moved: trades, and messages with its provider's own candles of the present.
    func activity(_ market: Int) -> Int { markets[market].ticks + markets[market].ownCandles }

    private func requestPast(_ market: Int) {
        // No feed may supply it any more: it has ended.
        if !onRestore.contains(where: { $0(market) }) { restored(market, isWhole: false) }
    }
}
