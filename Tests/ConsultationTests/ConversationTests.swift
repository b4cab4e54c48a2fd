import Consultation
import StreamCore
import Testing

@Suite struct ConversationTests {
    @Test("a question is acknowledged and answered word by word, to every tab")
    func streaming() {
        var stage = ServerStage()
        stage.attach(1)
        stage.attach(2)
        stage.sendMessage(1, "m1", "I want to lose weight")
        stage.model(.text("Eat "), .text("well."), .end(ModelUsage()))
        #expect(
            stage.look(1) == [
                "ack", "ai_message_start", "ai_message_chunk:Eat ", "ai_message_chunk:well.", "ai_message_complete",
            ])
        #expect(
            stage.look(2) == [
                "user_message:I want to lose weight", "ai_message_start", "ai_message_chunk:Eat ",
                "ai_message_chunk:well.", "ai_message_complete",
            ])
        #expect(stage.requests.map(\.messages) == [[ModelMessage(.user, "I want to lose weight")]])
        #expect(stage.machine.transcript.messages.last?.end == .completed)
    }

    @Test("events are numbered without holes, and chunks carry their place in bytes")
    func numbers() {
        var stage = ServerStage()
        stage.attach(1)
        stage.sendMessage(1, "m1", "hi")
        stage.model(.text("é"), .text("\u{1F600}x"), .end(ModelUsage()))
        let received = stage.received[1] ?? []
        #expect(received.map(\.sequence) == [1, 2, nil, nil, 3])
        #expect(received.map(\.offset) == [nil, nil, 0, 2, 7])
    }

    @Test("nothing is acknowledged before it is on disk, and nothing shown as having happened")
    func durability() {
        var stage = ServerStage()
        stage.isQuick = false
        stage.write()
        stage.attach(1)
        stage.sendMessage(1, "m1", "hi")
        #expect(stage.look(1).isEmpty && stage.requests.isEmpty)
        stage.write()
        #expect(stage.look(1) == ["ack"] && stage.requests.count == 1)
        stage.model(.text("Hello"))
        #expect(stage.look(1).isEmpty)
        stage.write()
        #expect(stage.look(1) == ["ai_message_start", "ai_message_chunk:Hello"])
        stage.model(.text(" you"), .end(ModelUsage()))
        #expect(stage.look(1) == ["ai_message_chunk: you"])
        stage.write()
        #expect(stage.look(1) == ["ai_message_complete"])
    }

    @Test("a message that comes twice is one message, acknowledged again")
    func duplicates() {
        var stage = ServerStage()
        stage.attach(1)
        stage.sendMessage(1, "m1", "hi")
        stage.model(.end(ModelUsage()))
        _ = stage.look(1)
        stage.sendMessage(1, "m1", "hi")
        #expect(stage.look(1) == ["ack"] && stage.requests.count == 1)
        stage.sendMessage(1, "m1", "something else")
        #expect(stage.received[1]?.last?.metadata?["code"] == "duplicate_id")
        #expect(stage.machine.transcript.messages.count == 2 && stage.machine.counts.duplicates == 1)
    }

    @Test("messages of a burst stay messages, and are answered together")
    func burst() {
        var stage = ServerStage()
        stage.attach(1)
        stage.sendMessage(1, "m1", "one")
        stage.sendMessage(1, "m2", "two")
        stage.sendMessage(1, "m3", "three")
        #expect(stage.requests.count == 1)
        stage.model(.text("first"), .end(ModelUsage()))
        #expect(stage.requests.count == 2)
        #expect(stage.requests.last?.messages.map(\.text) == ["one", "first", "two", "three"])
        #expect(stage.machine.transcript.messages.filter { $0.role == .user }.map(\.text) == ["one", "two", "three"])
    }

    @Test("a drop stops nothing: the answer goes on, and a client that comes back gets the rest and nothing twice")
    func resume() {
        var stage = ServerStage()
        stage.attach(1)
        stage.sendMessage(1, "m1", "hi")
        stage.model(.text("one "))
        let answer = stage.requests[0].answer
        stage.detach(1)
        stage.model(.text("two "))
        #expect(stage.stopped.isEmpty)
        stage.attach(3)
        _ = stage.look(3)
        stage.say(3, Envelope(.sync, messageID: answer, timestamp: stage.now, sequence: 2, offset: 4))
        stage.model(.text("three"), .end(ModelUsage()))
        #expect(
            stage.look(3) == ["sync", "ai_message_chunk:two ", "ai_message_chunk:three", "ai_message_complete"])
        #expect(stage.machine.counts.resumed == 1)
    }

    @Test("a new client gets the whole state in one message, and then the rest")
    func sync() throws {
        var stage = ServerStage()
        stage.attach(1)
        stage.sendMessage(1, "m1", "hi")
        stage.model(.text("one "))
        stage.attach(2)
        _ = stage.look(2)
        stage.say(2, Envelope(.sync, messageID: "x", timestamp: stage.now, sequence: 0))
        let sync = try #require(stage.received[2]?.first)
        let messages = try #require(sync.metadata?["messages"]?.elements)
        #expect(messages.map { $0["content"] } == ["hi", "one "] && messages[1]["end"] == "streaming")
        #expect(sync.sequence == 2)
        _ = stage.look(2)
        stage.model(.text("two"), .end(ModelUsage()))
        #expect(stage.look(2) == ["ai_message_chunk:two", "ai_message_complete"])
    }

    @Test("a place that cannot be gets the whole state instead", arguments: [(9, 0), (2, 99), (2, 1)])
    func impossiblePlaces(sequence: Int, offset: Int) {
        var stage = ServerStage()
        stage.attach(1)
        stage.sendMessage(1, "m1", "hi")
        stage.model(.text("é"))
        stage.attach(2)
        _ = stage.look(2)
        let answer = stage.requests[0].answer
        stage.say(2, Envelope(.sync, messageID: answer, timestamp: stage.now, sequence: sequence, offset: offset))
        #expect(stage.received[2]?.first?.metadata?["messages"] != nil)
    }

    @Test("cancel stops the model, and is answered with the text that is kept")
    func cancel() {
        var stage = ServerStage()
        stage.attach(1)
        stage.sendMessage(1, "m1", "hi")
        stage.model(.text("Once upon"))
        let answer = stage.requests[0].answer
        _ = stage.look(1)
        stage.say(1, Envelope(.cancel, messageID: answer, timestamp: stage.now))
        #expect(stage.stopped == [answer])
        #expect(stage.look(1) == ["cancelled:Once upon", "ai_message_complete"])
        // What the model still says is not put there, and cancelling again gives the same answer.
        stage.model(.text(" a time"), .end(ModelUsage()))
        #expect(stage.look(1).isEmpty)
        stage.say(1, Envelope(.cancel, messageID: answer, timestamp: stage.now))
        #expect(stage.look(1) == ["cancelled:Once upon"])
        #expect(stage.machine.transcript.messages.last?.end == .cancelled)
    }

    @Test("partial text is on disk after a second, and is marked after a restart")
    func restart() throws {
        var stage = ServerStage()
        stage.attach(1)
        stage.sendMessage(1, "m1", "hi")
        stage.model(.text("kept "))
        stage.pass(1.1)
        stage.model(.text("lost"))
        try stage.restart()
        let last = try #require(stage.machine.transcript.messages.last)
        #expect(last.text == "kept " && last.end == .interrupted)
        stage.attach(2)
        stage.say(2, Envelope(.sync, messageID: last.id, timestamp: stage.now, sequence: 2, offset: 9))
        let messages = stage.received[2]?.last?.metadata?["messages"]?.elements
        #expect(messages?.last?["content"] == "kept " && messages?.last?["end"] == "interrupted")
    }

    @Test("a question on disk without an answer is answered after a restart")
    func restartWithQuestion() throws {
        var stage = ServerStage()
        stage.attach(1)
        stage.isQuick = false
        stage.sendMessage(1, "m1", "hi")
        stage.disk += stage.waiting
        stage.isQuick = true
        try stage.restart()
        #expect(stage.requests.map(\.messages.last?.text) == ["hi"])
    }

    @Test("a template becomes a line, a card and an entry; one without its fields does not")
    func template() {
        var stage = ServerStage()
        stage.attach(1)
        stage.sendMessage(1, "m1", "an alert please")
        stage.model(
            .toolCall(
                ToolCall(
                    name: "create_alert",
                    arguments: ["name": "High", "symbol": "BTC-USD", "condition": "above", "price": "70000"])),
            .toolCall(ToolCall(name: "create_alert", arguments: ["name": "Bad", "symbol": "BTC-USD"])),
            .toolCall(ToolCall(name: "delete_everything", arguments: [:])), .end(ModelUsage(finishReason: "tool_calls"))
        )
        let cards = (stage.received[1] ?? []).filter { $0.type == .templateCreated }
        #expect(cards.map(\.content) == ["Created alert template: High"])
        #expect(cards.first?.metadata?["price"] == "70000" && cards.first?.metadata?["type"] == "alert")
        #expect(stage.machine.counts.toolCallsRefused == 2)
        // The card is what was requested; what became of the rest is said.
        let answer = stage.machine.transcript.message(stage.requests[0].answer)
        #expect(
            answer?.text
                == "(2 cards could not be made. The field condition is missing. There is no tool \"delete_everything\".)"
        )
        #expect(answer?.end == .completed)
    }

    @Test("a model that fails, is silent or does not end is reported, and its text kept")
    func failures() {
        var settings = ConversationSettings()
        settings.maxAnswerLength = 10
        var stage = ServerStage(settings: settings)
        stage.attach(1)
        stage.sendMessage(1, "m1", "a")
        stage.model(.text("part"), .failed("The model is overloaded."))
        #expect(
            stage.look(1).suffix(3) == [
                "ai_message_chunk:part", "error:The model is overloaded.", "ai_message_complete",
            ])
        stage.sendMessage(1, "m2", "b")
        stage.pass(61)
        #expect(stage.stopped == [stage.requests[1].answer])
        #expect(stage.machine.transcript.messages.last?.end?.name == "failed")
        stage.sendMessage(1, "m3", "c")
        stage.model(.text("0123456789"), .text("x"))
        #expect(stage.stopped.last == stage.requests[2].answer)
        #expect(stage.machine.transcript.messages.last?.text == "0123456789")
    }

    @Test("retry requests another answer to the same question")
    func retry() {
        var stage = ServerStage()
        stage.attach(1)
        stage.sendMessage(1, "m1", "a")
        stage.model(.text("no"), .end(ModelUsage()))
        stage.say(1, Envelope(.retry, messageID: stage.requests[0].answer, timestamp: stage.now))
        #expect(stage.requests.count == 2 && stage.requests[1].messages.last == ModelMessage(.user, "a"))
        stage.model(.text("yes"), .end(ModelUsage()))
        #expect(stage.machine.transcript.messages.map(\.text) == ["a", "no", "yes"])
    }

    @Test("a message has 1 to 5000 characters; what is refused names its message")
    func lengths() {
        var stage = ServerStage()
        stage.attach(1)
        stage.sendMessage(1, "m1", "  \n")
        stage.sendMessage(1, "m2", String(repeating: "é", count: 5001))
        stage.sendMessage(1, "m3", String(repeating: "é", count: 5000))
        let received = stage.received[1] ?? []
        #expect(received.prefix(2).map { $0.metadata?["code"] } == ["empty_message", "message_too_long"])
        #expect(received.prefix(2).map { $0.metadata?["message_id"] } == ["m1", "m2"])
        #expect(stage.machine.transcript.messages.first?.id == "m3")
        stage.sendMessage(1, "c1-99", "an answer's name")
        #expect(stage.received[1]?.last?.metadata?["code"] == "invalid_id")
    }

    @Test("one user's messages are limited over all conversations, with the time to wait")
    func rateLimit() {
        var stage = ServerStage()
        stage.allowances = UserAllowances(rate: 0.5, burst: 2)
        stage.attach(1)
        for number in 1...3 { stage.sendMessage(1, "m\(number)", "x") }
        let error = stage.received[1]?.last
        #expect(error?.metadata?["code"] == "rate_limited" && error?.metadata?["retry_after"] == 2)
        stage.pass(2)
        stage.sendMessage(1, "m3", "x")
        #expect(stage.machine.transcript.messages.filter { $0.role == .user }.count == 3)
    }

    @Test("Where a client may use any name, all names together are limited, too")
    func sharedRateLimit() {
        var allowances = UserAllowances(rate: 0.5, burst: 2, users: 3)
        let refusals = (1...8).map { allowances.refusal(of: "user \($0)", now: 1_000) }
        #expect(refusals.map { $0 == nil } == [true, true, true, true, true, true, false, false])
        // Three users' messages come back in the time in which one's does.
        #expect(refusals.last??.code == "rate_limited")
        #expect((9...12).map { allowances.refusal(of: "user \($0)", now: 1_002) == nil } == [true, true, true, false])
        #expect(UserAllowances().users == nil)
    }

    @Test("Names that only look the same are two users")
    func names() {
        #expect(UserKey("andr\u{E9}") == UserKey("andr\u{E9}"))
        #expect(UserKey("andr\u{E9}") != UserKey("andre\u{301}"))
        #expect(Set([UserKey("andr\u{E9}"), UserKey("andre\u{301}"), UserKey("andr\u{E9}")]).count == 2)
    }

    @Test("a ping is answered with its own id")
    func ping() {
        var stage = ServerStage()
        stage.attach(1)
        stage.say(1, Envelope(.ping, messageID: "p7", timestamp: stage.now))
        #expect(stage.received[1]?.map(\.type) == [.pong] && stage.received[1]?.first?.messageID == "p7")
    }

    @Test("rule 9: a reader that stopped costs its window; its chunks are joined and none is lost")
    func slowReader() {
        var settings = ConversationSettings()
        settings.window = 1000
        var stage = ServerStage(settings: settings)
        stage.attach(1)
        stage.sendMessage(1, "m1", "x")
        stage.isReading = false
        var text = ""
        for number in 0..<2000 {
            stage.model(.text("word\(number) "))
            text += "word\(number) "
        }
        stage.model(.end(ModelUsage()))
        let unread = stage.frames[1] ?? []
        #expect(unread.map(\.count).reduce(0, +) < 2500)
        // It reads again: what it lacked comes in a few frames.
        stage.isReading = true
        stage.machine.wrote(ClientNumber(rawValue: 1), bytes: 1 << 20, now: stage.now)
        stage.runUntilIdle()
        #expect((stage.frames[1]?.count ?? 0) - unread.count < 6)
        let chunks = (stage.received[1] ?? []).filter { $0.type == .aiMessageChunk }
        #expect(chunks.compactMap(\.content).joined() == text)
        #expect(stage.received[1]?.last?.type == .aiMessageComplete)
    }

    @Test(
        "rule 9: a client that does not read is closed with 4008, one that sends invalid frames with 4100"
    )
    func hostile() {
        var stage = ServerStage()
        stage.isReading = false
        stage.attach(1)
        stage.attach(2)
        for number in 0..<5000 where stage.closed[1] == nil {
            stage.say(1, Envelope(.ping, messageID: "p\(number)", timestamp: stage.now))
        }
        #expect(stage.closed[1] == .slowReader)
        stage.isReading = true
        for _ in 0..<20 { stage.say(2, Array("{}".utf8)) }
        #expect(stage.closed[2] == .badRequests && stage.machine.clientCount == 0)
    }

    @Test("entries are read back as they were written")
    func entries() throws {
        var stage = ServerStage()
        stage.attach(1)
        stage.sendMessage(1, "m1", "hi \"you\"")
        stage.model(
            .text("a"),
            .toolCall(ToolCall(name: "create_watchlist", arguments: ["name": "n", "symbols": ["A", "B"]])),
            .failed("b"))
        let again = try stage.disk.map { try ConversationEntry(json: JSONValue(parsing: $0.json.json)) }
        #expect(again == stage.disk)
        #expect(try Transcript(again) == stage.machine.transcript)
        #expect(Set(again.map(\.kind)).count == 6)
        #expect(throws: TranscriptError.self) { try Transcript(stage.disk.dropFirst()) }
        #expect(throws: TranscriptError.self) { try Transcript(stage.disk.prefix(2) + stage.disk.dropFirst(3)) }
    }

    @Test("a store that fails disconnects every client to come back, and stops the model")
    func storeFails() {
        var stage = ServerStage()
        stage.attach(1)
        stage.sendMessage(1, "m1", "x")
        stage.machine.storeFailed()
        stage.runUntilIdle()
        #expect(stage.closed[1] == .tryAgainLater && stage.stopped.count == 1 && stage.machine.deadline == nil)
    }
}
