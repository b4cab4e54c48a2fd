import Consultation
import StreamCore
import TestKit
import Testing

@Suite struct EnvelopeTests {
    @Test(
        "the type alone is read as the whole is, escapes and other fields of that name included",
        arguments: [
            (#"{"type":"auth"}"#, .auth), (#"{"\u0074ype":"\u0061uth"}"#, .auth),
            (#"{"type":"auth","type":"ping"}"#, .ping),
            (#"{"metadata":{"type":"auth"},"content":"\"type\":\"auth\"","type":"ping"}"#, .ping),
            (#"{"type":"news"}"#, .unknown("news")), (#"{"type":"auth""#, nil), (#"{"type":7}"#, nil), (#"{}"#, nil),
            (#"["type","auth"]"#, nil), ("", nil),
        ] as [(String, EnvelopeType?)])
    func typeAlone(text: String, expected: EnvelopeType?) throws {
        #expect(Array(text.utf8).withUnsafeBytes { Envelope.type(of: $0) } == expected)
        guard let expected else { return }
        let whole = Array((text.dropLast() + #","message_id":"m","timestamp":"2025-01-27T10:00:00Z"}"#).utf8)
        let types = try whole.withUnsafeBytes { (try Envelope.decode($0).type, Envelope.type(of: $0)) }
        #expect(types == (expected, expected))
    }

    private static let documented =
        #"{"type":"user_message","content":"I want to lose weight","message_id":"msg_123","timestamp":"2025-01-27T10:00:00Z"}"#

    @Test("the document's own message is read and written as it stands")
    func documentedMessage() throws {
        let message = try Self.documented.envelope()
        #expect(message.type == .userMessage && message.content == "I want to lose weight")
        #expect(message.messageID == "msg_123" && message.timestamp == 1_737_972_000 && message.metadata == nil)
        #expect(message.bytes.text == Self.documented)
    }

    @Test("the id is called message_id, in both directions")
    func messageID() throws {
        #expect(throws: EnvelopeError.self) {
            try #"{"type":"ping","messageId":"a","timestamp":"2025-01-27T10:00:00Z"}"#.envelope()
        }
        #expect(Envelope(.ping, messageID: "a", timestamp: 0).bytes.text.contains(#""message_id":"a""#))
    }

    @Test(
        "a timestamp is written in UTC with milliseconds where it has some, and what no calendar holds as its end",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1_737_972_000.25, "2025-01-27T10:00:00.250Z"),
            (951_782_399.999, "2000-02-28T23:59:59.999Z"), (951_782_400, "2000-02-29T00:00:00Z"),
            (1_737_971_999.9996, "2025-01-27T10:00:00.000Z"), (-0.5, "1969-12-31T23:59:59.500Z"),
            (-62_167_219_200, "0000-01-01T00:00:00Z"), (-1e300, "0000-01-01T00:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"), (1e300, "9999-12-31T23:59:59Z"), (.nan, "1970-01-01T00:00:00Z"),
        ] as [(Double, String)])
    func timestamps(seconds: Double, text: String) {
        #expect(Envelope(.ping, messageID: "a", timestamp: seconds).timestampText.hasPrefix(text.dropLast()))
    }

    @Test(
        "the types have exactly these names",
        arguments: [
            "user_message", "ai_message_start", "ai_message_chunk", "ai_message_complete", "template_created", "error",
            "ping", "pong",
        ])
    func documentedTypes(name: String) {
        let type = EnvelopeType(name: name)
        #expect(type.isDocumented && type.name == name)
    }

    @Test("the additive types are known and not among the documented ones")
    func additiveTypes() {
        for name in ["auth", "ack", "cancel", "cancelled", "retry", "sync"] {
            let type = EnvelopeType(name: name)
            #expect(type != .unknown(name) && !type.isDocumented && type.name == name)
        }
    }

    @Test("a type of a later version is kept with all it says")
    func unknownType() throws {
        let text =
            #"{"type":"ai_reasoning","content":"hm","message_id":"m","timestamp":"2025-01-27T10:00:00.250Z","metadata":{"a":[1,null,{"b":true}]},"sequence":7,"offset":3}"#
        let message = try text.envelope()
        #expect(message.type == .unknown("ai_reasoning") && message.sequence == 7 && message.offset == 3)
        #expect(message.timestamp == 1_737_972_000.25)
        #expect(message.bytes.text == text)
    }

    @Test(
        "a message that lacks what each must have is dropped with the field's name",
        arguments: [
            (#"{"content":"x","message_id":"m","timestamp":"2025-01-27T10:00:00Z"}"#, "type"),
            (#"{"type":"","message_id":"m","timestamp":"2025-01-27T10:00:00Z"}"#, "type"),
            (#"{"type":"ping","timestamp":"2025-01-27T10:00:00Z"}"#, "message_id"),
            (#"{"type":"ping","message_id":"","timestamp":"2025-01-27T10:00:00Z"}"#, "message_id"),
            (#"{"type":"ping","message_id":4,"timestamp":"2025-01-27T10:00:00Z"}"#, "message_id"),
            (#"{"type":"ping","message_id":"m"}"#, "timestamp"),
            (#"{"type":"ping","message_id":"m","timestamp":""}"#, "timestamp"),
            (#"{"type":"ping","message_id":"m","timestamp":"yesterday"}"#, "timestamp"),
            (#"{"type":"ping","message_id":"m","timestamp":"2025-01-27T10:00:00Z","metadata":"e30="}"#, "metadata"),
            (#"{"type":"ping","message_id":"m","timestamp":"2025-01-27T10:00:00Z","offset":-1}"#, "offset"),
            (#"{"type":"ping","message_id":"m","timestamp":"2025-01-27T10:00:00Z","sequence":1.5}"#, "sequence"),
        ])
    func refusals(text: String, field: String) {
        let error = #expect(throws: EnvelopeError.self) { try text.envelope() }
        #expect(error?.field == field && error?.description.contains(field) == true)
    }

    @Test("what is no JSON object is refused without a field", arguments: ["", "[]", "null", "{", #"{"type":"#])
    func noObject(text: String) {
        #expect(throws: EnvelopeError.self) { try text.envelope() }
    }

    @Test("metadata is a typed value, and nothing of it is lost on the way")
    func metadata() throws {
        let value: JSONValue = [
            "text": "é\u{1F600}\"\\\n", "number": -12.5, "whole": 9_007_199_254_740_991, "yes": true, "none": .null,
            "list": [1, "a", [], [:]],
        ]
        let message = Envelope(.templateCreated, messageID: "m", timestamp: 1, metadata: value.members)
        #expect(try message.bytes.envelope() == message)
        #expect(try JSONValue(parsing: value.json) == value)
    }

    @Test("a value nested too deeply is refused, not followed")
    func depth() {
        let deep = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
        #expect(throws: JSONError(.tooDeep, at: 32)) { try JSONValue(parsing: deep) }
    }

    @Test("rule 8: no bytes break the reader, and it can write and reread what it accepts", arguments: [11, 12, 13])
    func mutations(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let seeds = [
            Self.documented,
            #"{"type":"template_created","message_id":"t","timestamp":"2025-01-27T10:00:00.125Z","metadata":{"template_id":"1","type":"meal","name":"n","description":"d","items":[{"k":1.5e3}]},"sequence":12}"#,
            #"{"type":"ai_message_chunk","content":"wo\u0072d \ud83d\ude00","message_id":"a","timestamp":"2025-01-27T10:00:00Z","offset":42}"#,
        ].map { Array($0.utf8) }
        var accepted = 0
        for _ in 0..<8_000 {
            var bytes = seeds.randomElement(using: &random)!
            for _ in 0...Int.random(in: 0...3, using: &random) {
                let at = Int.random(in: 0..<max(1, bytes.count), using: &random)
                switch Int.random(in: 0...3, using: &random) {
                case 0 where !bytes.isEmpty: bytes[at] = UInt8.random(in: 0...255, using: &random)
                case 1 where !bytes.isEmpty: bytes.remove(at: at)
                case 2: bytes.insert(UInt8.random(in: 0x20...0x7E, using: &random), at: at)
                default: bytes.removeLast(min(bytes.count, Int.random(in: 0...2, using: &random)))
                }
            }
            guard let message = try? bytes.envelope() else { continue }
            accepted += 1
            // Times are written to the millisecond.
            let again = try? message.bytes.envelope()
            #expect(again?.type == message.type && again?.metadata == message.metadata)
            #expect(again?.content == message.content && again?.messageID == message.messageID)
        }
        #expect(accepted > 500 && accepted < 8_000)
    }
}
