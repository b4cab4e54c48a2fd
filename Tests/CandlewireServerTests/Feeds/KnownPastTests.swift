import MarketModel
import TestKit
import Testing

@testable import CandlewireServer

@Suite("Of which time a market's past is known")
struct KnownPastTests {
    @Test(
        "stretches are what was added without what was removed, whatever the order",
        arguments: 1...30 as ClosedRange<UInt64>)
    func stretches(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var stretches = TimeStretches()
        var points = Array(repeating: false, count: 100)
        for _ in 0..<40 {
            let start = Int(random.unit() * 99)
            let end = min(100, start + 1 + Int(random.unit() * 20))
            let isAdded = random.unit() < 0.6
            for index in start..<end { points[index] = isAdded }
            if isAdded {
                stretches.add(Double(start)..<Double(end))
            } else {
                stretches.remove(Double(start)..<Double(end))
            }
        }
        for index in points.indices {
            #expect(stretches.covers(Double(index)..<Double(index + 1)) == points[index])
        }
        let ranges = stretches.ranges
        for (one, next) in zip(ranges, ranges.dropFirst()) { #expect(one.upperBound < next.lowerBound) }
        for range in ranges { #expect(stretches.start(upTo: range.upperBound) == range.lowerBound) }
    }

    @Test("minutes that are known make known hours, those known days, and what is followed goes on")
    func coarser() {
        let day = 1_723_075_200.0
        var known = KnownPast()
        known.add(day - 7200..<day + 1800, of: .m1)
        #expect(known.stretches(of: .h1).ranges == [day - 7200..<day])
        known.add(day - 86_400..<day - 7200, of: .h1)
        #expect(known.stretches(of: .d1).ranges == [day - 86_400..<day])
        known.cameUp(at: day + 1790)
        known.cameUp(at: day + 4000)
        #expect(known.stretches(of: .m1).ranges == [day - 7200..<Double.infinity])
        #expect(known.stretches(of: .d1).covers(day + 86_400..<day + 2 * 86_400))
        known.wentDown(at: day + 9000.5)
        #expect(known.stretches(of: .m1).ranges == [day - 7200..<day + 9000])
        #expect(known.stretches(of: .d1).ranges == [day - 86_400..<day])
        known.wentDown(at: day + 20_000)
        #expect(known.stretches(of: .m1).ranges == [day - 7200..<day + 9000], "it is down already")
    }
}
