import Logging
import MarketModel
import TradingCore

extension TradingDesk: MarketObserver {
    var maxLeverage: Int { options.settings.maxLeverage }

    /// The way of a tick: market, then positions, then balances, all in one step.
    func market(_ market: Int, traded tick: Tick, now time: Double) {
        feedTime = max(feedTime, time)
        latest[market] = tick
        if let age = pulse.recordTick(market, now: pulseTime) {
            let symbol = registry.markets[market].symbol
            report(.system, symbol, "\(symbol) resumed trading after \(Int(age)) seconds.")
        }
        guard canTrade else { return }
        let now = now
        for account in accounts {
            account.exchange.ingest(market: account.markets[market], tick, now: now)
            commit(account)
        }
    }

    func market(_ market: Int, finished bars: [Bar]) {
        for bar in bars where bar.timeframe == .m1 {
            guard let signal = signals[market].update(with: bar.candle) else { continue }
            let symbol = registry.markets[market].symbol
            let direction = signal == .long ? "above" : "below"
            report(
                .signal, symbol,
                "\(signal.rawValue) detected: EMA \(SignalRule.shortPeriod) crossed \(direction) EMA "
                    + "\(SignalRule.longPeriod) on \(symbol) 1m",
                ["side": signal == .long ? "long" : "short", "rule": "ema_cross", "close": "\(bar.candle.close)"])
        }
    }

    func involvedMarkets() -> Set<Int> {
        var markets: Set<Int> = []
        for account in accounts {
            for symbol in account.exchange.account.involvedSymbols {
                if let market = registry.find(symbol) { markets.insert(market) }
            }
        }
        return markets
    }

    func marketPaused(_ market: Int) {
        latest[market] = nil
        // Its silence is no news.
        pulse.forget(market)
        for account in accounts { account.exchange.forgetPrice(market: account.markets[market]) }
    }

    func feedChanged(isLive: Bool) {
        pulse.expectNothing()
        isFeedLive = isLive
        report(
            .system, nil, isLive ? "The feed is connected." : "The feed has ended.", ["feed": isLive ? "live" : "ended"]
        )
    }

    func marketsRestarted() {
        signals = registry.markets.map { _ in SignalRule() }
        pulse.expectNothing()
        report(.system, nil, "The recording restarted.")
    }

    // MARK: Timers

    /// Four times a second: the end of days, orders on their way, and the readers of positions and balances.
    func turn() {
        if canTrade, options.feedStart == nil {
            let now = now
            for account in accounts {
                account.exchange.advance(to: now)
                commit(account)
            }
        }
        runWaitingCancellations()
        runCancelTimers()
        if canTrade { writeSnapshots() }
        loadPendingDemo()
        publishStates()
    }

    /// Once a second.
    func compareClocks() {
        switch options.clock.compare() {
        case .jumped(let seconds):
            logger.error(
                "the system clock jumped; the server keeps its own time until the two agree or it is restarted",
                metadata: ["seconds": "\(seconds)"])
            report(
                .system, nil, "The system clock jumped by \(Int(seconds)) seconds. The server keeps its own time.",
                ["clock": "held"])
        case .agrees:
            logger.notice("the system clock agrees with the server's time again")
            report(.system, nil, "The system clock agrees with the server's time again.", ["clock": "ok"])
        case .followed(let seconds):
            logger.warning(
                "the server's time follows the system clock, with which the venues' messages agree",
                metadata: ["seconds": "\(seconds)"])
            report(.system, nil, "The server's time was set by \(Int(seconds)) seconds.", ["clock": "ok"])
        case nil: break
        }
    }

    /// Once a second.
    func reportStaleMarkets() {
        guard isFeedLive else { return }
        for (market, age) in pulse.review(now: pulseTime) {
            let symbol = registry.markets[market].symbol
            report(.system, symbol, "\(symbol) has not traded for \(Int(age)) seconds.", ["age": "\(Int(age))"])
        }
    }
}
