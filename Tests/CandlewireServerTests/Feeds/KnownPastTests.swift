import HistoryStore
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

    @Test("the union of stretches is that of their points", arguments: 1...30 as ClosedRange<UInt64>)
    func union(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var (one, other) = (TimeStretches(), TimeStretches())
        for index in 0..<Int(random.unit() * 12) {
            let start = random.unit() * 90
            if index.isMultiple(of: 2) {
                one.add(start..<start + 5)
            } else {
                other.add(start..<start + random.unit() * 9)
            }
        }
        var expected = one
        for range in other.ranges { expected.add(range) }
        one.formUnion(other)
        #expect(one == expected)
    }

    @Test(
        "a minute is known where it was followed or fetched, and ours where it was followed alone",
        arguments: 1...20 as ClosedRange<UInt64>)
    func minutes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let day = 1_723_075_200.0
        var known = KnownPast()
        var (followed, fetched) = (Array(repeating: false, count: 400), Array(repeating: false, count: 400))
        var since: Int?
        for minute in stride(from: 5, to: 395, by: 1) {
            let time = day + Double(minute) * 60
            switch random.unit() {
            case ..<0.1:
                known.cameUp(at: time + 20)
                since = since ?? minute + 1
            case ..<0.2:
                // Up to two minutes before it was noticed.
                let losses = minute - Int(random.unit() * 3)
                known.wentDown(at: day + Double(losses) * 60 + 30)
                if let whole = since, whole < losses { for index in whole..<losses { followed[index] = true } }
                since = nil
            case ..<0.3:
                let first = max(0, minute - Int(random.unit() * 40))
                known.add(day + Double(first) * 60..<time, of: .m1)
                for index in first..<minute { fetched[index] = true }
            default: break
            }
        }
        if let since { for index in since..<400 { followed[index] = true } }
        let whole = known.stretches(of: .m1)
        let five = known.stretches(of: .m5)
        for minute in 0..<400 {
            let bucket = day + Double(minute) * 60..<day + Double(minute + 1) * 60
            #expect(whole.covers(bucket) == (followed[minute] || fetched[minute]))
            #expect(known.isOwn(.m1, bucket) == (followed[minute] && !fetched[minute]))
        }
        for start in stride(from: 0, to: 400, by: 5) {
            let bucket = day + Double(start) * 60..<day + Double(start + 5) * 60
            #expect(five.covers(bucket) == (start..<start + 5).allSatisfy { followed[$0] || fetched[$0] })
            #expect(known.isOwn(.m5, bucket) == (start..<start + 5).allSatisfy { followed[$0] && !fetched[$0] })
        }
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
