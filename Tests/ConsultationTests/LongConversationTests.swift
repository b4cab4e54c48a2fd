import Consultation
import StreamCore
import Synchronization
import Testing

@testable import ConversationCore

/// What long conversations and big messages cost.
@Suite struct LongConversationTests {
    private static func sync(_ id: String = "s", sequence: Int = 0) -> Envelope {
        Envelope(.sync, messageID: id, timestamp: 0, sequence: sequence == 0 ? nil : sequence)
    }

    private static func reads(_ body: () -> Void) -> Int {
        let counter = ReadCounter()
        ReadCounter.$current.withValue(counter) { body() }
        return counter.reads.load(ordering: .relaxed)
    }

    @Test("issue 7: 2,000 messages are exported, synchronised, sent again and cancelled without a search for each")
    func work() throws {
        var stage = ServerStage()
        stage.allowances = UserAllowances(rate: 1e6, burst: 1e6)
        stage.attach(1)
        for number in 0..<1_000 {
            stage.sendMessage(1, "m\(number)", "question \(number)")
            stage.model(.text("answer \(number)"), .end(ModelUsage()))
        }
        let machine = stage.machine
        #expect(machine.transcript.messages.count == 2_000)
        var exported = 0
        #expect(Self.reads { exported = machine.history.messages(limit: .max)?.messages.count ?? 0 } <= 2_000)
        #expect(exported == 2_000)
        let page = try #require(machine.history.messages(before: "m500", limit: 3))
        #expect(page.messages.map { $0["content"]?.text } == ["answer 498", "question 499", "answer 499"])
        #expect(page.messages.last?["end"] == "completed" && page.more)

        // What is done on the conversations' loop, where others wait.
        let first = stage.requests[0].answer
        #expect(Self.reads { stage.attach(2) } <= 5)
        #expect(Self.reads { stage.say(2, Self.sync()) } <= 200)
        #expect(stage.received[2]?.last?.metadata?["left_out"]?.integer == 1_900)
        #expect(Self.reads { stage.sendMessage(2, "m0", "question 0") } <= 5)
        #expect(stage.received[2]?.last?.type == .ack)
        #expect(Self.reads { stage.say(2, Envelope(.cancel, messageID: first, timestamp: 0)) } <= 5)
        #expect(stage.received[2]?.last?.content == "answer 0")
        #expect(Self.reads { stage.say(2, Envelope(.cancel, messageID: "m1", timestamp: 0)) } <= 5)
        #expect(stage.received[2]?.last?.content == "answer 1")
        // What is counted is looked at: each event that a client missed, once or twice.
        let last = machine.transcript.events.count
        #expect(90...300 ~= Self.reads { stage.say(2, Self.sync(sequence: last - 90)) })
    }

    private static func meal(_ bytes: Int) -> ModelEvent {
        .toolCall(
            ToolCall(
                name: "create_meal",
                arguments: ["name": "Much", "meals": [["name": .string(String(repeating: "\u{1}", count: bytes / 6))]]])
        )
    }

    @Test("issue 7: a sync of big templates has what fits, the newest ones, and says how many it leaves out")
    func bigTemplates() throws {
        var stage = ServerStage()
        stage.attach(1)
        stage.sendMessage(1, "m1", "everything")
        for _ in 0..<90 { stage.model(Self.meal(60_000)) }
        stage.model(.end(ModelUsage()))
        stage.attach(2)
        stage.say(2, Self.sync())
        let frame = try #require(stage.frames[2]?.last)
        #expect(frame.count <= stage.machine.settings.syncBytes + 1_000)
        let metadata = try #require(stage.received[2]?.last?.metadata)
        let reported = try #require(metadata["messages"]?.elements)
        #expect(reported.count >= 8)
        #expect(metadata["left_out"]?.integer == 92 - reported.count)
        #expect(reported.last?["message_id"]?.text == stage.machine.transcript.messages.last?.id)

        // One message is sent, however big it is.
        var settings = ConversationSettings()
        settings.syncBytes = 1_000
        try stage.restart(settings: settings)
        stage.attach(3)
        stage.say(3, Self.sync())
        #expect(stage.received[3]?.last?.metadata?["messages"]?.elements?.count == 1)
    }

    @Test("the answer under way is sent whatever stands behind it, so that its next words are known")
    func answerUnderWay() throws {
        var settings = ConversationSettings()
        settings.syncBytes = 500
        var stage = ServerStage(settings: settings)
        stage.attach(1)
        stage.sendMessage(1, "m1", "go on")
        stage.model(.text("Once "))
        stage.say(
            1, Envelope(.userMessage, content: String(repeating: "x", count: 2_000), messageID: "m2", timestamp: 0))
        stage.attach(2)
        stage.say(2, Self.sync())
        #expect(stage.received[2]?.last?.metadata?["messages"]?.elements?.count == 2)
        stage.model(.text("upon"))
        var own = OpenClient()
        for frame in stage.frames[2] ?? [] { own.receive(frame) }
        #expect(own.client.messages.contains { $0.text == "Once upon" && $0.isStreaming })
    }

    @Test("rule 9: long replies go one by one, as the reader reads them")
    func longReplies() {
        var stage = ServerStage()
        stage.attach(1)
        stage.sendMessage(1, "m1", "much")
        stage.model(.text(String(repeating: "a", count: 200_000)), .end(ModelUsage()))
        stage.attach(2)
        stage.isReading = false
        for _ in 0..<30 { stage.say(2, Envelope(.cancel, messageID: "m1", timestamp: 0)) }
        var seen = 0
        for number in 1...30 {
            let frames = stage.frames[2] ?? []
            #expect(frames.count == number)
            let bytes = frames[seen...].reduce(0) { $0 + $1.count }
            #expect(bytes < 300_000)
            seen = frames.count
            stage.machine.wrote(ClientNumber(rawValue: 2), bytes: bytes, now: stage.now)
            stage.runUntilIdle()
        }
        #expect(stage.closed.isEmpty)
    }

    @Test("issue 7: a connection that requests the state again and again is refused for a while, and others are not")
    func syncRate() {
        var stage = ServerStage()
        stage.attach(1)
        stage.attach(2)
        for _ in 0..<20 { stage.say(1, Self.sync()) }
        #expect(stage.received[1]?.map(\.type) == Array(repeating: .sync, count: 20))
        stage.say(1, Self.sync("late"))
        let refused = stage.received[1]?.last
        #expect(refused?.metadata?["code"] == "rate_limited" && refused?.metadata?["retry_after"] == 1)
        #expect(refused?.metadata?["message_id"] == "late")
        stage.say(2, Self.sync())
        #expect(stage.received[2]?.last?.type == .sync)
        stage.pass(1)
        stage.say(1, Self.sync())
        #expect(stage.received[1]?.last?.type == .sync)
        #expect(stage.machine.counts.synced == 22)
    }
}
