import CandlewireServer
import Consultation
import Foundation
import HistoryStore
import MarketFeeds
import StreamCore
import Testing
import WebSocketTransport

@Suite("Consultations and their disk", .timeLimit(.minutes(15)))
struct ConsultationDiskTests {
    private func append(_ folder: String, _ append: ConversationAppend) async throws {
        let store = try ConversationStore(directory: folder)
        try await withCheckedThrowingContinuation { continuation in
            store.append(append) { continuation.resume(with: $0) }
        }
        try store.close()
    }

    private func record(_ number: Int, _ time: Double, _ event: ConversationEvent) -> ConversationRecord {
        let entry = ConversationEntry(number: number, time: time, event: event)
        return ConversationRecord(number: number, time: time, kind: entry.kind, body: entry.json.json)
    }

    @Test("What cannot be written did not happen: clients are sent away, and come back to what is on disk")
    func failure() async throws {
        let model = PromptedModel()
        let folder = RunningServer.temporaryFolder()
        try await RunningServer.with(
            feed: ConsultationServerTests.feed, folder: folder, consultation: ConsultationServerTests.options(model)
        ) { server in
            let client = TradingClient(server: server)
            let id = try await ConsultationServerTests.begin(client)
            let talk = try await Talk.open(server, id)
            try await talk.sync()
            _ = try await talk.next(.sync)
            // Another process writes: the server's next entry does not fit any more.
            try await append(
                folder,
                ConversationAppend(
                    conversation: id,
                    records: [record(2, 1_800_000_000, .userMessage(id: "other", text: "from elsewhere"))],
                    messages: 1))
            try await talk.sendMessage("mine", id: "m1")
            #expect(await talk.closeCode() == .tryAgainLater)

            let again = try await Talk.open(server, id)
            try await again.sync()
            let reported = try await again.next(.sync).metadata?["messages"]?.elements?.compactMap {
                $0["message_id"]?.text
            }
            #expect(reported?.first == "other")
            #expect(reported?.contains("m1") == false)
            // Sent again, it is accepted.
            try await again.sendMessage("mine", id: "m1")
            #expect(try await again.next(.ack).messageID == "m1")
            await again.socket.close()
        }
    }

    @Test("Conversations in which nothing happened for longer than they are kept are deleted, and others are not")
    func retention() async throws {
        let folder = RunningServer.temporaryFolder()
        let now = Date().timeIntervalSince1970
        let (old, new) = (UUID().uuidString.lowercased(), UUID().uuidString.lowercased())
        for (id, age) in [(old, 91.0), (new, 89.0)] {
            try await append(
                folder,
                ConversationAppend(
                    conversation: id, opening: .init(user: "anna", kind: "x"),
                    records: [record(1, now - age * 86_400, .opened(user: "anna", kind: "x"))]))
        }
        try await RunningServer.with(feed: ConsultationServerTests.feed, folder: folder) { server in
            let client = TradingClient(server: server)
            let left = try await eventually {
                let ids = try await client.get("/consultations").list("consultations").compactMap {
                    $0["id"] as? String
                }
                return ids.contains(old) ? nil : ids
            }
            #expect(left == [new])
        }
    }

    @Test("None is deleted where all are older than they are kept, as under a clock that is wrong")
    func retentionUnderAWrongClock() async throws {
        let folder = RunningServer.temporaryFolder()
        let now = Date().timeIntervalSince1970
        let ids = [UUID().uuidString.lowercased(), UUID().uuidString.lowercased()]
        for (id, age) in zip(ids, [400.0, 91]) {
            try await append(
                folder,
                ConversationAppend(
                    conversation: id, opening: .init(user: "anna", kind: "x"),
                    records: [record(1, now - age * 86_400, .opened(user: "anna", kind: "x"))]))
        }
        try await RunningServer.with(feed: ConsultationServerTests.feed, folder: folder) { server in
            _ = try await eventually {
                server.log.contains("all conversations are older than they are kept") ? true : nil
            }
            let kept = try await TradingClient(server: server).get("/consultations").list("consultations").compactMap {
                $0["id"] as? String
            }
            #expect(Set(kept) == Set(ids))
        }
    }

    @Test("A client with a small window gets a long answer whole, a piece each time it has taken the one before")
    func smallWindow() async throws {
        let model = PromptedModel()
        var options = ConsultationServerTests.options(model)
        options.conversation.window = 2 << 10
        options.conversation.maxChunkSize = 1 << 10
        try await RunningServer.with(feed: ConsultationServerTests.feed, consultation: options) { server in
            let id = try await ConsultationServerTests.begin(TradingClient(server: server))
            let talk = try await Talk.open(server, id)
            try await talk.sendMessage("much", id: "m1")
            let answer = try await model.request(1).answer
            let text = (0..<4_000).map { "word \($0) of it, with ümläuts. " }.joined()
            for start in stride(from: 0, to: 4_000, by: 500) {
                model.say(
                    .text((start..<start + 500).map { "word \($0) of it, with ümläuts. " }.joined()), in: answer)
            }
            model.say(.end(ModelUsage()), in: answer)
            #expect(try await talk.next(.aiMessageComplete).offset == text.utf8.count)
            #expect(talk.texts[answer] == text)
            await talk.socket.close()
        }
    }

    @Test("A conversation without readers leaves the memory, and is there again with the next reader")
    func unloading() async throws {
        var options = ConsultationOptions()
        options.idleTime = 0.1
        try await RunningServer.with(feed: ConsultationServerTests.feed, consultation: options) { server in
            let client = TradingClient(server: server)
            let id = try await ConsultationServerTests.begin(
                client, ["consultationType": "x", "initialMessage": "workout"])
            _ = try await eventually {
                let health = try await client.get("/health")["consultations"] as? [String: Any]
                return health?["in_memory"] as? Int == 0 ? true : nil
            }
            let messages = try await client.get("/consultations/\(id)/messages").list("messages")
            #expect(messages.map { $0["role"] as? String } == ["user", "assistant", "system"])
            let talk = try await Talk.open(server, id)
            try await talk.sync()
            #expect(try await talk.next(.sync).metadata?["messages"]?.elements?.count == 3)
            await talk.socket.close()
        }
    }
}
