import StreamCore
import TestKit
import Testing

@Suite("The slow-reader ladder")
struct SlowReaderLadderTests {
    /// Three finals fit: 10 bytes and 128 for keeping it, each.
    static let tight = OutboxLimits(streamBytes: 3 * 138, shortenableBytes: 10_000, bytes: 20_000, stall: 30)

    @Test("a reader that is behind half of the time is written to less and less often, and again as it keeps up")
    func pace() {
        let reader = OutboxReader()
        var now = 0.0
        var intervals: [Double] = []
        for _ in 1...6 {
            reader.block(now: now)
            reader.outbox.setWritable(true, now: now + 0.6)
            now += 1
            _ = reader.turn(now: now, pendingBytes: 0)
            intervals.append(reader.outbox.paceInterval)
        }
        #expect(intervals == [0.0625, 0.125, 0.25, 0.5, 1, 1])
        #expect(!reader.passThrough(first: 1, last: 1))
        // Behind for a fifth of the time: as it is.
        reader.block(now: now)
        reader.outbox.setWritable(true, now: now + 0.2)
        now += 1
        _ = reader.turn(now: now, pendingBytes: 0)
        #expect(reader.outbox.paceInterval == 1)
        intervals = []
        for _ in 1...5 {
            now += 1
            _ = reader.turn(now: now, pendingBytes: 0)
            intervals.append(reader.outbox.paceInterval)
        }
        #expect(intervals == [0.5, 0.25, 0.125, 0.0625, 0])
        #expect(reader.passThrough(first: 1, last: 1))
    }

    @Test("a slowed reader gets the latest at its pace, finals at once")
    func slowed() {
        let reader = OutboxReader()
        reader.block(now: 0)
        _ = reader.turn(now: 1, pendingBytes: 10)
        reader.drain(now: 1)
        reader.offer(["t1", "t2", "t3"], now: 1)
        #expect(reader.written == ["t1"])
        #expect(reader.outbox.nextDeadline == 1.0625)
        reader.offer("F4", now: 1.01)
        reader.offer("t5", now: 1.02)
        reader.drain(now: 1.0625)
        #expect(reader.written == ["t1", "-2", "F4", "t5"])
    }

    @Test(
        "finals beyond the limit give way to one snapshot, requested when there is room, reported and continued exactly"
    )
    func snapshot() {
        let reader = OutboxReader(limits: Self.tight)
        reader.offer("t1")
        reader.block()
        reader.offer(["c", "F2", "t3", "F4", "f5", "F6"])
        #expect(reader.outbox.heldBytes == 4 * 138)
        reader.offer("F7")
        // Finals are given up, answers are not.
        #expect(reader.outbox.heldBytes == 138)
        #expect(reader.outbox.lapses == 1)
        reader.offer(["t8", "F9"])
        #expect(reader.need() == nil, "no room yet")
        reader.drain()
        #expect(reader.need() == [1, 1])
        #expect(reader.need() == nil, "requested once")
        reader.offer("t10")
        reader.offer("S10")
        reader.offer(["t11", "F12"])
        #expect(reader.written == ["t1", "c", "-9", "S10", "t11", "F12"])
    }

    @Test("what a correction pushes in front of itself is given up with the rest, and nothing of it comes later")
    func correctionBeyondTheLimit() {
        let reader = OutboxReader(limits: Self.tight)
        reader.block()
        reader.offer(["F1", "F2", "F3", "t4", "f5", "L6"])
        #expect(reader.outbox.lapses == 1)
        #expect(reader.outbox.heldBytes == 0)
        reader.offer("S0", isNewEpoch: true)
        reader.drain()
        #expect(reader.written == ["-6", "S0"])
    }

    @Test("all streams together have a limit of their own")
    func shortenable() {
        let limits = OutboxLimits(streamBytes: 10_000, shortenableBytes: 5 * 138, bytes: 20_000)
        let reader = OutboxReader(limits: limits, streams: Array(1...6))
        reader.block()
        for stream in 1...5 { reader.offer("F1", stream: stream) }
        #expect(reader.outbox.lapses == 0)
        reader.offer("F1", stream: 6)
        #expect(reader.outbox.lapses == 6)
        #expect(reader.outbox.heldBytes == 0)
        reader.drain()
        var needs: [Int] = []
        while let need = reader.need() { needs.append(need[0]) }
        #expect(needs == [1, 2, 3, 4], "four at a time")
        reader.offer("S2", stream: 2)
        #expect(reader.need() == [5, 0])
        reader.outbox.close(stream: 1)
        #expect(reader.need() == [6, 0])
    }

    @Test("what was lost before the outbox is a reason for a snapshot too")
    func lost() {
        let reader = OutboxReader()
        reader.offer("t1")
        reader.outbox.lose(stream: 1, through: 50)
        #expect(!reader.passThrough(first: 51, last: 51))
        reader.offer("t51")
        #expect(reader.need() == [1, 1])
        reader.offer("S51")
        #expect(reader.written == ["t1", "-50", "S51"])
    }

    @Test("a new epoch ends the pause of a stream that waited for its snapshot")
    func newEpochInPause() {
        let reader = OutboxReader()
        reader.outbox.lose(stream: 1, through: 7)
        reader.offer("S0", isNewEpoch: true)
        reader.offer("t1")
        #expect(reader.written == ["-7", "S0", "t1"])
        #expect(reader.need() == nil)
    }

    @Test("answers are never given up: beyond the limit the reader is hopeless")
    func overflow() {
        let reader = OutboxReader(limits: OutboxLimits(streamBytes: 1000, shortenableBytes: 1000, bytes: 3 * 138))
        reader.block()
        #expect(reader.offer("c") == .fine)
        #expect(reader.offer("c") == .fine)
        #expect(reader.offer("t1", size: 10_000) == .fine)
        #expect(reader.offer("c") == .fine)
        #expect(reader.offer("c") == .overflow)
    }

    @Test("a reader that accepts nothing for thirty seconds is hopeless; one that accepts a little is not")
    func stall() {
        let reader = OutboxReader()
        reader.block(now: 100)
        for second in 1...29 {
            #expect(reader.turn(now: 100 + Double(second), pendingBytes: 5000) == .fine)
        }
        #expect(reader.turn(now: 130, pendingBytes: 4999) == .fine, "a byte is progress")
        for second in 1...29 {
            #expect(reader.turn(now: 130 + Double(second), pendingBytes: 4999) == .fine)
        }
        #expect(reader.turn(now: 160, pendingBytes: 4999) == .stalled)
        reader.outbox.setWritable(true, now: 160)
        #expect(reader.turn(now: 161, pendingBytes: 0) == .fine)
    }

    @Test("what waits in order is made independent of larger memory, what passes is not")
    func detaches() {
        var outbox = Outbox<String>(detach: { $0 + "!" })
        outbox.open(stream: 1, at: 0)
        var written: [String] = []
        func offer(_ name: String) {
            _ = outbox.offer(OutboxReader.message(name), now: 0) { message, _ in written.append(message.payload) }
        }
        offer("F1")
        outbox.setWritable(false, now: 0)
        offer("F2")
        offer("t3")
        outbox.setWritable(true, now: 0)
        outbox.drain(now: 0, canWrite: { true }) { message, _ in written.append(message.payload) }
        #expect(written == ["F1", "F2!", "t3"])
    }
}
