public import MarketModel

/// Trades and the time come in, and orders reach the market.
extension PaperExchange {
    /// A trade of a market, as it comes. A market that is not known yet becomes known.
    public mutating func ingest(_ symbol: String, _ tick: Tick, now: Double) {
        ingest(market: register(symbol), tick, now: now)
    }

    /// The same by the index that ``register(_:currency:)`` gave; an index that it never gave is ignored.
    /// - Complexity: O(1) where the price concerns no order and no margin, else O(log orders) for each that it does.
    @inline(__always)
    public mutating func ingest(market: Int, _ tick: Tick, now: Double) {
        guard markets.contains(market) else { return }
        if markets[market].isQuiet(tick), now < schedule.nextDue, now >= clock {
            clock = now
            markets[market].record(tick)
            if markets[market].isHeld {
                revision &+= 1
                if !markets[market].isPositionStale { reportMove(market) }
            }
            return
        }
        match(market, tick, now: now)
    }

    @inline(never)
    private mutating func reportMove(_ market: Int) { margin.positionChanged(market, &markets) }

    /// A market's trades are not seen for the time being: until the next one it has no price, and nothing fills at the one
    /// before. A market with a position or an order keeps its price.
    public mutating func forgetPrice(market: Int) {
        guard markets.contains(market), !markets[market].isHeld,
            account.activeOrders(symbol: markets[market].symbol).isEmpty
        else { return }
        markets[market].removeTrade()
    }

    /// What a market last traded at before the account was opened. Orders are priced with it; where volume is counted they
    /// fill from the trades that follow.
    package mutating func applyEarlierTrade(market: Int, _ tick: Tick, now: Double) {
        guard markets.contains(market) else { return }
        match(market, Tick(timestamp: tick.timestamp, price: tick.price, volume: 0), now: now, isEarlier: true)
    }

    /// A trade outside the quiet range, or at a time at which something is due. It meets takers first, in the order they came;
    /// then limit orders by price and time, buyers before sellers; then the stops that it triggers.
    @inline(never)
    mutating func match(_ market: Int, _ tick: Tick, now: Double, isEarlier: Bool = false) {
        advance(to: now)
        let (earlier, earlierUsed) = (markets[market].tick, markets[market].used)
        guard MarketBook.isSound(tick), let price = ExactDecimal(nearest: tick.price), price.isPositive else {
            refusedTicks += 1
            return
        }
        markets[market].record(tick)
        markets[market].applyRecalledUse()
        if markets[market].isHeld {
            let currency = margin.markets[market].currency
            margin.positionChanged(market, &markets)
            guard margin.isWithinRange(currency, account, &markets) else {
                markets[market].restore(earlier, used: earlierUsed)
                margin.positionChanged(market, &markets)
                refusedTicks += 1
                return
            }
            revision &+= 1
            margin.bandChanged(market)
            margin.requestCheck(currency)
        }
        if !isEarlier { markets[market].noteVolume() }
        markets.invalidate(market)
        matchTakers(market, price)
        matchLimits(market, price)
        matchTrailingStops(market, price)
        while let number = waiting.popStop(market, at: price) {
            if let order = account.orders[number]?.order { trigger(order) }
        }
        processArrivals()
    }

    /// Moves the time: orders on their way arrive, day orders end, and the random model draws, each at its own moment and in
    /// the order of these. Ticks and requests do this by themselves; a market without trades needs a call now and then.
    public mutating func advance(to now: Double) {
        guard now.isFinite else { return }
        var draws = 0
        while schedule.nextDue <= now {
            clock = max(clock, schedule.nextDue)
            switch schedule.popFirst() {
            case .arrival(let number): arrivals.append(number)
            case .dayEnd(let number): expire(number)
            case .draw:
                draw()
                draws += 1
                // After a long pause: so many draws without a fill mean that the chance is next to nothing.
                if draws > 10_000 { schedule.setDraw(at: .infinity) }
            case nil: break
            }
            processArrivals()
        }
        clock = max(clock, now)
        if draws > 10_000 { planDraw() }
    }

    /// Lets the orders that have come reach the market, and checks the margin, until nothing more follows.
    mutating func processArrivals() {
        var processed = 0
        repeat {
            while processed < arrivals.count {
                processed += 1
                arrive(arrivals[processed - 1])
            }
            arrivals.removeAll(keepingCapacity: true)
            processed = 0
            checkMargins()
        } while !arrivals.isEmpty
        updateQuietRanges()
    }

    /// Finds the quiet ranges anew where something changed.
    mutating func updateQuietRanges() {
        while let market = margin.popMovedBand() { markets.invalidate(market) }
        while let market = markets.popStale() {
            waiting.compact(market, account)
            markets[market].setQuietRange(
                orders: waiting.quietRange(market, account), margin: margin.markets[market].band)
        }
    }

    private mutating func expire(_ number: Int) {
        guard let order = account.activeRecord(number)?.order else { return }
        emit(.orderExpired(next(order) { ($0.status, $0.reason) = (.expired, "The day is over.") }))
    }

    // MARK: An order reaches the market

    /// An order reaches the market, new or triggered.
    private mutating func arrive(_ number: Int) {
        guard let record = account.activeRecord(number) else { return }
        let order = record.order
        let market = markets.ofHolding[record.holding]
        if order.reduceOnly, !reducible(record).isPositive {
            cancel(number, reason: "There is nothing left to reduce.")
            return
        }
        markets.invalidate(market)
        if order.type.hasTrigger, !order.isTriggered {
            waitForTrigger(order, market)
        } else if let limit = order.workingLimit {
            arrive(record, limit: limit, market)
        } else if order.timeInForce == .fok, !canFillWhole(record, market) {
            cancel(number, reason: "Not all of it could be filled at once.")
        } else {
            if markets[market].hasTrade { fillFromLatestTrade(number) }
            handleRemainder(of: number, market)
        }
    }

    private mutating func arrive(_ record: OrderRecord<Paper>, limit: ExactDecimal, _ market: Int) {
        let order = record.order
        let number = order.id.number
        let isOneShot = order.timeInForce == .ioc || order.timeInForce == .fok
        if isRandom, !isOneShot {
            waiting.addChance(number, market: market)
            if !schedule.hasDraw { planDraw() }
            return
        }
        let crosses = markets[market].price.map { order.side.isWithin(limit, $0) } ?? false
        if crosses, order.postOnly, order.status == .new {
            emit(
                .orderRejected(
                    next(order) { ($0.status, $0.reason) = (.rejected, "Post-only, and it would have traded at once.") }
                ))
        } else if crosses, order.timeInForce != .fok || canFillWhole(record, market) {
            fillFromLatestTrade(number)
            handleRemainder(of: number, market)
        } else if isOneShot {
            cancel(
                number,
                reason: order.timeInForce == .fok
                    ? "Not all of it could be filled at once." : "The market is not at its limit.")
        } else {
            rest(order, limit, market)
        }
    }

    /// What becomes of the rest of an order that has traded with the latest trade.
    private mutating func handleRemainder(of number: Int, _ market: Int) {
        guard let order = account.activeRecord(number)?.order else { return }
        switch order.timeInForce {
        case .ioc: cancel(number, reason: "Nothing more of the latest trade was left for it.")
        case .fok: cancel(number, reason: "Not all of it could be filled at once.")
        case .gtc, .day, .unknown: waiting.addTaker(number, market: market)
        }
    }

    /// A stop waits for its price. One that the price has passed already is triggered at once.
    private mutating func waitForTrigger(_ order: Order<Paper>, _ market: Int) {
        let number = order.id.number
        if order.type == .trailingStop {
            waiting.addTrailing(number, market: market)
            if let price = markets[market].price { trail(order, market, price) }
            return
        }
        guard let stop = order.stopPrice else { return }
        if let price = markets[market].price, order.side.isTouched(stop, price) {
            trigger(order)
        } else {
            waiting.addStop(number, order.side, at: stop, market: market)
        }
    }

    private mutating func trigger(_ order: Order<Paper>) {
        let number = order.id.number
        waiting.remove(number)
        if emit(.orderTriggered(next(order) { $0.isTriggered = true }), of: number) { arrivals.append(number) }
    }

    private mutating func rest(_ order: Order<Paper>, _ limit: ExactDecimal, _ market: Int) {
        waiting.addLimit(order.id.number, order.side, at: limit, market: market)
        markets.invalidate(market)
    }

    // MARK: A trade meets the waiting orders

    private mutating func matchTakers(_ market: Int, _ price: ExactDecimal) {
        for number in waiting.drainTakers(market) {
            guard let order = account.activeRecord(number)?.order else { continue }
            if let limit = order.workingLimit, !order.side.isWithin(limit, price) {
                // The market has left its limit: from now on the order waits there.
                rest(order, limit, market)
                continue
            }
            fillFromLatestTrade(number)
            if account.activeRecord(number) != nil { waiting.addTaker(number, market: market) }
        }
    }

    private mutating func matchLimits(_ market: Int, _ price: ExactDecimal) {
        let isTouchEnough = settings.fillModel != .through
        while hasVolume(market), let level = waiting.firstBuyLimit(market, at: price, isTouchEnough: isTouchEnough) {
            if !fillAtLimit(level, market) { break }
        }
        while hasVolume(market), let level = waiting.firstSellLimit(market, at: price, isTouchEnough: isTouchEnough) {
            if !fillAtLimit(level, market) { break }
        }
    }

    /// Trailing stops are first compared with the stop they have, and then trail the price.
    private mutating func matchTrailingStops(_ market: Int, _ price: ExactDecimal) {
        for number in waiting.trailing(market) {
            guard let order = account.activeRecord(number)?.order, !order.isTriggered else { continue }
            if let stop = order.stopPrice, order.side.isTouched(stop, price) {
                trigger(order)
            } else {
                trail(order, market, price)
            }
        }
    }

    /// Moves a trailing stop where the market's price is better than all before.
    mutating func trail(_ order: Order<Paper>, _ market: Int, _ price: ExactDecimal) {
        guard let trail = order.trail, waiting.improveBest(order.id.number, order.side, markets[market].tick.price),
            let stop = trail.stop(at: price, side: order.side)
        else { return }
        if let old = order.stopPrice, order.side == .sell ? stop <= old : stop >= old { return }
        emit(.trailMoved(next(order) { ($0.stopPrice, $0.referencePrice) = (stop, stop) }))
    }

    // MARK: The random model

    var isRandom: Bool { if case .random = settings.fillModel { true } else { false } }

    private mutating func planDraw() {
        guard case .random(_, let every) = settings.fillModel else { return }
        schedule.setDraw(at: max(((clock / every).rounded(.down) + 1) * every, clock.nextUp))
    }

    /// Each waiting limit order is filled whole with the model's chance, whatever the price is.
    private mutating func draw() {
        guard case .random(let chance, _) = settings.fillModel else { return }
        var isWaitedFor = false
        for market in 0..<markets.count where waiting.hasChance(market) {
            for number in waiting.drainChance(market) {
                guard let record = account.activeRecord(number), let limit = record.order.workingLimit else { continue }
                if generator.unit() < chance {
                    fill(
                        number, reducible(record), at: limit, slippage: .zero, .maker,
                        rule: "Chosen by chance: filled at its limit, whatever the market's price was.")
                }
                if account.activeRecord(number) != nil { waiting.addChance(number, market: market) }
            }
            isWaitedFor = isWaitedFor || waiting.hasChance(market)
        }
        if isWaitedFor { planDraw() }
    }
}

extension Side {
    /// Whether a price is the limit or better.
    func isWithin(_ limit: ExactDecimal, _ price: ExactDecimal) -> Bool {
        self == .buy ? price <= limit : price >= limit
    }

    /// Whether a price is the stop or beyond.
    func isTouched(_ stop: ExactDecimal, _ price: ExactDecimal) -> Bool {
        self == .buy ? price >= stop : price <= stop
    }
}

extension Order {
    /// The limit that the order trades by; `nil` for one that trades at any price.
    var workingLimit: ExactDecimal? { type.hasLimit ? limitPrice : nil }
}
