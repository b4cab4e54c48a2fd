import MarketModel
import Testing

@testable import TradingCore

@Suite("Tables of numbers")
struct NumberedTableTests {
    @Test("a table does what a dictionary does", arguments: [UInt64(1), 2, 3, 4])
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var table = NumberedTable<Int>()
        var dictionary: [Int: Int] = [:]
        var last = 0
        for step in 0..<20_000 {
            // Mostly the next number, as orders come; now and then one far away.
            last += Int.random(in: 0..<20, using: &random) == 0 ? Int.random(in: 1...5000, using: &random) : 1
            if Int.random(in: 0..<3, using: &random) > 0 {
                table[last] = step
                dictionary[last] = step
            }
            let old = max(1, last - Int.random(in: 0..<300, using: &random))
            #expect(table[old] == dictionary[old])
            if Int.random(in: 0..<2, using: &random) == 0 {
                table[old] = nil
                dictionary[old] = nil
            }
            #expect(table.count == dictionary.count)
        }
        #expect((1...last).allSatisfy { table[$0] == dictionary[$0] })
        #expect(table.count > 1000 && !table.isEmpty)
    }

    @Test("equal contents are equal, however they came there")
    func equality() {
        var (first, second) = (NumberedTable<Int>(), NumberedTable<Int>())
        for number in 1...100 { first[number] = number }
        for number in stride(from: 100, through: 1, by: -1) { second[number] = number }
        #expect(first == second)
        second[7] = 8
        #expect(first != second)
        second[7] = nil
        #expect(first != second)
        first[7] = nil
        #expect(first == second)
    }

    @Test("numbers that no order has are not there, and cannot be put there")
    func noOrders() {
        var table = NumberedTable<Int>()
        #expect(table[1] == nil && table[0] == nil && table[-1] == nil && table[.max] == nil)
        table[1] = 5
        table[0] = 6
        #expect(table[0] == nil && table[-1] == nil && table[.min] == nil && table[17] == nil)
        #expect(table[1] == 5 && table.count == 1)
    }
}
