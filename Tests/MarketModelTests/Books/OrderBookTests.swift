import Testing

@testable import MarketModel

/// The plainest book there is: prices in hundredths and what is there.
private struct PlainBook {
    var sides: [BookSide: [Int: BookDecimal]] = [.bid: [:], .ask: [:]]

    mutating func set(_ side: BookSide, _ price: Int, _ size: BookDecimal) {
        sides[side]![price] = size.isZero ? nil : size
    }

    func levels(_ side: BookSide) -> [BookLevel] {
        sides[side]!.sorted { side == .bid ? $0.key > $1.key : $0.key < $1.key }
            .map { BookLevel(price: BookDecimal(units: Int64($0.key), decimals: 2), size: $0.value) }
    }

    /// In ten thousandths, as all sizes are.
    func sum(_ side: BookSide, best count: Int) -> BookDecimal {
        var units: Int64 = 0
        for level in levels(side).prefix(count) {
            units += level.size.units * BookDecimal.powerOfTen(4 - Int(level.size.decimals))
        }
        return BookDecimal(units: units, decimals: 4)
    }

    mutating func cut(to depth: Int) {
        for side in BookSide.allCases {
            sides[side] = Dictionary(
                uniqueKeysWithValues: sides[side]!.sorted { side == .bid ? $0.key > $1.key : $0.key < $1.key }.prefix(
                    depth
                )
                .map { ($0.key, $0.value) })
        }
    }
}

@Suite("Order books")
struct OrderBookTests {
    static func levels(_ book: OrderBook, _ side: BookSide) -> [BookLevel] {
        var levels: [BookLevel] = []
        book.forEachLevel(side) { level in
            levels.append(level)
            return true
        }
        return levels
    }

    @Test(
        "any changes in any order leave what a plain table has, best first",
        arguments: (1...24).map { ($0, [12, 300, 5000, 100_000][$0 % 4]) })
    func matchesPlainTable(seed: Int, prices: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var book = OrderBook()
        var plain = PlainBook()
        for step in 0..<6000 {
            let side: BookSide = Bool.random(using: &generator) ? .bid : .ask
            let price = Int.random(in: 0..<prices, using: &generator)
            let isRemoval = Int.random(in: 0..<100, using: &generator) < 45
            let size =
                isRemoval
                ? .zero
                : BookDecimal(
                    units: Int64.random(in: 1...1000, using: &generator),
                    decimals: .random(in: 0...4, using: &generator))
            book.set(side, price: BookDecimal(units: Int64(price), decimals: 2), size: size)
            plain.set(side, price, size)
            if Int.random(in: 0..<1500, using: &generator) == 0 {
                let depth = Int.random(in: 0..<prices / 2, using: &generator)
                book.cut(to: depth)
                plain.cut(to: depth)
            }
            guard step % 197 == 0 || step == 5999 else { continue }
            for side in BookSide.allCases {
                let expected = plain.levels(side)
                #expect(Self.levels(book, side) == expected, "seed \(seed), step \(step)")
                #expect(book.count(side) == expected.count && book.best(side) == expected.first)
                let index = Int.random(in: 0...max(1, expected.count), using: &generator)
                #expect(book.level(side, index) == (index < expected.count ? expected[index] : nil))
                for level in expected.prefix(3) { #expect(book.size(side, at: level.price) == level.size) }
                let count = Int.random(in: 0...20, using: &generator)
                let sum = plain.sum(side, best: count)
                #expect(book.size(side, best: count) == sum)
                if let last = expected.prefix(count).last { #expect(book.size(side, through: last.price) == sum) }
            }
        }
    }

    @Test("ten thousand levels that go away from the best, or from the worst, leave nothing behind")
    func drains() {
        for fromBest in [true, false] {
            var book = OrderBook()
            for price in 1...10_000 {
                book.set(.bid, price: BookDecimal(units: Int64(price), decimals: 1), size: BookDecimal("1")!)
            }
            for step in 1...10_000 {
                let price = fromBest ? 10_001 - step : step
                book.set(.bid, price: BookDecimal(units: Int64(price), decimals: 1), size: .zero)
                let best = fromBest ? price - 1 : 10_000
                #expect(book.bestBid?.price == (step == 10_000 ? nil : BookDecimal(units: Int64(best), decimals: 1)))
            }
            #expect(book.isEmpty)
        }
    }

    @Test("prices with more digits than those before are compared exactly with them")
    func refines() {
        var book = OrderBook()
        for price in ["5", "5.5", "5.25", "0.00000012", "5.250000001", "100000"] {
            book.set(.ask, price: BookDecimal(price)!, size: BookDecimal("2.50")!)
        }
        let prices = Self.levels(book, .ask).map(\.price.description)
        #expect(prices == ["0.00000012", "5", "5.25", "5.250000001", "5.5", "100000"])
        #expect(book.size(.ask, at: BookDecimal("5.50")!)?.description == "2.50", "as it was written")
        book.set(.ask, price: BookDecimal("5.250")!, size: .zero)
        #expect(book.count(.ask) == 5)
        book.set(.ask, price: BookDecimal("7.123456789012")!, size: .zero)
        #expect(book.count(.ask) == 5, "what is not there can be removed")
    }

    @Test("a size below zero, and a price that cannot be compared with the others, are refused and change nothing")
    func refuses() {
        var book = OrderBook()
        book.set(.bid, price: BookDecimal("900000000000")!, size: BookDecimal("1")!)
        #expect(book.set(.bid, price: BookDecimal("1")!, size: BookDecimal("-1")!) == .negativeSize)
        #expect(book.set(.ask, price: BookDecimal("0.00000000001")!, size: BookDecimal("1")!) == .outOfRange)
        #expect(Self.levels(book, .bid).map(\.price.description) == ["900000000000"] && book.count(.ask) == 0)
        book.removeAll()
        book.set(.ask, price: BookDecimal("0.00000000001")!, size: BookDecimal("1")!)
        #expect(book.bestAsk?.price.description == "0.00000000001")
    }

    @Test("a book is crossed where its best bid is at or above its best ask")
    func crossed() {
        var book = OrderBook()
        book.set(.bid, price: BookDecimal("10.1")!, size: BookDecimal("1")!)
        #expect(!book.isCrossed)
        book.set(.ask, price: BookDecimal("10.11")!, size: BookDecimal("1")!)
        #expect(!book.isCrossed)
        book.set(.bid, price: BookDecimal("10.110")!, size: BookDecimal("1")!)
        #expect(book.isCrossed)
        book.set(.bid, price: BookDecimal("10.11")!, size: .zero)
        #expect(!book.isCrossed && book.bestBid?.price == BookDecimal("10.1"))
        book.removeAll(.ask)
        #expect(book.bestAsk == nil && book.count(.bid) == 1)
    }

    @Test("sums of any sizes are exact as far as 18 digits go, and never too small beyond")
    func sums() {
        var book = OrderBook()
        for (price, size) in [("1", "0.1"), ("2", "0.2"), ("3", "0.000000000000000001"), ("4", "1000000")] {
            book.set(.ask, price: BookDecimal(price)!, size: BookDecimal(size)!)
        }
        #expect(book.size(.ask, best: 2).description == "0.3")
        #expect(book.size(.ask, best: 3).description == "0.300000000000000001")
        #expect(book.size(.ask, best: 9).description == "1000000.3")
        for price in 5..<30 {
            book.set(.ask, price: BookDecimal("\(price)")!, size: BookDecimal("9000000000000000000")!)
        }
        #expect(book.size(.ask, best: 99) == BookDecimal(units: .max, decimals: 0))
    }

    @Test("orders one by one make the levels that they are together")
    func orders() {
        var book = OrderBook()
        var orders = BookOrders()
        func set(_ number: UInt64, _ side: BookSide, _ price: String, _ size: String) {
            orders.set(number, side, price: BookDecimal(price)!, size: BookDecimal(size)!, in: &book)
        }
        set(1, .bid, "10", "0.5")
        set(2, .bid, "10", "0.25")
        set(3, .bid, "9", "1")
        #expect(book.size(.bid, at: BookDecimal("10")!)?.description == "0.75")
        set(1, .bid, "9", "0.5")
        #expect(
            book.size(.bid, at: BookDecimal("9")!)?.description == "1.5" && book.bestBid?.size.description == "0.25")
        set(2, .ask, "0", "0")
        #expect(book.count(.bid) == 1 && orders.count == 2)
        set(7, .bid, "10", "0")
        #expect(book.bestBid?.price.description == "9")
    }
}
