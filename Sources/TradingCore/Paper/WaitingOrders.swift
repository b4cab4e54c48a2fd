/// The orders that wait in the markets, by what they wait for.
///
/// An order that ends or is triggered only loses its ticket: it stays in its heap until it comes up, or until
/// ``compact(_:_:)`` finds it.
struct WaitingOrders: Sendable {
    /// An order at its price, first the one that trades first: by price, then by time.
    struct Level: Comparable, Sendable {
        var price: ExactDecimal
        /// The price as the nearest double. Rounding keeps the order of numbers, so a tick on the far side of it is on the
        /// far side of the price as well; only where they are equal the decimals decide.
        var double: Double
        /// Counts up: of two orders at a price the earlier one is first.
        var ticket: Int
        var number: Int
        var isHighestFirst: Bool

        static func < (a: Level, b: Level) -> Bool {
            a.price != b.price ? (a.price > b.price) == a.isHighestFirst : a.ticket < b.ticket
        }
    }

    private struct Market: Sendable {
        var buyLimits = BinaryHeap<Level>()
        var sellLimits = BinaryHeap<Level>()
        /// Stops that wait for their price.
        var buyStops = BinaryHeap<Level>()
        var sellStops = BinaryHeap<Level>()
        /// Orders that fill from the trades as they come, first come first.
        var takers: [Int] = []
        /// Trailing stops, first come first.
        var trailing: [Int] = []
        /// Limit orders of the random model, which are filled by chance.
        var chance: [Int] = []
    }

    private var markets: [Market] = []
    /// Where each order is in the heaps: a level with another ticket is no longer valid.
    private var tickets = NumberedTable<Int>()
    private var lastTicket = 0
    /// The best price that each trailing stop has seen; `nil` for one that waits for its first.
    private var bestPrices: [Int: Double] = [:]

    mutating func addMarket() { markets.append(Market()) }

    // MARK: Adding and removing

    /// A limit order waits at its limit, behind those that came before.
    mutating func addLimit(_ number: Int, _ side: Side, at limit: ExactDecimal, market: Int) {
        let level = level(number, limit, highestFirst: side == .buy)
        if side == .buy { markets[market].buyLimits.push(level) } else { markets[market].sellLimits.push(level) }
    }

    mutating func addStop(_ number: Int, _ side: Side, at stop: ExactDecimal, market: Int) {
        let level = level(number, stop, highestFirst: side != .buy)
        if side == .buy { markets[market].buyStops.push(level) } else { markets[market].sellStops.push(level) }
    }

    mutating func addTrailing(_ number: Int, market: Int) { markets[market].trailing.append(number) }
    mutating func addTaker(_ number: Int, market: Int) { markets[market].takers.append(number) }
    mutating func addChance(_ number: Int, market: Int) { markets[market].chance.append(number) }

    private mutating func level(_ number: Int, _ price: ExactDecimal, highestFirst: Bool) -> Level {
        lastTicket += 1
        tickets[number] = lastTicket
        return Level(
            price: price, double: price.doubleValue, ticket: lastTicket, number: number, isHighestFirst: highestFirst)
    }

    /// An order ended or was triggered.
    mutating func remove(_ number: Int) {
        tickets[number] = nil
        if !bestPrices.isEmpty { bestPrices[number] = nil }
    }

    /// Removes an order from where it waits, so that it may come to the market again.
    /// - Returns: whether it waited here.
    mutating func withdraw(_ number: Int, market: Int) -> Bool {
        guard
            tickets[number] != nil || markets[market].takers.contains(number)
                || markets[market].chance.contains(number)
        else { return false }
        tickets[number] = nil
        markets[market].takers.removeAll { $0 == number }
        markets[market].chance.removeAll { $0 == number }
        return true
    }

    // MARK: A trade's way through them

    /// Removes and returns the orders that fill from each trade.
    mutating func drainTakers(_ market: Int) -> [Int] {
        if markets[market].takers.isEmpty { return [] }
        defer { markets[market].takers = [] }
        return markets[market].takers
    }

    /// The first buy order whose limit the price has come down to.
    /// - Parameter isTouchEnough: whether the limit itself counts, and not only what is beyond it.
    mutating func firstBuyLimit(_ market: Int, at price: ExactDecimal, isTouchEnough: Bool = true) -> Level? {
        guard let level = markets[market].buyLimits.first(in: tickets) else { return nil }
        return price < level.price || (isTouchEnough && price == level.price) ? level : nil
    }

    /// The first sell order whose limit the price has come up to.
    /// - Parameter isTouchEnough: whether the limit itself counts, and not only what is beyond it.
    mutating func firstSellLimit(_ market: Int, at price: ExactDecimal, isTouchEnough: Bool = true) -> Level? {
        guard let level = markets[market].sellLimits.first(in: tickets) else { return nil }
        return price > level.price || (isTouchEnough && price == level.price) ? level : nil
    }

    /// Removes and returns the first stop that the price touches, buyers before sellers.
    mutating func popStop(_ market: Int, at price: ExactDecimal) -> Int? {
        if let level = markets[market].buyStops.first(in: tickets), price >= level.price {
            markets[market].buyStops.removeFirst()
            return level.number
        }
        if let level = markets[market].sellStops.first(in: tickets), price <= level.price {
            markets[market].sellStops.removeFirst()
            return level.number
        }
        return nil
    }

    func trailing(_ market: Int) -> [Int] { markets[market].trailing }

    /// Records a price for a trailing stop.
    /// - Returns: whether it is better than all before.
    mutating func improveBest(_ number: Int, _ side: Side, _ price: Double) -> Bool {
        if let best = bestPrices[number], side == .sell ? price <= best : price >= best { return false }
        bestPrices[number] = price
        return true
    }

    func hasChance(_ market: Int) -> Bool { !markets[market].chance.isEmpty }

    /// Removes and returns the orders that are filled by chance.
    mutating func drainChance(_ market: Int) -> [Int] {
        defer { markets[market].chance = [] }
        return markets[market].chance
    }

    // MARK: The quiet range

    /// Removes orders that no longer wait from the heads of the queues.
    mutating func compact(_ market: Int, _ account: AccountState<Paper>) {
        markets[market].buyLimits.compact(tickets)
        markets[market].sellLimits.compact(tickets)
        markets[market].buyStops.compact(tickets)
        markets[market].sellStops.compact(tickets)
        if !markets[market].takers.isEmpty {
            markets[market].takers.removeAll { account.activeRecord($0) == nil }
        }
        if !markets[market].trailing.isEmpty {
            markets[market].trailing.removeAll { account.activeRecord($0)?.order.isTriggered != false }
        }
    }

    /// Between these prices no order of a market is filled, triggered or moved.
    func quietRange(_ market: Int, _ account: AccountState<Paper>) -> (above: Double, below: Double) {
        let orders = markets[market]
        guard orders.takers.isEmpty else { return (.infinity, -.infinity) }
        var above = max(orders.buyLimits.first?.double ?? 0, orders.sellStops.first?.double ?? 0)
        var below = min(orders.sellLimits.first?.double ?? .infinity, orders.buyStops.first?.double ?? .infinity)
        for number in orders.trailing {
            guard let order = account.orders[number]?.order, !order.isTriggered else { continue }
            guard let best = bestPrices[number], let stop = order.stopPrice?.doubleValue else {
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
}

extension BinaryHeap<WaitingOrders.Level> {
    /// The first level that is still valid.
    fileprivate mutating func first(in tickets: NumberedTable<Int>) -> Element? {
        while let level = first {
            if tickets[level.number] == level.ticket { return level }
            removeFirst()
        }
        return nil
    }

    fileprivate mutating func compact(_ tickets: NumberedTable<Int>) {
        _ = first(in: tickets)
        // Cancelled orders deep in the heap: at most as many as there are others.
        if count > 64, count > 2 * tickets.count { keep { tickets[$0.number] == $0.ticket } }
    }
}
