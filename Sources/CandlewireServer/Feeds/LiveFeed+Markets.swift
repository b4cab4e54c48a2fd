import MarketFeeds
import MarketModel
import NIOCore
import StreamCore

/// What a venue says to the first request for a market's trades.
enum AddedMarketAnswer: Sendable, Equatable {
    case live
    case refused(String)
    /// Nothing yet: the venue is not connected, or slow. The request is repeated.
    case pending
}

/// Markets that are added and removed while the feed runs: on the connections that it has, where they have room.
extension LiveFeed.Runner {
    /// Seconds to wait for the venue's answer.
    static let answerTime = 10.0

    /// Requests a market's trades.
    /// - Parameters:
    ///   - market: one of `numbers`.
    ///   - then: called once, with the venue's answer.
    func add(_ symbol: String, market: Int, limit: Int, then: @escaping (AddedMarketAnswer) -> Void) {
        gone.remove(market)
        setFetched(true, symbol, market)
        load([market])
        sessionPrices?.added(market)
        _ = pauses?.demand(market - numbers.lowerBound, now: core.clock())
        guard isOn else {
            follow(symbol, market: market, limit: limit)
            pipeline.setFeed(.off, ofMarket: market)
            return then(.pending)
        }
        awaited[market] = then
        pipeline.setFeed(.connecting, ofMarket: market)
        follow(symbol, market: market, limit: limit)
        core.loop.run(after: Self.answerTime) { [weak self] in self?.awaited.removeValue(forKey: market)?(.pending) }
    }

    private func follow(_ symbol: String, market: Int, limit: Int) {
        if let (link, number) = place(of: market) {
            if isOn { link.connection.setWanted(number, true) }
            return
        }
        guard let roomy = connections.firstIndex(where: { $0.connection.session.symbolCount < limit }) else {
            connect([symbol], markets: [market])
            if !isOn, let link = connections.last { drop(0, link) }
            return
        }
        let session = connections[roomy].connection.session.venueSession
        // Known before it is requested: the answer may come at once.
        let number = session.symbols.find(symbol) ?? session.symbols.count
        while connections[roomy].markets.count <= number { connections[roomy].markets.append(-1) }
        connections[roomy].markets[number] = market
        connections[roomy].connection.add(symbol)
        if !isOn { drop(number, connections[roomy]) }
    }

    /// Ends a request for trades, and the connection with the last one: venues cut those without any.
    private func drop(_ symbol: Int, _ link: Link) {
        let closesUnwanted = link.connection.session.closesUnwanted
        link.connection.session.closesUnwanted = true
        link.connection.setWanted(symbol, false)
        link.connection.session.closesUnwanted = closesUnwanted
    }

    /// Requests a market's trades no more. The connection stays for the others.
    func remove(_ symbol: String, market: Int) {
        gone.insert(market)
        setFetched(false, symbol, market)
        if let (link, number) = place(of: market) { drop(number, link) }
        awaited.removeValue(forKey: market)?(.pending)
        pipeline.setFeed(.paused, ofMarket: market)
    }

    // MARK: On and off

    /// Closes the connections, or opens them again. What is missed meanwhile is an outage to the history plan.
    func setOn(_ isOn: Bool) {
        guard isOn != self.isOn else { return }
        self.isOn = isOn
        for link in connections {
            for (symbol, market) in link.markets.enumerated() where market >= 0 && !gone.contains(market) {
                guard isOn else {
                    // Its interruption is reported on the way, and the state comes after.
                    drop(symbol, link)
                    pipeline.setFeed(.off, ofMarket: market)
                    continue
                }
                pipeline.setFeed(.connecting, ofMarket: market)
                _ = pauses?.demand(market - numbers.lowerBound, now: core.clock())
                link.connection.setWanted(symbol, true)
            }
        }
    }
}
