import NIOCore
import Testing

@testable import TestKit

@Suite("One direction of a chaos proxy")
struct ChaosLaneTests {
    var generator = SeededGenerator(seed: 21)
    var lane = ChaosLane()

    private mutating func accept(_ count: Int, _ settings: ChaosSettings, now: Double = 0) {
        lane.accept(ByteBuffer(repeating: 0x61, count: count), settings, now: now, using: &generator)
    }

    private mutating func released(_ now: Double, throttle: Int? = nil) -> Int {
        lane.release(now: now, throttle: throttle).reduce(0) { $0 + $1.readableBytes }
    }

    @Test("without faults everything is due at once")
    mutating func calm() {
        accept(100, .calm)
        #expect(lane.nextRelease(now: 0, throttle: nil) == 0)
        #expect(released(0) == 100)
        #expect(lane.isEmpty)
        #expect(lane.nextRelease(now: 0, throttle: nil) == nil)
    }

    @Test("a delay is kept to the byte")
    mutating func delay() {
        let settings = ChaosSettings(delay: 0.5)
        accept(10, settings, now: 1)
        accept(20, settings, now: 1.2)
        #expect(released(1.49) == 0)
        #expect(lane.nextRelease(now: 1.49, throttle: nil) == 1.5)
        #expect(released(1.5) == 10)
        #expect(released(1.7) == 20)
        #expect(lane.held == 0)
    }

    @Test("jitter delays within its bounds and never changes the order")
    mutating func jitter() {
        let settings = ChaosSettings(delay: 0.1, jitter: 0.2)
        var arrivals: [Double] = []
        for index in 0..<200 {
            let now = Double(index) * 0.01
            lane.accept(ByteBuffer(integer: UInt32(index)), settings, now: now, using: &generator)
        }
        var seen: [UInt32] = []
        for step in 0..<4000 {
            let now = Double(step) * 0.001
            for piece in lane.release(now: now, throttle: nil) {
                seen.append(piece.getInteger(at: piece.readerIndex, as: UInt32.self)!)
                arrivals.append(now)
            }
        }
        #expect(seen == Array(0..<200))
        let delays = arrivals.enumerated().map { $1 - Double($0) * 0.01 }
        #expect(delays.allSatisfy { $0 >= 0.0999 && $0 <= 0.302 })
        #expect(delays.max()! - delays.min()! > 0.05)
    }

    @Test("a throttle lets its rate through, in small pieces", arguments: [1, 100, 20_000, 10_000_000])
    mutating func throttle(rate: Int) {
        let settings = ChaosSettings(throttle: rate)
        let total = rate * 3
        accept(total, settings)
        var now = 0.0
        var got = 0
        var times = 0
        while got < total {
            guard let due = lane.nextRelease(now: now, throttle: rate) else { break }
            now = max(now, due)
            got += released(now, throttle: rate)
            times += 1
        }
        #expect(got == total)
        // The first twentieth of a second (at least one byte) is free.
        #expect((2.0...3.1).contains(now), "\(now)")
        #expect(times <= 70, "\(times) steps")
    }

    @Test("after so many bytes it is cut, exactly")
    mutating func cutAfter() {
        let settings = ChaosSettings(cutAfter: 150)
        accept(100, settings)
        #expect(lane.ending == nil)
        accept(100, settings)
        #expect(lane.ending == .cut)
        accept(100, settings)
        #expect(released(0) == 150)
        #expect(lane.discarded == 150)
    }

    @Test("a limit that lies behind already ends it at once")
    mutating func limitBehind() {
        accept(100, .calm)
        accept(10, ChaosSettings(halfOpenAfter: 50))
        #expect(lane.ending == .halfOpen)
        #expect(released(0) == 100)
    }

    @Test("a drop comes as often as configured, somewhere inside the chunk")
    mutating func drop() {
        var lengths: Set<Int> = []
        var cuts = 0
        for _ in 0..<10_000 {
            lane = ChaosLane()
            accept(100, ChaosSettings(drop: 0.1))
            guard lane.ending == .cut else { continue }
            cuts += 1
            lengths.insert(lane.accepted)
        }
        #expect((900...1100).contains(cuts), "\(cuts)")
        #expect(lengths.count > 90)
        #expect(lengths.contains(0) && lengths.contains(100))
    }

    @Test("corrupted bytes are as many as configured, and each is another one", arguments: [0.00001, 0.01, 0.5, 1])
    mutating func corrupt(chance: Double) {
        let total = 200_000
        accept(total, ChaosSettings(corrupt: chance))
        let bytes = lane.release(now: 0, throttle: nil).flatMap { Array($0.readableBytesView) }
        let changed = bytes.count { $0 != 0x61 }
        #expect(bytes.count == total)
        #expect(changed == lane.corrupted)
        let expected = Double(total) * chance
        #expect(abs(Double(changed) - expected) <= 5 * expected.squareRoot() + 1, "\(changed)")
    }

    @Test("the same seed does the same")
    func seeded() {
        func run(_ seed: UInt64) -> [[UInt8]] {
            var generator = SeededGenerator(seed: seed)
            var lane = ChaosLane()
            var all: [[UInt8]] = []
            for index in 0..<50 {
                lane.accept(
                    ByteBuffer(repeating: UInt8(index), count: 100),
                    ChaosSettings(drop: 0.01, jitter: 0.1, corrupt: 0.05), now: Double(index) * 0.01,
                    using: &generator)
                all += lane.release(now: Double(index) * 0.01, throttle: nil).map { Array($0.readableBytesView) }
            }
            return all
        }
        #expect(run(5) == run(5))
        #expect(run(5) != run(6))
    }

    @Test("a direction that is spared is forwarded as it comes")
    func directions() {
        var settings = ChaosSettings(drop: 1, corrupt: 1, direction: .down)
        #expect(settings.lane(isUp: true) == .calm)
        #expect(settings.lane(isUp: false) == settings)
        settings.direction = .up
        #expect(settings.lane(isUp: false) == .calm)
        settings.direction = .both
        #expect(settings.lane(isUp: true) == settings)
    }
}
