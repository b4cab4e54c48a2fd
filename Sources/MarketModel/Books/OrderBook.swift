/// A side of an order book.
public enum BookSide: UInt8, Sendable, CaseIterable {
    /// Who wants to buy.
    case bid
    /// Who wants to sell.
    case ask

    public var opposite: BookSide { self == .bid ? .ask : .bid }
}

/// What is offered at one price.
public struct BookLevel: Sendable, Equatable {
    public var price: BookDecimal
    /// Of the base currency, above zero.
    public var size: BookDecimal

    public init(price: BookDecimal, size: BookDecimal) {
        self.price = price
        self.size = size
    }
}

/// Why a level cannot be in a book.
public enum BookLevelRejection: Sendable, Equatable {
    case negativeSize
    /// Its price has so many digits that it cannot be compared exactly with the others.
    case outOfRange
}

/// What is offered and wanted in a market, price by price.
///
/// ```swift
/// var book = OrderBook()
/// book.set(.bid, price: BookDecimal("64525.3")!, size: BookDecimal("0.75")!)
/// book.set(.ask, price: BookDecimal("64525.4")!, size: BookDecimal("1.2")!)
/// book.bestBid?.price                               // 64525.3
/// book.size(.ask, best: 10)                         // what the ten best asks offer together
/// ```
///
/// Prices and sizes are exact. Setting a level, and reading the best ones, take about the same time whether there are ten levels
/// or ten thousand, and allocate nothing unless the book grows.
public struct OrderBook: Sendable {
    /// In the order of `BookSide`.
    private var sides = (bids: BookLevels(), asks: BookLevels())
    /// Digits behind the point of the unit in which prices are compared: as many as the longest one has.
    private var scale = 0

    public init() {}

    // MARK: Changes

    /// Replaces what is at this price; a size of zero removes it. Removing what is not there is normal: venues do it.
    /// - Returns: why the level cannot be in the book, which then is as it was; `nil`: it is done.
    @discardableResult
    public mutating func set(_ side: BookSide, price: BookDecimal, size: BookDecimal) -> BookLevelRejection? {
        guard size.units >= 0 else { return .negativeSize }
        if price.decimals > scale, size.units > 0 { refine(to: Int(price.decimals)) }
        // What has no place among the prices is not there to be removed.
        guard let key = key(price, side) else { return size.units == 0 ? nil : .outOfRange }
        let level = BookLevels.Level(key: key, size: size, priceForm: price.form)
        // By its place and not by a branch, which would be guessed wrong half of the time.
        withUnsafeMutablePointer(to: &sides) { sides in
            sides.withMemoryRebound(to: BookLevels.self, capacity: 2) { $0[Int(side.rawValue)].set(level) }
        }
        return nil
    }

    public mutating func removeAll() {
        sides.bids.removeAll()
        sides.asks.removeAll()
        scale = 0
    }

    public mutating func removeAll(_ side: BookSide) {
        if side == .bid { sides.bids.removeAll() } else { sides.asks.removeAll() }
    }

    /// Leaves the best `depth` levels of each side: where a venue's book has only so many, it does not tell which fall out.
    public mutating func cut(to depth: Int) {
        sides.bids.cut(to: depth)
        sides.asks.cut(to: depth)
    }

    /// The price in units of the scale, of an ask with the opposite sign; `nil` where it has none.
    @inline(__always)
    private func key(_ price: BookDecimal, _ side: BookSide) -> Int64? {
        let missing = scale &- Int(price.decimals)
        guard missing >= 0, let units = BookLevels.product(price.units, BookDecimal.powerOfTen(missing)) else {
            return nil
        }
        return side == .bid ? units : 0 &- units
    }

    /// Compares prices in a finer unit, if all of them have one. Happens with a market's first prices: those with the most
    /// digits come soon.
    @inline(never)
    private mutating func refine(to decimals: Int) {
        let factor = BookDecimal.powerOfTen(decimals - scale)
        guard sides.bids.canScale(by: factor), sides.asks.canScale(by: factor) else { return }
        sides.bids.scale(by: factor)
        sides.asks.scale(by: factor)
        scale = decimals
    }

    // MARK: Best prices

    public var bestBid: BookLevel? { sides.bids.best.map { level($0, .bid) } }
    public var bestAsk: BookLevel? { sides.asks.best.map { level($0, .ask) } }

    public func best(_ side: BookSide) -> BookLevel? { side == .bid ? bestBid : bestAsk }

    /// The best bid is at or above the best ask. In a market they would have traded: the book is not as it is there.
    public var isCrossed: Bool {
        guard let bid = sides.bids.best, let ask = sides.asks.best else { return false }
        return bid.key >= 0 &- ask.key
    }

    // MARK: Levels

    /// How many levels a side has.
    public func count(_ side: BookSide) -> Int { levels(side).count }
    public var isEmpty: Bool { sides.bids.count == 0 && sides.asks.count == 0 }

    /// The level with `index` better ones; `nil` where there is none.
    public func level(_ side: BookSide, _ index: Int) -> BookLevel? { levels(side)[index].map { level($0, side) } }

    /// What is offered at this price; `nil`: nothing.
    public func size(_ side: BookSide, at price: BookDecimal) -> BookDecimal? {
        key(price, side).flatMap { levels(side).find($0) }?.size
    }

    /// Calls `body` with each level from the best on, as long as it returns true.
    public func forEachLevel(_ side: BookSide, _ body: (BookLevel) -> Bool) {
        levels(side).forEachFromBest { body(level($0, side)) }
    }

    /// What the best `count` levels of a side offer together. Exact up to 18 digits.
    public func size(_ side: BookSide, best count: Int) -> BookDecimal {
        var sum = BookSum()
        var left = count
        levels(side).forEachFromBest { level in
            guard left > 0 else { return false }
            left -= 1
            sum.add(level.size)
            return true
        }
        return sum.value
    }

    /// What a side offers at this price and all better ones. Exact up to 18 digits.
    public func size(_ side: BookSide, through price: BookDecimal) -> BookDecimal {
        var sum = BookSum()
        forEachLevel(side) { level in
            guard side == .bid ? level.price >= price : level.price <= price else { return false }
            sum.add(level.size)
            return true
        }
        return sum.value
    }

    func levels(_ side: BookSide) -> BookLevels { side == .bid ? sides.bids : sides.asks }

    func level(_ stored: BookLevels.Level, _ side: BookSide) -> BookLevel {
        BookLevel(price: price(stored, side), size: stored.size)
    }

    /// The price as it was written.
    private func price(_ stored: BookLevels.Level, _ side: BookSide) -> BookDecimal {
        let number = BookDecimal(units: side == .bid ? stored.key : 0 - stored.key, decimals: scale)
        return BookDecimal(units: number.units, decimals: number.decimals, form: stored.priceForm)
    }
}

/// Adds up sizes with different numbers of digits.
struct BookSum {
    private var units: Int128 = 0
    private var decimals = 0
    /// Beyond all that a market can hold.
    private var isTooLarge = false

    mutating func add(_ size: BookDecimal) {
        var more = Int128(size.units)
        let missing = Int(size.decimals) - decimals
        if missing > 0 {
            multiply(by: BookDecimal.powerOfTen(missing))
            decimals = Int(size.decimals)
        } else {
            more *= Int128(BookDecimal.powerOfTen(-missing))
        }
        let (sum, overflows) = units.addingReportingOverflow(more)
        units = sum
        isTooLarge = isTooLarge || overflows
    }

    private mutating func multiply(by factor: Int64) {
        let (product, overflows) = units.multipliedReportingOverflow(by: Int128(factor))
        units = product
        isTooLarge = isTooLarge || overflows
    }

    /// Rounded where 64 bits do not hold all digits; the largest number where they do not hold the whole ones.
    var value: BookDecimal {
        guard !isTooLarge else { return BookDecimal(units: .max, decimals: 0) }
        var (units, decimals) = (units, decimals)
        while units > Int128(Int64.max), decimals > 0 {
            units = (units + 5) / 10
            decimals -= 1
        }
        return BookDecimal(units: units > Int128(Int64.max) ? .max : Int64(units), decimals: decimals)
    }
}
