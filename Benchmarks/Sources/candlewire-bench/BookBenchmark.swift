import MarketModel

/// Changes a second of a book with ten thousand levels a side: sizes and removals anywhere, and those of a market, near the
/// best prices.
enum BookBenchmark {
    private struct Change {
        var side: BookSide
        var price: BookDecimal
        var size: BookDecimal
    }

    private static let middle: Int64 = 1_000_000
    private static let levels: Int64 = 10_000

    static func run() {
        var generator = SeededGenerator(seed: 7)
        let cases: [(name: String, isRemoving: Bool, distance: (inout SeededGenerator) -> Int64)] = [
            ("book of 10,000 levels, sizes anywhere", false, { 1 + Int64($0.unit() * Double(levels)) }),
            (
                "book of 10,000 levels, levels that come and go anywhere", true,
                { 1 + Int64($0.unit() * Double(2 * levels)) }
            ),
            ("book of 10,000 levels, near the best prices", true, { 1 + Int64($0.exponential() * 20) }),
        ]
        for (name, isRemoving, distance) in cases {
            var book = OrderBook()
            for number in 1...levels {
                for side in BookSide.allCases { set(&book, change(side, number, size: 123_456_789)) }
            }
            let changes = (0..<40_000).map { _ in
                let side: BookSide = generator.next() & 1 == 0 ? .bid : .ask
                let isRemoval = isRemoving && generator.next() & 1 == 0
                return change(side, distance(&generator), size: isRemoval ? 0 : 1 + Int64(generator.unit() * 1e8))
            }
            let times = Stopwatch.time { for change in changes { set(&book, change) } }
            Report.rate(name, changes.count, times, unit: "changes")
            keep(book)
        }
    }

    private static func change(_ side: BookSide, _ distance: Int64, size: Int64) -> Change {
        Change(
            side: side, price: BookDecimal(units: side == .bid ? middle - distance : middle + distance, decimals: 2),
            size: BookDecimal(units: size, decimals: 8))
    }

    private static func set(_ book: inout OrderBook, _ change: Change) {
        precondition(book.set(change.side, price: change.price, size: change.size) == nil)
    }
}
