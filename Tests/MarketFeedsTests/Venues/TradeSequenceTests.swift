import TestKit
import Testing

@testable import MarketFeeds

@Suite("TradeSequence")
struct TradeSequenceTests {
    @Test("out of order is not a duplicate: a gap that fills is no longer missing")
    func disorder() {
        var sequence = TradeSequence(first: 1)
        let outcomes = ([3, 2, 4, 4, 2, 0, 5] as [UInt64]).map { sequence.accept($0) }
        #expect(
            outcomes == [
                .new(missing: 1), .filled, .new(missing: 0), .duplicate, .duplicate, .new(missing: 0),
                .new(missing: 0),
            ])
    }

    @Test("a corrupt number does not make every later trade a duplicate")
    func corrupt() {
        var sequence = TradeSequence(first: 100)
        #expect(sequence.accept(1 << 53) == .renumbered)
        #expect(sequence.accept(101) == .renumbered)
        #expect(sequence.accept(102) == .new(missing: 0))
        #expect(sequence.accept(102) == .duplicate)
    }

    @Test("any order within the window: each trade counts once", arguments: 1...20)
    func anyOrder(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let ids = (5000..<9000).map { ($0, $0 + Int.random(in: 0..<400, using: &generator)) }.sorted { $0.1 < $1.1 }
            .map(\.0)
        var sequence = TradeSequence(first: UInt64(ids[0]))
        var missing = 0
        for id in ids.dropFirst() {
            switch sequence.accept(UInt64(id)) {
            case .new(let skipped): missing += skipped
            case .filled: missing -= 1
            case .duplicate, .renumbered, .ignored: Issue.record("\(id) came once")
            }
        }
        #expect(missing == 0)
        for id in ids.suffix(500) { #expect(sequence.accept(UInt64(id)) == .duplicate) }
    }

    @Test("numbers from both ends of their range, in any order, overflow nothing", arguments: 1...20)
    func ends(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let ids: [UInt64] = [0, 1, 2, 1 << 53, 1 << 63 - 1, 1 << 63, 1 << 63 + 1, .max - 1, .max]
        var sequence = TradeSequence(first: ids.randomElement(using: &generator)!)
        for _ in 0..<1000 {
            let id = ids.randomElement(using: &generator)!
            let more = Bool.random(using: &generator) ? sequence.expect(id) : 0
            #expect((0...1_000_000).contains(more))
            if case .new(let missing) = sequence.accept(id) { #expect((0..<1_000_000).contains(missing)) }
            #expect(sequence.accept(id) == .duplicate)
        }
    }

    @Test("what a heartbeat knows of is missing until it comes")
    func expected() {
        var sequence = TradeSequence(first: 10)
        let missing = ([10, 12, 9] as [UInt64]).map { sequence.expect($0) }
        #expect(missing == [0, 2, 0])
        #expect(sequence.accept(12) == .filled)
        #expect(sequence.accept(11) == .filled)
        #expect(sequence.accept(11) == .duplicate)
        #expect(sequence.expect(.max) == 0)
        #expect(sequence.accept(13) == .new(missing: 0))
    }
}
