import StreamCore
import Testing

@Suite("Outbox")
struct OutboxTests {
    @Test("a fast reader gets everything as it comes, and whole runs may pass")
    func fast() {
        let reader = OutboxReader()
        reader.offer(["t1", "f2", "t3", "F4", "c"])
        #expect(reader.written == ["t1", "f2", "t3", "F4", "c"])
        #expect(reader.passThrough(first: 5, last: 9))
        reader.offer("t10")
        #expect(reader.written.last == "t10")
        #expect(reader.outbox.skippedTotal == 0)
    }

    @Test("a slow reader gets every final and answer in order, then the latest tick and forming candle, oldest first")
    func slow() {
        let reader = OutboxReader()
        reader.block()
        reader.offer(["t1", "t2", "f3", "F4", "t5", "c", "f6", "t7", "F8", "t9", "f10", "t11"])
        #expect(reader.written.isEmpty)
        #expect(!reader.passThrough(first: 12, last: 12))
        reader.drain()
        #expect(reader.written == ["-3", "F4", "c", "-3", "F8", "-1", "f10", "t11"])
        #expect(reader.outbox.skippedTotal == 7)
        #expect(reader.outbox.heldBytes == 0)
    }

    @Test("a gap made before the outbox is reported right before the message that shows it")
    func earlierHole() {
        let reader = OutboxReader()
        // The loop was behind, and dropped what newer messages replaced.
        reader.offer(["t1", "F5", "t6", "t7"])
        #expect(reader.written == ["t1", "-3", "F5", "t6", "t7"])
        #expect(reader.passThrough(first: 10, last: 12))
        #expect(reader.outbox.skippedTotal == 5 && reader.outbox.skippedForLoad == 5)
    }

    @Test("what a busy server, a slow reader and its own rate leave out is counted apart")
    func causes() {
        let slow = OutboxReader()
        slow.block()
        slow.offer(["t1", "t4"])
        slow.drain()
        #expect(slow.written == ["-3", "t4"])
        #expect(slow.outbox.skippedTotal == 3 && slow.outbox.skippedForLoad == 2 && slow.outbox.skippedForRate == 0)
        let limited = OutboxReader(maxRate: 1)
        limited.offer("t1", now: 0)
        limited.offer(["t3", "t4"], now: 0.1)
        limited.drain(now: 1)
        #expect(limited.written == ["t1", "-2", "t4"])
        #expect(limited.outbox.skippedTotal == 2)
        #expect(limited.outbox.skippedForLoad == 1 && limited.outbox.skippedForRate == 1)
    }

    @Test("of a stream of which nothing may be written the latest is kept, and everything else is decided one by one")
    func keeps() {
        let reader = OutboxReader(maxRate: 1, streams: [1, 2])
        func keep(_ names: [String], missing: Int = 0, now: Double = 0) -> Bool {
            reader.outbox.keep(names.map { OutboxReader.message($0) }, missing: missing, of: 1, now: now)
        }
        let atOnce = keep(["t1"])
        #expect(!atOnce, "it may be written")
        reader.offer("t1")
        let results = [keep(["f2", "t3"], now: 0.5), keep(["t7"], missing: 2, now: 0.6), keep(["F8"], now: 0.7)]
        #expect(results == [true, true, false])
        #expect(reader.outbox.newest(of: 1) == 7)
        reader.drain(now: 1)
        #expect(reader.written == ["t1", "f2", "-4", "t7"])
        #expect(reader.outbox.skippedForLoad == 2 && reader.outbox.skippedForRate == 2)
        reader.block()
        reader.outbox.lose(stream: 1, through: 9)
        let later = [keep(["t10"], now: 9), keep([], now: 9)]
        #expect(later == [false, false], "a snapshot is due, and nothing is nothing")
    }

    @Test("only the latest matters to a reader that wants few, that waits or that was slowed down")
    func latest() {
        let few = OutboxReader(maxRate: 5)
        let free = OutboxReader()
        #expect(few.takesLatest() && !free.takesLatest())
        free.block()
        #expect(free.takesLatest())
        free.offer("F1")
        free.outbox.setWritable(true, now: 0)
        #expect(free.takesLatest(), "in order behind the final candle")
        free.drain()
        #expect(!free.takesLatest())
    }

    @Test("draining stops when the network is full, and nothing overtakes")
    func partialDrain() {
        let reader = OutboxReader()
        reader.block()
        reader.offer(["c1", "F1", "t2"])
        reader.drain(room: 1)
        reader.offer(["F3", "t4"])
        #expect(reader.written == ["c1"])
        reader.drain()
        #expect(reader.written == ["c1", "F1", "-1", "F3", "t4"])
    }

    @Test("a correction of an older candle drops nothing: what waits goes before it")
    func correction() {
        let reader = OutboxReader()
        reader.block()
        reader.offer(["t1", "f2", "L3", "t4"])
        reader.drain()
        #expect(reader.written == ["t1", "f2", "L3", "t4"])
        #expect(reader.outbox.skippedTotal == 0)
    }

    @Test("a recovering reader gets what it missed in order, then the live messages, without a hole in between")
    func recovery() {
        let reader = OutboxReader(streams: [])
        reader.outbox.open(stream: 1, at: 5)
        reader.block()
        reader.offer(["p6", "p7", "p8", "t9", "t10"])
        reader.drain()
        #expect(reader.written == ["p6", "p7", "p8", "-1", "t10"])
    }

    @Test("a new epoch leaves nothing of the old one waiting, and reports what was left out of it")
    func newEpoch() {
        let reader = OutboxReader(maxRate: 1)
        reader.offer("t1", now: 0)
        reader.offer("t2", now: 0.1)
        reader.offer("t3", now: 0.1)
        reader.offer("S0", isNewEpoch: true)
        reader.offer("t1", now: 0.2)
        reader.offer("t2", now: 0.3)
        reader.drain(now: 5)
        #expect(reader.written == ["t1", "-2", "S0", "-1", "t2"])
    }

    @Test("a rate limit sends the first at once, then the latest at each deadline")
    func rate() {
        let reader = OutboxReader(maxRate: 4)
        #expect(!reader.passThrough(first: 1, last: 1))
        reader.offer("t1", now: 0)
        for (name, now) in [("t2", 0.05), ("f3", 0.1), ("t4", 0.2)] { reader.offer(name, now: now) }
        #expect(reader.written == ["t1"])
        #expect(reader.outbox.nextDeadline == 0.25)
        reader.drain(now: 0.25)
        #expect(reader.written == ["t1", "-1", "f3", "t4"])
        #expect(reader.outbox.nextDeadline == nil)
        reader.offer("F5", now: 0.3)
        #expect(reader.written.last == "F5")
        #expect(reader.outbox.skippedTotal == 1)
    }

    @Test("closed streams get nothing more, and what waited of them is gone")
    func closes() {
        let reader = OutboxReader(streams: [1, 2])
        reader.block()
        reader.offer(["F1", "t2"], stream: 1)
        reader.offer(["F1", "t2"], stream: 2)
        reader.outbox.close(stream: 1)
        reader.drain()
        reader.offer("F3", stream: 1)
        #expect(reader.written == ["F1", "t2"])
        #expect(reader.outbox.heldBytes == 0)
    }

    @Test("a stream that begins anew forgets what waited of its first run")
    func reopens() {
        let reader = OutboxReader()
        reader.block()
        reader.offer(["F1", "t2"])
        reader.outbox.open(stream: 1, at: 40)
        reader.offer(["c", "S40", "t41"])
        reader.drain()
        #expect(reader.written == ["c", "S40", "t41"])
    }

    @Test("streams that wait take turns when the network accepts one message at a time")
    func fair() {
        let reader = OutboxReader(streams: [1, 2, 3])
        reader.block()
        for offset in 1...6 {
            for stream in 1...3 { reader.offer("t\(offset)", stream: stream) }
            reader.drain(room: 1)
        }
        // Six rounds, three streams: each was served twice, so that none is more than three rounds old.
        #expect(reader.written.filter { !$0.hasPrefix("-") } == ["t1", "t2", "t3", "t4", "t5", "t6"])
        var last: [Int: Int64] = [:]
        for stream in 1...3 { last[stream] = reader.outbox.position(of: stream) }
        #expect(last == [1: 4, 2: 5, 3: 6])
    }
}
