import StreamCore
import TestKit
import Testing

/// However the network cuts the bytes, the events are the same.
@Suite("WebSocket bytes in pieces")
struct SplitTests {
    struct Conversation: Sendable, CustomStringConvertible {
        var description: String
        var bytes: [UInt8]
        var role: WebSocketRole
        var events: [Received]
    }

    static let conversations: [Conversation] = [nil, 0xA1B2_C3D4 as UInt32?].flatMap { mask -> [Conversation] in
        let role: WebSocketRole = mask == nil ? .client : .server
        let name = mask == nil ? "from a server" : "from a client"
        let long = String(repeating: "BTC-USD 67,234.50 € ", count: 8)
        return [
            Conversation(
                description: "messages \(name)",
                bytes: frame(.text, "{\"price\":1.5}", mask: mask) + frame(.binary, [0, 255, 128], mask: mask)
                    + frame(.text, "", mask: mask) + frame(.ping, "", mask: mask) + frame(.pong, "ok", mask: mask)
                    + frame(.text, long, mask: mask),
                role: role,
                events: [
                    .text("{\"price\":1.5}"), .binary([0, 255, 128]), .text(""), .ping([]), .pong(Array("ok".utf8)),
                    .text(long),
                ]),
            Conversation(
                description: "fragments and pings \(name)",
                bytes: frame(.text, "Grü", isFinal: false, mask: mask) + frame(.ping, "a", mask: mask)
                    + frame(.continuation, "", isFinal: false, mask: mask) + frame(.ping, "b", mask: mask)
                    + frame(.continuation, "ße 💶", mask: mask) + frame(.binary, [1], isFinal: false, mask: mask)
                    + frame(.continuation, [2], mask: mask)
                    + frame(.close, [0x03, 0xE9] + Array("tschüß".utf8), mask: mask)
                    + frame(.text, "never seen", mask: mask),
                role: role,
                events: [
                    .ping(Array("a".utf8)), .ping(Array("b".utf8)), .text("Grüße 💶"), .binary([1, 2]),
                    .close(1001, "tschüß"),
                ]),
            Conversation(
                description: "text that turns wrong \(name)",
                bytes: frame(.text, "good", mask: mask) + frame(.text, Array("bad ".utf8) + [0xED, 0xA0], mask: mask),
                role: role,
                events: [.text("good"), .failed(.invalidUTF8)]),
            Conversation(
                description: "a reserved opcode \(name)",
                bytes: frame(.binary, [9], mask: mask) + [0x85, mask == nil ? 0x00 : 0x80, 1, 2, 3, 4],
                role: role,
                events: [.binary([9]), .failed(.reservedOpcode)]),
        ]
    }

    @Test("whole, byte by byte, and in two at every place", arguments: conversations)
    func everyCut(conversation: Conversation) {
        let bytes = conversation.bytes
        #expect(receive([bytes], as: conversation.role) == conversation.events)
        #expect(receive(bytes.map { [$0] }, as: conversation.role) == conversation.events)
        for cut in 0...bytes.count {
            let pieces = [Array(bytes[0..<cut]), Array(bytes[cut...])]
            #expect(receive(pieces, as: conversation.role) == conversation.events, "cut at \(cut)")
        }
    }

    @Test("in three at every pair of places", arguments: conversations.filter { $0.bytes.count < 100 })
    func everyTwoCuts(conversation: Conversation) {
        let bytes = conversation.bytes
        for first in 0...bytes.count {
            for second in first...bytes.count {
                let pieces = [Array(bytes[0..<first]), Array(bytes[first..<second]), Array(bytes[second...])]
                let events = receive(pieces, as: conversation.role)
                if events != conversation.events {
                    Issue.record("cut at \(first) and \(second): \(events)")
                    return
                }
            }
        }
    }

    @Test("reading can stop after any event and go on later with the rest")
    func stopBetweenEvents() {
        let bytes = frame(.text, "one") + frame(.text, "two") + frame(.text, "three")
        var machine = WebSocketMachine(role: .client, limits: .client)
        var received: [Received] = []
        bytes.withUnsafeBytes { all in
            var rest = all
            // One event a turn, as a handler does that is paused after each.
            while true {
                var input = rest
                guard let event = machine.next(&input) else { break }
                received.append(Received(event))
                rest = input
            }
        }
        #expect(received == [.text("one"), .text("two"), .text("three")])
    }

    @Test("random conversations in random pieces read like the whole", arguments: 1...20)
    func randomPieces(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            let role: WebSocketRole = Bool.random(using: &random) ? .client : .server
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let opcode: [WebSocketOpcode] = [.text, .binary, .continuation, .ping, .pong, .close]
                let mask = role == .server ? UInt32.random(in: .min ... .max, using: &random) : nil
                let size = Int.random(in: 0...(Int.random(in: 0...9, using: &random) == 0 ? 400 : 30), using: &random)
                let high: UInt8 = Int.random(in: 0...5, using: &random) == 0 ? 255 : 127
                let payload = (0..<size).map { _ in UInt8.random(in: 0...high, using: &random) }
                bytes += frame(
                    opcode.randomElement(using: &random)!, payload, isFinal: Int.random(in: 0...3, using: &random) > 0,
                    mask: mask)
            }
            let whole = receive([bytes], as: role)
            var pieces: [[UInt8]] = []
            var at = 0
            while at < bytes.count {
                let size = min(bytes.count - at, Int.random(in: 1...40, using: &random))
                pieces.append(Array(bytes[at..<at + size]))
                at += size
            }
            #expect(receive(pieces, as: role) == whole, "seed \(seed)")
        }
    }
}
