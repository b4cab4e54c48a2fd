import Consultation
import StreamCore
import Testing

/// A message that replaces an earlier one, and what was on the screen.
@Suite struct EditingTests {
    private func userMessage(_ id: String, _ text: String, edits: String? = nil, metadata: [String: JSONValue] = [:])
        -> Envelope
    {
        var metadata = metadata
        if let edits { metadata["edits"] = .string(edits) }
        return Envelope(.userMessage, content: text, messageID: id, timestamp: 0, metadata: metadata)
    }

    private func answered(_ stage: inout ServerStage, _ id: String, _ text: String) {
        stage.sendMessage(1, id, text)
        stage.model(.text("about \(text)"), .end(ModelUsage()))
    }

    @Test("An edited message takes its answer and everything after it out of the model's sight, and is marked as such")
    func editing() throws {
        var stage = ServerStage()
        stage.attach(1)
        stage.attach(2)
        answered(&stage, "m1", "first")
        answered(&stage, "m2", "second")
        answered(&stage, "m3", "third")
        _ = stage.look(2)
        stage.say(1, userMessage("m4", "second, better", edits: "m2"))
        stage.model(.text("better"), .end(ModelUsage()))
        #expect(
            stage.requests.last?.messages.map(\.text) == ["first", "about first", "second, better"])
        let superseded = stage.machine.transcript.messages.filter(\.isSuperseded).map(\.text)
        #expect(superseded == ["second", "about second", "third", "about third"])
        let reported = try #require(stage.received[2]?.first { $0.messageID == "m4" })
        #expect(reported.metadata?["edits"]?.text == "m2")

        // In history it is kept and marked, and so it is after a restart.
        let page = try #require(stage.machine.history.messages(limit: 100)).messages
        #expect(page.filter { $0["superseded"] == true }.compactMap { $0["content"]?.text } == superseded)
        try stage.restart()
        #expect(stage.machine.history.messages(limit: 100)?.messages == page)

        // Retry repeats the new one, not the old one.
        stage.attach(3)
        stage.say(3, Envelope(.retry, messageID: "m2", timestamp: 0))
        #expect(stage.received[3]?.last?.metadata?["code"]?.text == "superseded")
    }

    @Test("What replaces a message, and what was decided, is in no history before it is on disk")
    func durability() throws {
        var stage = ServerStage()
        stage.attach(1)
        stage.sendMessage(1, "m1", "buy some")
        stage.model(
            .toolCall(
                ToolCall(
                    name: "create_order_proposal",
                    arguments: [
                        "name": "Buy", "symbol": "BTC-USD", "side": "buy", "order_type": "market", "quantity": "0.1",
                    ])), .end(ModelUsage()))
        let template = try #require(stage.machine.transcript.messages.last?.template?.id)
        stage.isQuick = false
        stage.machine.decide(template, .declined, now: stage.now)
        stage.say(1, userMessage("m2", "sell some", edits: "m1"))
        let before = try #require(stage.machine.history.messages(limit: 10)).messages
        #expect(before.allSatisfy { $0["superseded"] == nil && $0["metadata"]?["decision"] == nil })
        #expect(before.count == 3)
        stage.write()
        let after = try #require(stage.machine.history.messages(limit: 10)).messages
        #expect(after.map { $0["superseded"] == true } == [true, true, true, false])
        #expect(after.compactMap { $0["metadata"]?["decision"]?.text } == ["declined"])
        // A client that was away since before the card receives first the card, then what became of it.
        stage.attach(2)
        stage.say(2, Envelope(.sync, messageID: "s", timestamp: 0, sequence: 1))
        let reported = (stage.received[2] ?? []).filter { $0.metadata?["template_id"] != nil }
        #expect(reported.map(\.type) == [.templateCreated, .templateUpdated])
        #expect(reported.first?.metadata?["decision"] == nil)
    }

    @Test("Editing while the answer is being written stops that answer, and sends the new message")
    func editingDuringAnswer() {
        var stage = ServerStage()
        stage.attach(1)
        stage.sendMessage(1, "m1", "first")
        stage.model(.text("Half"))
        let answer = stage.requests.last?.answer
        stage.sendMessage(1, "m2", "waits")
        stage.say(1, userMessage("m3", "first, better", edits: "m1"))
        #expect(stage.stopped == [answer])
        #expect(stage.requests.last?.messages.map(\.text) == ["first, better"])
        stage.model(.text("Whole"), .end(ModelUsage()))
        let ends = stage.machine.transcript.messages.filter { $0.role == .assistant }.map { ($0.text, $0.end) }
        #expect(ends.map(\.0) == ["Half", "Whole"])
        #expect(ends.map(\.1) == [.cancelled, .completed])
        // What waited is replaced, too, and gets no answer.
        #expect(!stage.machine.isAnswering)
    }

    @Test(
        "Only messages of the user that are not replaced yet can be edited",
        arguments: [("nowhere", "unknown_message"), ("c1-3", "unknown_message"), ("m1", "superseded")])
    func refusals(edited: String, code: String) {
        var stage = ServerStage()
        stage.attach(1)
        answered(&stage, "m1", "first")
        stage.say(1, userMessage("m2", "better", edits: "m1"))
        stage.model(.end(ModelUsage()))
        stage.say(1, userMessage("m3", "best", edits: edited))
        #expect(stage.received[1]?.last?.metadata?["code"]?.text == code)
        #expect(stage.received[1]?.last?.metadata?["field"]?.text == "metadata.edits")
        #expect(stage.machine.transcript.message("m3") == nil)
    }

    @Test("What is on the user's screen goes to the model, also after a restart; what is no such thing is refused")
    func screen() throws {
        var stage = ServerStage()
        stage.attach(1)
        stage.isQuick = false
        let context: JSONValue = ["symbol": "BTC-USD", "timeframe": "5m", "later": 1]
        stage.say(1, userMessage("m1", "what about this one?", metadata: ["context": context]))
        stage.write()
        // Requested, and the process dies before it is answered.
        stage.isQuick = true
        stage.requests = []
        try stage.restart()
        #expect(stage.requests.last?.screen == ScreenContext(symbol: "BTC-USD", timeframe: "5m"))

        stage.attach(1)
        let wrong: [JSONValue] = [
            "BTC-USD", ["symbol": 1], ["symbol": ""], ["account": .string(String(repeating: "a", count: 101))],
        ]
        for (number, context) in wrong.enumerated() {
            stage.say(1, userMessage("w\(number)", "and this?", metadata: ["context": context]))
            #expect(stage.received[1]?.last?.metadata?["code"]?.text == "invalid_message", "\(context)")
        }
    }

    @Test("The client marks what a message of its own replaces at once, and what one of another tab does when it comes")
    func client() throws {
        var own = OpenClient()
        let first = try own.client.send("first", now: 1)
        own.receive(.ack, first, sequence: 1)
        own.receive(.aiMessageStart, "a1", sequence: 2)
        own.receive(.aiMessageChunk, "a1", content: "One", offset: 0)
        own.receive(.aiMessageComplete, "a1", sequence: 3, offset: 3)
        let second = try own.client.send("second", MessageDetails(edits: first), now: 2)
        #expect(own.client.messages.map(\.isSuperseded) == [true, true, false])
        own.receive(.ack, second, sequence: 4)
        #expect(own.client.messages.map(\.isSuperseded) == [true, true, false])
        own.receive(.userMessage, "elsewhere", content: "third", metadata: ["edits": .string(second)], sequence: 5)
        #expect(own.client.messages.map(\.isSuperseded) == [true, true, true, false])
        // And with the whole state.
        let described: JSONValue = [
            ["message_id": "x", "role": "user", "content": "old", "timestamp": 1, "superseded": true],
            ["message_id": "y", "role": "user", "content": "new", "timestamp": 2, "metadata": ["edits": "x"]],
        ]
        own.receive(.sync, "s", metadata: ["messages": described], sequence: 9)
        #expect(own.client.messages.map(\.isSuperseded) == [true, false])
        #expect(own.client.messages.last?.details.edits == "x")
    }

    @Test("What replaces a message that left the memory replaces all that is there, but no question of our own")
    func editedBeforeMemory() throws {
        var own = OpenClient()
        own.receive(.userMessage, "u", content: "question", sequence: 1)
        own.receive(.aiMessageStart, "a", sequence: 2)
        own.receive(.aiMessageComplete, "a", content: "answer", sequence: 3)
        let failed = try own.client.send("refused", now: 1)
        own.receive(.error, failed, content: "Too many messages.")
        let pending = try own.client.send("on its way", now: 1)
        own.receive(.userMessage, "n", content: "better", metadata: ["edits": "long gone"], sequence: 4)
        #expect(own.client.messages.filter(\.isSuperseded).map(\.id) == ["u", "a"])
        #expect(Set(own.client.messages.filter { !$0.isSuperseded }.map(\.id)) == [failed, pending, "n"])
    }
}

/// Order proposals and what the user makes of them.
@Suite struct ProposalTests {
    private static let order: [String: JSONValue] = [
        "name": "Buy", "symbol": "BTC-USD", "side": "buy", "order_type": "market", "quantity": "0.1",
    ]

    @Test("A decision about a proposal is kept, sent to every client and stands in the history")
    func deciding() throws {
        var stage = ServerStage()
        stage.attach(1)
        stage.sendMessage(1, "m1", "buy some")
        stage.model(
            .toolCall(ToolCall(name: "create_order_proposal", arguments: Self.order)),
            .toolCall(ToolCall(name: "create_watchlist", arguments: ["name": "W", "symbols": ["BTC-USD"]])),
            .end(ModelUsage(inputTokens: 12, outputTokens: 3)))
        let templates = stage.machine.transcript.messages.compactMap(\.template)
        #expect(templates.count == 2)
        #expect(stage.machine.proposal(templates[1].id) == nil)
        #expect(stage.received[1]?.last?.metadata?["usage"]?["output_tokens"]?.integer == 3)

        var own = OpenClient()
        stage.machine.decide(templates[0].id, .approved(order: "paper-main-7"), now: stage.now)
        stage.runUntilIdle()
        let reported = try #require(stage.received[1]?.last)
        #expect(reported.type == .templateUpdated)
        #expect(
            reported.metadata == [
                "template_id": .string(templates[0].id), "decision": "approved", "order_id": "paper-main-7",
            ])
        // Once is enough.
        let entries = stage.disk.count
        stage.machine.decide(templates[0].id, .declined, now: stage.now)
        stage.runUntilIdle()
        #expect(stage.disk.count == entries)

        try stage.restart()
        #expect(stage.machine.proposal(templates[0].id)?.template?.decision == .approved(order: "paper-main-7"))
        let page = try #require(stage.machine.history.messages(limit: 10)).messages
        let proposal = try #require(page.first { $0["metadata"]?["type"]?.text == "order_proposal" })
        #expect(proposal["metadata"]?["decision"]?.text == "approved")
        #expect(proposal["metadata"]?["order_id"]?.text == "paper-main-7")
        #expect(page.count == 4)

        // The client's card says so.
        for frame in stage.frames[1] ?? [] { own.receive(frame) }
        #expect(own.client.messages.compactMap(\.template?.decision) == [.approved(order: "paper-main-7")])
        #expect(own.client.diagnostics.gaps == 0)
    }
}
