/// The orders of a book that comes order by order, and the levels that they make together.
public struct BookOrders: Sendable {
    private struct Order: Sendable {
        var side: BookSide
        var price: BookDecimal
        var size: BookDecimal
    }

    private var orders: [UInt64: Order] = [:]

    public init() {}

    public var count: Int { orders.count }

    /// Adds an order to its level, or changes it; a size of zero removes it, whatever its price.
    /// - Returns: why its level cannot be in the book; `nil`: it is done.
    @discardableResult
    public mutating func set(
        _ number: UInt64, _ side: BookSide, price: BookDecimal, size: BookDecimal, in book: inout OrderBook
    ) -> BookLevelRejection? {
        if let old = orders.removeValue(forKey: number) {
            book.set(old.side, price: old.price, size: sum(at: old.price, old.side))
        }
        guard !size.isZero else { return nil }
        guard !size.isNegative else { return .negativeSize }
        orders[number] = Order(side: side, price: price, size: size)
        return book.set(side, price: price, size: sum(at: price, side))
    }

    /// What all orders at a price have: added up anew, so that no rounding stays.
    private func sum(at price: BookDecimal, _ side: BookSide) -> BookDecimal {
        var sum = BookSum()
        for order in orders.values where order.side == side && order.price == price { sum.add(order.size) }
        return sum.value
    }

    /// The checksum over the best orders, by price and then by number: their numbers stand where the prices of levels do.
    /// - Parameter rule: alternating.
    public func checksum(_ rule: BookChecksum) -> UInt32 {
        let bids = best(.bid, rule.levels)
        let asks = best(.ask, rule.levels)
        var sum = CRC32()
        var isFirst = true
        func add(_ order: (number: UInt64, size: BookDecimal), isNegative: Bool) {
            if !isFirst { sum.add(UInt8(ascii: ":")) }
            isFirst = false
            for byte in String(order.number).utf8 { sum.add(byte) }
            sum.add(UInt8(ascii: ":"))
            if isNegative { sum.add(UInt8(ascii: "-")) }
            order.size.forEachByte { sum.add($0) }
        }
        for index in 0..<max(bids.count, asks.count) {
            if index < bids.count { add(bids[index], isNegative: false) }
            if index < asks.count { add(asks[index], isNegative: rule.layout == .alternating(hasNegativeAsks: true)) }
        }
        return sum.value
    }

    private func best(_ side: BookSide, _ count: Int) -> [(number: UInt64, size: BookDecimal)] {
        let sorted = orders.filter { $0.value.side == side }.sorted { one, other in
            if one.value.price == other.value.price { return one.key < other.key }
            return side == .bid ? one.value.price > other.value.price : one.value.price < other.value.price
        }
        return sorted.prefix(count).map { ($0.key, $0.value.size) }
    }
}
