import StreamCore
import TestKit
import Testing

/// Rules 5 and 9 of the design, for any schedule of the network: finals once and in order or inside a snapshot, holes
/// always reported, bytes bounded.
@Suite("Any slow reader")
struct SlowReaderPropertyTests {
    /// A server with some streams, a network with a mind of its own, and a client that checks what it gets.
    struct World {
        static let streams = [3, 7, 20]
        static let limits = OutboxLimits(streamBytes: 900, shortenableBytes: 2000, bytes: 6000, stall: 1e9)
        static let messageSize = 20

        var generator: SeededGenerator
        var outbox = Outbox<String>(limits: limits)
        var now = 0.0
        /// Messages the network accepts before it is full.
        var room = 0
        // What the server published of each stream.
        var offset: [Int: Int64] = [:]
        var finals: [Int: [Int64]] = [:]
        // What the client has.
        var position: [Int: Int64] = [:]
        var known: [Int: [Int64]] = [:]
        var snapshots = 0
        var reported = 0
        /// Snapshots that the owner was requested to deliver and did not deliver yet.
        var requested: [Outbox<String>.SnapshotNeed] = []
        var maxBytes = 0

        init(seed: UInt64, maxRate: Double?) {
            generator = SeededGenerator(seed: seed)
            for stream in Self.streams {
                outbox.open(stream: stream, at: 0, maxRate: maxRate)
                (offset[stream], finals[stream], position[stream], known[stream]) = (0, [], 0, [])
            }
        }

        /// The client receives a message; its checks are the contract.
        mutating func receive(_ message: OutboxMessage<String>, _ skipped: Int) {
            room -= 1
            guard message.kind != .control else { return }
            let stream = message.stream
            reported += skipped
            if message.kind == .snapshot {
                snapshots += 1
                #expect(position[stream]! + Int64(skipped) == message.offset)
                let state = finals[stream]!.filter { $0 <= message.offset }
                #expect(state.starts(with: known[stream]!), "a snapshot undoes nothing")
                known[stream] = state
            } else {
                #expect(position[stream]! + Int64(skipped) + 1 == message.offset, "a hole is reported, to the message")
                if message.kind == .final { known[stream]!.append(message.offset) }
            }
            position[stream] = message.offset
        }

        mutating func offer(_ message: OutboxMessage<String>) {
            var got: [(OutboxMessage<String>, Int)] = []
            let verdict = outbox.offer(message, now: now) { got.append(($0, $1)) }
            #expect(verdict == .fine)
            for (message, skipped) in got { receive(message, skipped) }
            follow()
        }

        mutating func follow() {
            outbox.setWritable(room > 0, now: now)
            maxBytes = max(maxBytes, outbox.heldBytes)
        }

        mutating func drain() {
            follow()
            var got: [(OutboxMessage<String>, Int)] = []
            outbox.drain(now: now, canWrite: { got.count < room }) { got.append(($0, $1)) }
            for (message, skipped) in got { receive(message, skipped) }
            follow()
            while let need = outbox.popSnapshotNeed() { requested.append(need) }
        }

        mutating func publish(_ stream: Int) {
            let kind: OutboxKind = [.tick, .tick, .forming, .final].randomElement(using: &generator)!
            offset[stream]! += 1
            if kind == .final { finals[stream]!.append(offset[stream]!) }
            offer(message(kind, stream))
        }

        func message(_ kind: OutboxKind, _ stream: Int) -> OutboxMessage<String> {
            OutboxMessage(kind: kind, stream: stream, offset: offset[stream]!, payload: "", size: Self.messageSize)
        }

        mutating func step() {
            now += Double.random(in: 0...0.2, using: &generator)
            switch Int.random(in: 0..<40, using: &generator) {
            case 0: room = Int.random(in: 0...60, using: &generator)
            case 1: room = 0
            case 2: room = max(room, 1)
            case 3, 4: drain()
            case 5 where outbox.heldBytes < 2000:
                offer(OutboxMessage(kind: .control, stream: -1, offset: 0, payload: "", size: Self.messageSize))
            case 6:
                let verdict = outbox.turn(now: now, pendingBytes: 0)
                #expect(verdict == .fine)
            case 7, 8:
                guard let need = requested.popLast() else { break }
                #expect(position[need.stream]! == need.after)
                offer(message(.snapshot, need.stream))
            case 9 where Int.random(in: 0..<4, using: &generator) == 0:
                // A loop that was overrun: the messages never came here.
                let stream = Self.streams.randomElement(using: &generator)!
                offset[stream]! += 5
                finals[stream]!.append(offset[stream]!)
                outbox.lose(stream: stream, through: offset[stream]!)
            default: publish(Self.streams.randomElement(using: &generator)!)
            }
        }

        /// The network accepts everything again.
        mutating func deliverAll() {
            room = .max
            for _ in 0..<50 {
                now += 2
                drain()
                while let need = requested.popLast() { offer(message(.snapshot, need.stream)) }
            }
        }
    }

    @Test("finals once and in order or inside a snapshot, gaps reported, bytes bounded", arguments: 1...150)
    func anySchedule(seed: Int) {
        var world = World(seed: UInt64(seed), maxRate: seed % 4 == 0 ? 5 : nil)
        for _ in 0..<1500 { world.step() }
        world.deliverAll()
        for stream in World.streams {
            #expect(world.known[stream] == world.finals[stream], "every final, once")
            #expect(world.position[stream] == world.offset[stream], "the latest is not left behind")
        }
        #expect(world.outbox.heldBytes == 0)
        #expect(world.outbox.skippedTotal == world.reported)
        // Control messages to 2000 bytes and shortenable ones, and one snapshot for each stream.
        #expect(world.maxBytes <= 2 * World.limits.shortenableBytes + 5 * 148)
        // Every seed gets to the third step of the ladder, or the test shows nothing.
        #expect(world.snapshots > 0)
    }
}
