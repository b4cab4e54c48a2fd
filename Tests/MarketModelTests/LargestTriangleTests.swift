import MarketModel
import TestKit
import Testing

@Suite("fewer points of the same shape")
struct LargestTriangleTests {
    @Test("a small line, worked out by hand")
    func byHand() {
        // Buckets {1, 2} and {3, 4}. Twice the triangles: from (0, 0) with the mean (3.5, 1) they are 34 and 1.5, from
        // (1, 10) with the last point 4 and 18.
        #expect(LargestTriangle.indices([0, 1, 2, 3, 4, 5], [0, 10, 1, 4, -2, 0], keeping: 4) == [0, 1, 4, 5])
    }

    @Test("as many as requested, the ends among them, ascending", arguments: [3, 4, 10, 100, 999, 1000])
    func counts(count: Int) {
        var random = SeededGenerator(seed: 47)
        let x = (0..<1000).map(Double.init)
        let y = x.map { _ in Double.random(in: 0...100, using: &random) }
        let kept = LargestTriangle.indices(x, y, keeping: count)
        #expect(kept.count == count && kept.first == 0 && kept.last == 999)
        #expect(zip(kept, kept.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("10,000 points become 1,000 and a lonely peak stays")
    func peak() {
        let x = (0..<10_000).map(Double.init)
        var y = x.map { $0.truncatingRemainder(dividingBy: 7) }
        y[6543] = 500
        y[1234] = -500
        let kept = LargestTriangle.indices(x, y, keeping: 1000)
        #expect(kept.count == 1000 && kept.contains(6543) && kept.contains(1234))
    }

    @Test("few points, none, and numbers that are none")
    func edges() {
        #expect(LargestTriangle.indices([], [], keeping: 5).isEmpty)
        #expect(LargestTriangle.indices([1, 2], [3, 4], keeping: 5) == [0, 1])
        #expect(LargestTriangle.indices([1, 2, 3], [3, 4, 5], keeping: 2) == [0, 2])
        #expect(LargestTriangle.indices([1, 2, 3], [3, 4, 5], keeping: 1) == [0])
        #expect(LargestTriangle.indices([1, 2, 3], [3, 4, 5], keeping: -1).isEmpty)
        let x = (0..<100).map(Double.init)
        for hostile in [Double.nan, .infinity, -.infinity, 1e308] {
            var y = x
            y[50] = hostile
            #expect(LargestTriangle.indices(x, y, keeping: 10).count == 10)
        }
    }
}
