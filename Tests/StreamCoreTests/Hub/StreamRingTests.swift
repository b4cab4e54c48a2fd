import StreamCore
import TestKit
import Testing

@Suite("StreamRing")
struct StreamRingTests {
    static func replay(_ ring: StreamRing<Int>, _ offset: Int, epoch: String = "a") -> [Int]? {
        switch ring.catchUp(from: StreamPosition(epoch: epoch, offset: Int64(offset))) {
        case .replay(let missed): missed
        case .snapshot: nil
        }
    }

    @Test("replays exactly what was missed, as far back as it reaches")
    func replays() {
        var ring = StreamRing<Int>(epoch: "a", capacity: 4)
        #expect(Self.replay(ring, 0) == [])
        for value in 1...6 { ring.append(value, size: 10) }
        #expect(ring.lastOffset == 6)
        #expect(Self.replay(ring, 6) == [])
        #expect(Self.replay(ring, 4) == [5, 6])
        #expect(Self.replay(ring, 2) == [3, 4, 5, 6])
        #expect(Self.replay(ring, 1) == nil)
        #expect(Self.replay(ring, 7) == nil)
        #expect(Self.replay(ring, -1) == nil)
        #expect(Self.replay(ring, 6, epoch: "b") == nil)
    }

    @Test("random sizes never exceed the bounds, and the replay is always the tail", arguments: 1...20)
    func bounded(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let capacity = Int.random(in: 1...20, using: &generator)
        var ring = StreamRing<Int>(epoch: "a", capacity: capacity, byteLimit: 300)
        for value in 1...300 {
            ring.append(value, size: Int.random(in: 1...120, using: &generator))
            #expect(ring.count <= capacity)
            #expect(ring.bytes <= 300 || ring.count == 1)
            let from = value - ring.count
            #expect(Self.replay(ring, from) == Array(from + 1..<value + 1))
            #expect(from == 0 || Self.replay(ring, from - 1) == nil)
        }
    }
}
