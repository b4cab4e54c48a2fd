internal import MarketModel

/// A trade meets the waiting orders: takers first, in the order they came; then limit orders by price and time, buyers before
/// sellers; then the stops that it triggers.
extension PaperExchange {
    /// Orders that take from each trade what is left of it, at its price.
    mutating func serveTakers(_ book: Int, _ price: ExactDecimal) {
        if books[book].takers.isEmpty { return }
        let takers = books[book].takers
        books[book].takers = []
        for number in takers {
            guard let order = account.orders[number]?.order, order.status.isActive else { continue }
            if let limit = workingLimit(order), !Self.isWithin(limit, price, order.side) {
                // The market has left its limit: from now on the order waits there.
                rest(order, limit, book)
                continue
            }
            take(number)
            if isActive(number) { books[book].takers.append(number) }
        }
    }

    mutating func serveLimits(_ book: Int, _ price: ExactDecimal) {
        while hasVolume(book), let level = Self.nextLevel(&books[book].buyLimits, tickets), price <= level.price {
            if !make(level, book) { break }
        }
        while hasVolume(book), let level = Self.nextLevel(&books[book].sellLimits, tickets), price >= level.price {
            if !make(level, book) { break }
        }
    }

    /// Fills a waiting limit order at its limit.
    /// - Returns: whether the next one may be looked at.
    private mutating func make(_ level: PriceQueue.Level, _ book: Int) -> Bool {
        guard let record = account.orders[level.number] else { return false }
        let quantity = min(reducible(record), left(of: book, for: record.order))
        guard quantity.isPositive else {
            cancel(level.number, reason: "There is nothing left to reduce.")
            return !isActive(level.number)
        }
        let isFilled = fill(
            level.number, quantity, at: level.price, slippage: .zero, .maker,
            rule: "The market traded at or beyond the limit: filled at the limit.")
        return isFilled || !isActive(level.number)
    }

    private static func nextLevel(_ queue: inout PriceQueue, _ tickets: NumberedTable<Int>) -> PriceQueue.Level? {
        while let level = queue.first {
            if tickets[level.number] == level.ticket { return level }
            queue.removeFirst()
        }
        return nil
    }

    /// Trailing stops are first compared with the stop they have, and then follow the price.
    mutating func serveTrails(_ book: Int, _ price: ExactDecimal, _ double: Double) {
        for number in books[book].trails {
            guard let order = account.orders[number]?.order, order.status.isActive, !order.isTriggered else { continue }
            if let stop = order.stopPrice, Self.isTouched(stop, price, order.side) {
                trigger(order)
            } else {
                follow(order, price, double)
            }
        }
    }

    /// Moves a trailing stop where the price is better than all before.
    mutating func follow(_ order: Order<Paper>, _ price: ExactDecimal, _ double: Double) {
        guard let trail = order.trail else { return }
        if let best = trailBest[order.id.number], order.side == .sell ? double <= best : double >= best { return }
        trailBest[order.id.number] = double
        guard let stop = trail.stop(at: price, side: order.side) else { return }
        if let old = order.stopPrice, order.side == .sell ? stop <= old : stop >= old { return }
        emit(
            .trailMoved(
                next(order) {
                    $0.stopPrice = stop
                    $0.referencePrice = stop
                }))
    }

    mutating func serveStops(_ book: Int, _ price: ExactDecimal) {
        while let level = Self.nextLevel(&books[book].buyStops, tickets), price >= level.price {
            books[book].buyStops.removeFirst()
            if let order = account.orders[level.number]?.order { trigger(order) }
        }
        while let level = Self.nextLevel(&books[book].sellStops, tickets), price <= level.price {
            books[book].sellStops.removeFirst()
            if let order = account.orders[level.number]?.order { trigger(order) }
        }
    }

    /// Between these prices no trailing stop moves or is triggered.
    func quietOfTrails(_ book: Int) -> (above: Double, below: Double) {
        var (above, below) = (-Double.infinity, Double.infinity)
        for number in books[book].trails {
            guard let order = account.orders[number]?.order, !order.isTriggered else { continue }
            guard let best = trailBest[number], let stop = order.stopPrice?.doubleValue else {
                return (.infinity, -.infinity)
            }
            if order.side == .sell {
                above = max(above, stop)
                below = min(below, best.nextUp)
            } else {
                below = min(below, stop)
                above = max(above, best.nextDown)
            }
        }
        return (above, below)
    }

    /// Whether a price is the limit or better.
    static func isWithin(_ limit: ExactDecimal, _ price: ExactDecimal, _ side: Side) -> Bool {
        side == .buy ? price <= limit : price >= limit
    }

    /// Whether a price is the stop or beyond.
    static func isTouched(_ stop: ExactDecimal, _ price: ExactDecimal, _ side: Side) -> Bool {
        side == .buy ? price >= stop : price <= stop
    }
}

extension Trail {
    /// Where the stop is when the best price is this one, to 8 decimals and never further away than asked for; `nil` where
    /// the distance is as large as the price.
    func stop(at best: ExactDecimal, side: Side) -> ExactDecimal? {
        let isBuy = side == .buy
        guard
            let distance: ExactDecimal = {
                switch self {
                case .amount(let amount): amount
                case .percent(let percent): try? best.multiplied(by: percent, over: 100)
                }
            }(), let stop = try? best + (isBuy ? distance : -distance),
            let rounded = try? stop.rounded(decimals: 8, rounding: isBuy ? .floor : .ceiling), rounded.isPositive
        else { return nil }
        return rounded
    }
}
