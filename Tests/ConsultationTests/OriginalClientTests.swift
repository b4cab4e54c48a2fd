import Consultation
import StreamCore
import TestKit
import Testing

/// Clients of the original protocol: they keep what they show through a lost connection and send no `sync`.
@Suite("Original clients")
struct OriginalClientTests {
    private static let phone = "anna\nphone"

    @Test("a client that comes back in mid-answer gets the rest of it, and its start not again")
    func middle() {
        var stage = ServerStage()
        stage.attach(1, name: Self.phone)
        stage.sendMessage(1, "m1", "hi")
        stage.model(.text("one "))
        #expect(stage.look(1) == ["ack", "ai_message_start", "ai_message_chunk:one "])
        stage.detach(1)
        stage.model(.text("two "))
        stage.attach(2, name: Self.phone)
        #expect(stage.look(2) == ["ai_message_chunk:two "])
        stage.model(.text("three"), .end(ModelUsage()))
        #expect(stage.look(2) == ["ai_message_chunk:three", "ai_message_complete"])
    }

    @Test("an answer that ended meanwhile is ended for it, and what it missed follows")
    func endedMeanwhile() {
        var stage = ServerStage()
        stage.attach(1, name: Self.phone)
        stage.attach(9)
        stage.sendMessage(1, "m1", "hi")
        stage.model(.text("one "))
        stage.detach(1)
        stage.model(.text("two"), .end(ModelUsage()))
        stage.sendMessage(9, "m2", "more")
        stage.model(.text("three"), .end(ModelUsage()))
        _ = stage.look(1)
        stage.attach(2, name: Self.phone)
        #expect(
            stage.look(2) == [
                "ai_message_chunk:two", "ai_message_complete", "user_message:more", "ai_message_start",
                "ai_message_chunk:three", "ai_message_complete",
            ])
        stage.detach(2)
        stage.attach(3, name: Self.phone)
        #expect(stage.look(3) == [])
    }

    @Test("a frame without an answer to its ping was not received, and nothing follows it until then")
    func unconfirmed() {
        var stage = ServerStage()
        stage.attach(1, name: Self.phone)
        stage.sendMessage(1, "m1", "hi")
        stage.model(.text("one "))
        stage.silent = [1]
        stage.model(.text("two "))
        stage.model(.text("three"), .end(ModelUsage()))
        #expect(stage.look(1) == ["ack", "ai_message_start", "ai_message_chunk:one ", "ai_message_chunk:two "])
        stage.detach(1)
        stage.attach(2, name: Self.phone)
        #expect(stage.look(2) == ["ai_message_chunk:two three", "ai_message_complete"])
    }

    @Test("its own message is acknowledged after it comes back, and not shown to it again")
    func ownMessage() {
        var stage = ServerStage()
        stage.isQuick = false
        stage.attach(1, name: Self.phone)
        stage.sendMessage(1, "m1", "hi")
        stage.detach(1)
        stage.attach(2, name: Self.phone)
        stage.write()
        #expect(stage.look(2).first == "ack")
    }

    @Test("templates follow the end of their answer, also after a cut between the two")
    func templates() {
        var stage = ServerStage()
        stage.attach(1, name: Self.phone)
        stage.attach(9)
        stage.sendMessage(1, "m1", "plan")
        let plan = ToolCall(name: "create_watchlist", arguments: ["name": "Plan", "symbols": ["BTC-USD"]])
        stage.model(.text("Here: "), .toolCall(plan))
        #expect(stage.machine.transcript.messages.last?.template?.name == "Plan")
        stage.model(.text("done"))
        #expect(
            stage.look(1) == ["ack", "ai_message_start", "ai_message_chunk:Here: ", "ai_message_chunk:done"])
        #expect(stage.look(9).contains { $0.hasPrefix("template_created") })
        stage.detach(1)
        stage.attach(2, name: Self.phone)
        stage.model(.end(ModelUsage()))
        #expect(stage.look(2).map { $0.prefix { $0 != ":" } } == ["ai_message_complete", "template_created"])
        stage.detach(2)
        stage.attach(3, name: Self.phone)
        #expect(stage.look(3) == [])
    }

    @Test("other programs, and a client that ended its connection, begin the answer under way at its start")
    func others() {
        var stage = ServerStage()
        stage.attach(1, name: Self.phone)
        stage.sendMessage(1, "m1", "hi")
        stage.model(.text("one "))
        stage.detach(1)
        stage.attach(2, name: "anna\ntablet")
        #expect(stage.look(2) == ["ai_message_start", "ai_message_chunk:one "])
        stage.detach(2, isFinal: true)
        stage.attach(3, name: "anna\ntablet")
        #expect(stage.look(3) == ["ai_message_start", "ai_message_chunk:one "])
    }

    @Test("a client that sends sync is served as before, and leaves an original one its place")
    func sync() {
        var stage = ServerStage()
        stage.attach(1, name: Self.phone)
        stage.sendMessage(1, "m1", "hi")
        stage.model(.text("one "))
        let answer = stage.requests[0].answer
        stage.detach(1)
        stage.model(.text("two "))
        stage.attach(2, name: Self.phone)
        _ = stage.look(2)
        stage.say(2, Envelope(.sync, messageID: answer, timestamp: stage.now, sequence: 2, offset: 2))
        #expect(stage.look(2) == ["sync", "ai_message_chunk:e two "])
        stage.detach(2)
        stage.attach(3, name: Self.phone)
        #expect(stage.look(3) == ["ai_message_chunk:two "])
    }

    @Test("a client that is back before its lost connection is noticed goes on; a second one begins at the start")
    func rivals() {
        var stage = ServerStage()
        stage.attach(1, name: Self.phone)
        stage.sendMessage(1, "m1", "hi")
        stage.model(.text("one "))
        stage.attach(2, name: Self.phone)
        #expect(stage.look(2) == ["ai_message_start", "ai_message_chunk:one "])
        // The first is lost, and the server does not know it.
        stage.silent = [1]
        stage.attach(3, name: Self.phone)
        #expect(stage.look(3) == [])
        stage.model(.text("two "))
        #expect(stage.look(3) == [])
        stage.pass(2)
        #expect(stage.closed == [1: .slowReader])
        #expect(stage.look(3) == ["ai_message_chunk:two "])
    }

    @Test("a client that stops answering pings is closed after 30 s, and goes on behind what it confirmed")
    func pongsEnd() {
        var stage = ServerStage()
        stage.attach(1, name: Self.phone)
        stage.sendMessage(1, "m1", "hi")
        stage.silent = [1]
        stage.model(.text("one "))
        stage.model(.text("two "))
        #expect(stage.look(1) == ["ack", "ai_message_start", "ai_message_chunk:one "])
        stage.pass(29)
        #expect(stage.closed.isEmpty)
        stage.pass(2)
        #expect(stage.closed == [1: .slowReader])
        stage.attach(2, name: Self.phone)
        #expect(stage.look(2) == ["ai_message_chunk:one two "])
    }

    @Test("a client that answers no pings is sent everything, and what it was sent counts as received")
    func noPongs() {
        var stage = ServerStage()
        stage.silent = [1, 2]
        stage.attach(1, name: Self.phone)
        stage.sendMessage(1, "m1", "hi")
        stage.model(.text("one "))
        #expect(stage.look(1) == ["ack"])
        stage.pass(3)
        #expect(stage.look(1) == ["ai_message_start", "ai_message_chunk:one "])
        stage.model(.text("two "))
        stage.detach(1)
        stage.attach(2, name: Self.phone)
        stage.pass(3)
        #expect(stage.look(1) == ["ai_message_chunk:two "])
        #expect(stage.look(2) == [])
    }

    @Test("after a restart it gets the end of the answer that it shows as under way")
    func restart() throws {
        var stage = ServerStage()
        stage.attach(1, name: Self.phone)
        stage.sendMessage(1, "m1", "hi")
        stage.model(.text("one "))
        stage.pass(1)
        try stage.restart()
        stage.attach(2, name: Self.phone)
        // A `sync` could be on its way.
        #expect(stage.look(2) == [])
        stage.pass(2)
        #expect(stage.look(2) == ["ai_message_complete"])
        // What ended since is known to have been sent: a new client waits for nothing.
        stage.sendMessage(2, "m2", "again")
        stage.model(.text("two"), .end(ModelUsage()))
        stage.attach(3, name: "anna\ntablet")
        stage.sendMessage(3, "m3", "more")
        #expect(stage.look(3) == ["ack", "ai_message_start"])
    }

    @Test("what is kept of clients that left has a number and a time")
    func bounds() {
        var settings = ConversationSettings()
        (settings.maxDeparted, settings.absence) = (2, 60)
        var stage = ServerStage(settings: settings)
        for client in 1...3 {
            stage.attach(client, name: "anna\n\(client)")
            stage.detach(client)
        }
        #expect(stage.machine.departed.count == 2)
        stage.pass(60)
        stage.attach(4, name: "anna\n4")
        #expect(stage.machine.departed.isEmpty)
    }

    @Test("at any cut what it shows is the answer, once, and ended", arguments: 0..<40)
    func cuts(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var stage = ServerStage()
        var shown = OriginalChat()
        var connection = 1
        stage.attach(connection, name: Self.phone)
        stage.sendMessage(connection, "m1", "hi")
        for word in 0..<30 {
            stage.model(.text("word\(word) "))
            switch random.next() % 4 {
            case 0:
                // The last frame is lost, and with it the answer to its ping.
                shown.receive(stage.received.removeValue(forKey: connection) ?? [])
                stage.silent = [connection]
                stage.model(.text("lost\(word) "))
                stage.received[connection] = nil
                stage.detach(connection)
            case 1:
                shown.receive(stage.received.removeValue(forKey: connection) ?? [])
                stage.detach(connection)
            default: continue
            }
            if random.next() % 2 == 0 { stage.model(.text("away\(word) ")) }
            connection += 1
            stage.attach(connection, name: Self.phone)
        }
        stage.detach(connection)
        shown.receive(stage.received.removeValue(forKey: connection) ?? [])
        stage.model(.end(ModelUsage()))
        stage.attach(connection + 1, name: Self.phone)
        shown.receive(stage.received.removeValue(forKey: connection + 1) ?? [])
        let answer = stage.machine.transcript.messages[1]
        #expect(shown.bubbles.map(\.text) == [answer.text])
        #expect(!shown.isTyping)
    }
}

/// What a client of the original protocol shows.
private struct OriginalChat {
    var bubbles: [(id: String, text: String)] = []
    var isTyping = false

    mutating func receive(_ frames: [Envelope]) {
        for frame in frames {
            switch frame.type {
            case .aiMessageStart:
                bubbles.append((frame.messageID, ""))
                isTyping = true
            case .aiMessageChunk:
                guard let index = bubbles.firstIndex(where: { $0.id == frame.messageID }) else { continue }
                bubbles[index].text += frame.content ?? ""
            case .aiMessageComplete: isTyping = false
            default: break
            }
        }
    }
}
