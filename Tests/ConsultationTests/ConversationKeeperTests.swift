import StreamCore
import Testing

@testable import ConversationCore

/// A device with a store in memory, and a server that is this test.
private struct Phone {
    var client: ConsultationClient
    var keeper: ConversationKeeper
    var now = 0.0
    var head = ""
    var messages: [String: String] = [:]
    var isDiskFull = false
    var writes = 0
    private var socket: SocketNumber?
    /// What was sent since the last look, by type; `saved` stands for a write.
    var events: [String] = []

    init(
        _ stored: StoredConversation? = nil, maxBytes: Int = 4 << 20,
        _ configuration: ConsultationConfiguration = ConsultationConfiguration()
    ) {
        client = ConsultationClient(configuration, epoch: 0, seed: 9)
        keeper = ConversationKeeper(stored, maxBytes: maxBytes)
        if let stored { client.restore(stored) }
    }

    func stored() throws -> StoredConversation { try StoredConversation(head: head, messages: messages) }

    /// The process ends; another one has what was written.
    func killed() throws -> Phone {
        var next = Phone(try stored())
        (next.head, next.messages) = (head, messages)
        return next
    }

    mutating func run() {
        keeper.sendWaiting(&client, now: now)
        if let change = keeper.change(client, now: now) {
            if isDiskFull {
                keeper.failed(now: now)
            } else {
                writes += 1
                events.append("saved")
                head = change.head
                for message in change.written { messages[message.id] = message.json }
                for id in change.removed { messages[id] = nil }
                keeper.written(now: now)
            }
        }
        while let action = client.nextAction() {
            switch action {
            case .open(let opened): socket = opened
            case .send(_, let frame):
                let envelope = frame.withUnsafeBytes { try? Envelope.decode($0) }
                if envelope?.type == .userMessage { events.append("sent \(envelope?.content ?? "")") }
            case .close, .drop, .fetchToken, .loginNeeded: break
            }
        }
    }

    @discardableResult mutating func write(_ text: String) throws -> String {
        let id = try client.queue(text, MessageDetails(), characters: text.count, now: now)
        run()
        return id
    }

    mutating func connect() {
        client.connect(now: now)
        run()
        if let socket { client.opened(socket, now: now) }
        run()
    }

    mutating func cut() {
        if let socket { client.closed(socket, code: .abnormal, reason: "", now: now) }
        run()
    }

    mutating func receive(
        _ type: EnvelopeType, _ id: String, _ content: String? = nil, sequence: Int? = nil, offset: Int? = nil,
        metadata: [String: JSONValue]? = nil
    ) {
        let frame = Envelope(
            type, content: content, messageID: id, timestamp: 0, metadata: metadata, sequence: sequence, offset: offset
        ).bytes
        if let socket { frame.withUnsafeBytes { client.received($0, on: socket, now: now) } }
        run()
    }

    mutating func pass(_ seconds: Double) {
        now += seconds
        if let deadline = client.deadline, deadline <= now { client.timerFired(now: now) }
        run()
    }
}

@Suite struct ConversationKeeperTests {
    @Test("a message is on the device before it is sent, and one is on its way at a time")
    func writtenFirst() throws {
        var phone = Phone()
        try phone.write("one")
        try phone.write("two")
        #expect(phone.events == ["saved", "saved"])
        phone.events = []
        phone.connect()
        #expect(phone.events == ["saved", "sent one"])
        let ids = phone.client.messages.map(\.id)
        phone.receive(.ack, ids[0], sequence: 1)
        #expect(phone.events == ["saved", "sent one", "saved", "sent two"])
        phone.receive(.ack, ids[1], sequence: 2)
        #expect(phone.client.messages.map(\.state) == [.sent, .sent])
        #expect(try phone.stored().sequence == 2)
    }

    @Test("to a server that acknowledges nothing all that waits is sent at once")
    func withoutAcknowledgements() throws {
        var configuration = ConsultationConfiguration()
        configuration.expectsAcknowledgement = false
        var phone = Phone(nil, maxBytes: 4 << 20, configuration)
        try phone.write("one")
        try phone.write("two")
        phone.connect()
        #expect(phone.events.suffix(2) == ["sent one", "sent two"])
        #expect(phone.client.messages.map(\.state) == [.sent, .sent])
    }

    @Test("a process that was killed before or after sending sends under the same id, and shows the message as waiting")
    func killed() throws {
        var phone = Phone()
        let id = try phone.write("one")
        for _ in 0..<3 {
            phone = try phone.killed()
            #expect(phone.client.messages.map(\.id) == [id])
            #expect(phone.client.messages.map(\.state) == [.pending])
            phone.connect()
            #expect(phone.events.contains("sent one"))
        }
        phone.receive(.ack, id, sequence: 1)
        phone = try phone.killed()
        phone.connect()
        #expect(phone.client.messages.map(\.state) == [.sent])
        #expect(!phone.events.contains("sent one"))
    }

    @Test(
        "what the server refuses for now waits and goes before what is later",
        arguments: ["busy", "rate_limited"])
    func refusedForNow(code: String) throws {
        var phone = Phone()
        phone.connect()
        let first = try phone.write("one")
        try phone.write("two")
        phone.events = []
        for wait in [1.0, 2] {
            phone.receive(.error, first, "Later.", metadata: ["code": .string(code), "message_id": .string(first)])
            #expect(phone.client.messages.map(\.state) == [.pending, .pending])
            phone.pass(wait - 0.1)
            #expect(!phone.events.contains("sent one"))
            phone.pass(0.2)
            #expect(phone.events.filter { $0 != "saved" } == ["sent one"])
            phone.events = []
        }
        phone.receive(.ack, first, sequence: 1)
        #expect(phone.events.contains("sent two"))
    }

    @Test("a server's seconds to wait are kept, and one that refuses for good is shown")
    func retryAfter() throws {
        var phone = Phone()
        phone.connect()
        let id = try phone.write("one")
        phone.receive(
            .error, id, "Later.",
            metadata: ["code": "rate_limited", "message_id": .string(id), "retry_after": 30])
        #expect(phone.keeper.deadline(phone.client) == 30)
        phone.pass(29)
        #expect(phone.events.filter { $0 == "sent one" }.count == 1)
        phone.pass(1.5)
        #expect(phone.events.filter { $0 == "sent one" }.count == 2)
        phone.receive(.error, id, "Full.", metadata: ["code": "conversation_full", "message_id": .string(id)])
        #expect(phone.client.messages.map(\.state) == [.failed("Full.")])
        phone = try phone.killed()
        #expect(phone.client.messages.map(\.state) == [.failed("Full.")])
        #expect(phone.keeper.discard(id, &phone.client))
        #expect(phone.client.messages.isEmpty)
    }

    @Test("a message without an acknowledgement in time waits on, and is sent again")
    func unacknowledged() throws {
        var phone = Phone()
        phone.connect()
        try phone.write("one")
        phone.events = []
        phone.pass(15.5)
        #expect(phone.client.messages.map(\.state) == [.pending])
        phone.pass(3)
        #expect(phone.events.contains("sent one"))
    }

    @Test("a message that no connection was given can be discarded; one that may have left cannot")
    func discarding() throws {
        var phone = Phone()
        let (first, second) = (try phone.write("one"), try phone.write("two"))
        phone.connect()
        phone.cut()
        #expect(!phone.keeper.discard(first, &phone.client))
        #expect(phone.keeper.discard(second, &phone.client))
        phone.run()
        #expect(phone.messages.keys.sorted() == [first])
        phone = try phone.killed()
        #expect(!phone.keeper.discard(first, &phone.client))
        #expect(phone.client.messages.map(\.id) == [first])
    }

    @Test("an answer is written when it begins and ends, and once a second between")
    func text() throws {
        var phone = Phone()
        phone.connect()
        let question = try phone.write("one")
        phone.receive(.ack, question, sequence: 1)
        phone.receive(.aiMessageStart, "a", sequence: 2)
        let before = phone.writes
        for number in 0..<50 {
            phone.now += 0.1
            phone.receive(.aiMessageChunk, "a", "word ", offset: number * 5)
        }
        #expect((4...5).contains(phone.writes - before))
        #expect(try phone.stored().messages.last?.text.utf8.count ?? 0 >= 200)
        phone.receive(.aiMessageComplete, "a", sequence: 3, offset: 250, metadata: ["end": "completed"])
        let stored = try phone.stored()
        #expect(stored.messages.last?.text.utf8.count == 250 && stored.messages.last?.state == .complete)
        #expect(stored.sequence == 3)
        let after = phone.writes
        phone.pass(20)
        #expect(phone.writes == after)
    }

    @Test("an answer that was cut off by a kill goes on where the device stopped")
    func resumed() throws {
        var phone = Phone()
        phone.connect()
        phone.receive(.ack, try phone.write("one"), sequence: 1)
        phone.receive(.aiMessageStart, "a", sequence: 2)
        phone.now += 2
        phone.receive(.aiMessageChunk, "a", "half ", offset: 0)
        phone.receive(.aiMessageChunk, "a", "lost ", offset: 5)
        phone = try phone.killed()
        #expect(phone.client.messages.last?.text == "half " && phone.client.messages.last?.isStreaming == true)
        phone.connect()
        phone.receive(.aiMessageChunk, "a", "lost end", offset: 5)
        phone.receive(.aiMessageComplete, "a", sequence: 3, offset: 13, metadata: ["end": "completed"])
        #expect(phone.client.messages.last?.text == "half lost end")
    }

    @Test("a write that fails is repeated after five seconds, with all that happened since")
    func diskFull() throws {
        var phone = Phone()
        phone.isDiskFull = true
        try phone.write("one")
        try phone.write("two")
        phone.isDiskFull = false
        phone.pass(4.9)
        #expect(phone.writes == 0 && phone.keeper.deadline(phone.client) == 5)
        phone.pass(0.1)
        #expect(try phone.stored().messages.map(\.text) == ["one", "two"])
    }

    @Test("the oldest messages go when the text is too long, those that wait stay")
    func bounded() throws {
        var phone = Phone(maxBytes: 300)
        phone.connect()
        for number in 1...5 {
            let text = "\(number)" + String(repeating: "x", count: 99)
            phone.receive(.userMessage, "m\(number)", text, sequence: number)
        }
        #expect(try phone.stored().messages.map(\.id) == ["m3", "m4", "m5"])
        #expect(phone.messages.count == 3)
        #expect(try phone.stored().hasOlder)
        phone.cut()
        let waiting = try phone.write(String(repeating: "y", count: 400))
        #expect(try phone.stored().messages.map(\.id) == [waiting])
    }

    @Test("a message that cannot be read any more is requested from the server, with all others")
    func unreadable() throws {
        var phone = Phone()
        phone.connect()
        phone.receive(.userMessage, "m1", "one", sequence: 1)
        phone.receive(.userMessage, "m2", "two", sequence: 2)
        phone.messages["m1"] = "{"
        let stored = try phone.stored()
        #expect(stored.messages.map(\.id) == ["m2"] && stored.sequence == 0)
        #expect(throws: EnvelopeError.self) { try StoredConversation(head: "[]", messages: [:]) }
    }
}
