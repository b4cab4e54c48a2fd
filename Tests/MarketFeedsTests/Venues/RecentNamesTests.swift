import TestKit
import Testing

@testable import MarketFeeds

@Suite("RecentNames")
struct RecentNamesTests {
    /// The same, as plainly as it can be said.
    private struct Model {
        var names: [UInt64] = []

        mutating func insert(_ id: UInt64) -> Bool {
            guard !names.contains(id) else { return false }
            names.append(id)
            if names.count > 1024 { names.removeFirst() }
            return true
        }
    }

    @Test("of numbers that only differ, the last 1,024 are known")
    func last() {
        var names = RecentNames()
        for id in 0..<3000 as Range<UInt64> {
            let twice = [names.insert(id), names.insert(id)]
            #expect(twice == [true, false])
        }
        let edge = [names.insert(3000 - 1024), names.insert(3000 - 1025)]
        #expect(edge == [false, true])
    }

    /// Whatever the numbers are: growing as venues', the same with some late, far apart as names' are, few, or made so that many belong into one slot.
    @Test(
        "those are known that came last, whatever they are",
        arguments: ["growing", "late", "apart", "few", "one slot"], 1...3)
    func model(kind: String, seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        // Its inverse modulo 2^64: the products' highest bits are then what we like.
        var inverse: UInt64 = 1
        for _ in 0..<6 { inverse = inverse &* (2 &- 0x9E37_79B9_7F4A_7C15 &* inverse) }
        var (names, model) = (RecentNames(), Model())
        for number in 0..<5000 as Range<UInt64> {
            let id: UInt64 =
                switch kind {
                // Repeated at once, or after a while.
                case "growing":
                    number * 3 / 4 - (number % 7 == 0 ? min(number / 2, .random(in: 0...1100, using: &generator)) : 0)
                case "late": 670_000_000 + number * 2 - (number % 1500 == 1499 ? 999 : number % 2)
                case "apart": UInt64.random(in: 0...50, using: &generator) == 0 ? number : generator.next()
                case "few": UInt64.random(in: 0..<1100, using: &generator)
                default: (UInt64.random(in: 0..<3, using: &generator) << 48 | number) &* inverse
                }
            let (isNew, expected) = (names.insert(id), model.insert(id))
            // An expectation for each of so many would take longer than what it is about.
            guard isNew == expected else {
                Issue.record("name \(number), \(id): new \(isNew), not \(expected)")
                return
            }
        }
    }
}
