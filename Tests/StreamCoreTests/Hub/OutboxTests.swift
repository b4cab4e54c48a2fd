import StreamCore
import TestKit
import Testing

/// Transcripts: messages are named `t3` (tick, offset 3), `f` (forming), `F` (final), `L` (late correction), `c` (control).
@Suite("Outbox")
struct OutboxTests {
    struct Reader {
        var outbox: Outbox<String>
        var written: [String] = []

        init(byteLimit: Int = 1000, maxRate: Double? = nil, streams: [Int] = [1]) {
            outbox = Outbox(byteLimit: byteLimit)
            for stream in streams { outbox.open(stream: stream, maxRate: maxRate) }
        }

        @discardableResult
        mutating func offer(_ name: String, stream: Int = 1, size: Int = 10, now: Double = 0) -> Outbox<String>.Verdict
        {
            let kind: Outbox<String>.Kind =
                switch name.first {
                case "t": .tick
                case "f": .forming
                case "F": .final
                case "L": .correction
                default: .control
                }
            let message = Outbox<String>.Message(
                kind: kind, stream: stream, offset: Int(name.dropFirst()) ?? 0, payload: name, size: size)
            return outbox.offer(message, now: now) { written.append($0.payload) }
        }

        mutating func drain(now: Double = 0, room: Int = .max) {
            outbox.isWritable = true
            var left = room
            outbox.drain(now: now, canWrite: { left > 0 }) {
                written.append($0.payload)
                left -= 1
            }
        }
    }

    @Test("a fast reader gets everything as it comes")
    func fast() {
        var reader = Reader()
        for name in ["t1", "f2", "t3", "F4", "c"] { reader.offer(name) }
        #expect(reader.written == ["t1", "f2", "t3", "F4", "c"])
        #expect(reader.outbox.passesThrough(stream: 1))
    }

    @Test("a slow reader gets every final and answer in order, then the latest tick and forming candle, oldest first")
    func slow() {
        var reader = Reader()
        reader.outbox.isWritable = false
        for name in ["t1", "t2", "f3", "F4", "t5", "c", "f6", "t7", "F8", "t9", "f10", "t11"] { reader.offer(name) }
        #expect(reader.written.isEmpty)
        #expect(!reader.outbox.passesThrough(stream: 1))
        reader.drain()
        #expect(reader.written == ["F4", "c", "F8", "f10", "t11"])
        // t1 and t2, f3 to t7 without F4, and t9 were replaced.
        #expect(reader.outbox.skippedTotal == 7)
        var told: [Int] = []
        reader.outbox.untoldSkips(now: 5) { told.append($1) }
        #expect(told == [7])
        reader.outbox.untoldSkips(now: 10) { told.append($1) }
        #expect(told == [7])
    }

    @Test("draining stops when the network is full, and nothing overtakes")
    func partialDrain() {
        var reader = Reader()
        reader.outbox.isWritable = false
        for name in ["c1", "F2", "t3"] { reader.offer(name) }
        reader.drain(room: 1)
        reader.offer("F4")
        reader.offer("t5")
        #expect(reader.written == ["c1"])
        reader.drain()
        #expect(reader.written == ["c1", "F2", "F4", "t5"])
    }

    @Test("a correction of an older candle drops nothing: what waits goes before it")
    func correction() {
        var reader = Reader()
        reader.outbox.isWritable = false
        for name in ["t1", "f2", "L3", "t4"] { reader.offer(name) }
        reader.drain()
        #expect(reader.written == ["t1", "f2", "L3", "t4"])
        #expect(reader.outbox.skippedTotal == 0)
    }

    @Test("a new epoch leaves nothing of the old one waiting")
    func restart() {
        var reader = Reader(maxRate: 1)
        reader.offer("t1", now: 0)
        reader.offer("t2", now: 0.1)
        reader.outbox.restart(stream: 1)
        reader.offer("c", now: 0.2)
        reader.drain(now: 5)
        #expect(reader.written == ["t1", "c"])
    }

    @Test("a lane over its limit is told, never shortened")
    func overflow() {
        var reader = Reader(byteLimit: 25)
        reader.outbox.isWritable = false
        #expect(reader.offer("F1") == .fine)
        #expect(reader.offer("t2", size: 10_000) == .fine)
        #expect(reader.offer("F3") == .fine)
        #expect(reader.offer("F4") == .overflow)
    }

    @Test("a rate limit sends the first at once, then the latest at each deadline")
    func rate() {
        var reader = Reader(maxRate: 4)
        #expect(!reader.outbox.passesThrough(stream: 1))
        reader.offer("t1", now: 0)
        for (name, now) in [("t2", 0.05), ("f3", 0.1), ("t4", 0.2)] { reader.offer(name, now: now) }
        #expect(reader.written == ["t1"])
        #expect(reader.outbox.nextDeadline == 0.25)
        reader.drain(now: 0.25)
        #expect(reader.written == ["t1", "f3", "t4"])
        #expect(reader.outbox.nextDeadline == nil)
        reader.offer("F5", now: 0.3)
        #expect(reader.written.last == "F5")
        #expect(reader.outbox.skippedTotal == 1)
    }

    @Test("closed streams get nothing more, and what waited of them is gone")
    func closes() {
        var reader = Reader(streams: [1, 2])
        reader.outbox.isWritable = false
        reader.offer("t1", stream: 1)
        reader.offer("t1", stream: 2)
        reader.outbox.close(stream: 1)
        reader.drain()
        reader.offer("F2", stream: 1)
        #expect(reader.written == ["t1"])
    }

    @Test("rule 5: under any stalls finals arrive once and in order, and every gap is counted", arguments: 1...40)
    func neverSilent(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var reader = Reader(byteLimit: .max, maxRate: seed % 3 == 0 ? 5 : nil)
        var offered = 0
        var finals: [String] = []
        for offset in 1...500 {
            let now = Double(offset) * 0.01
            if Int.random(in: 0..<12, using: &generator) == 0 { reader.outbox.isWritable.toggle() }
            if reader.outbox.isWritable { reader.drain(now: now, room: Int.random(in: 0...3, using: &generator)) }
            let kind = ["t", "t", "t", "f", "F"].randomElement(using: &generator)!
            if kind == "F" { finals.append("F\(offset)") }
            reader.offer("\(kind)\(offset)", now: now)
            offered += 1
        }
        reader.drain(now: 1e9)
        let offsets = reader.written.map { Int($0.dropFirst())! }
        #expect(offsets == offsets.sorted())
        #expect(Set(offsets).count == offsets.count)
        #expect(reader.written.filter { $0.hasPrefix("F") } == finals)
        #expect(reader.written.count + reader.outbox.skippedTotal == offered)
    }
}
