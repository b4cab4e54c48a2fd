import CandlewireServer
import Consultation
import Foundation
import MarketFeeds
import NIOHTTP1
import StreamCore
import Testing
import WebSocketTransport

@Suite("Consultations over real sockets", .timeLimit(.minutes(15)))
struct ConsultationServerTests {
    static let feed = FeedSpecification.simulated(symbols: ["BTC-USD"])

    static func options(_ model: PromptedModel) -> ConsultationOptions {
        var options = ConsultationOptions()
        options.model = .custom(model)
        return options
    }

    /// So many questions at once, and then that many a minute.
    private static func limits(questions: Double) -> ServerLimits {
        var limits = ServerLimits()
        limits.clients.chosen[.questions] = questions
        return limits
    }

    /// Sends messages until one is too much.
    private static func sendUntilLimited(_ talk: Talk, most: Int) async throws -> Envelope {
        for number in 1...most {
            try await talk.sendMessage("more", id: "more-\(number)")
            var answer = try await talk.next()
            while answer.type != .ack, answer.type != .error { answer = try await talk.next() }
            if answer.type == .error { return answer }
        }
        throw NeverHappened()
    }

    /// Begins a consultation.
    static func begin(_ client: TradingClient, _ body: [String: Any] = ["consultationType": "markets"]) async throws
        -> String
    {
        let answer = try await client.send("POST", "/consultations", body)
        #expect(answer.status == 201, "\(answer.json)")
        return try #require(answer.text("id"))
    }

    @Test("a nutrition consultation begun by REST is answered over the WebSocket")
    func start() async throws {
        // What is said is as secret as keys are.
        TestSecrets.remember("I want to lose weight")
        try await RunningServer.with(feed: Self.feed) { server in
            let client = TradingClient(server: server)
            let answer = try await client.send(
                "POST", "/consultations",
                ["userId": "anna", "consultationType": "nutrition", "initialMessage": "I want to lose weight"])
            #expect(answer.status == 201)
            let id = try #require(answer.text("id"))
            #expect(id == id.lowercased() && UUID(uuidString: id) != nil)
            #expect(answer.text("user") == "anna")
            #expect(answer.text("type") == "nutrition")
            #expect(answer.text("status") == "active")
            #expect(answer.text("title") == "I want to lose weight")

            let talk = try await Talk.open(server, id)
            try await talk.sync()
            let state = try await talk.next(.sync)
            #expect(state.metadata?["messages"]?.elements?.first?["content"]?.text == "I want to lose weight")
            try await talk.sendMessage("meal plan", id: "msg_1")
            #expect(try await talk.next(.ack).messageID == "msg_1")
            // Of this question: the first one's answer may come before.
            var start = try await talk.next(.aiMessageStart)
            while start.metadata?["reply_to"]?.text != "msg_1" { start = try await talk.next(.aiMessageStart) }
            let template = try await talk.next(.templateCreated)
            #expect(template.metadata?["type"]?.text == "meal")
            let end = try await talk.next(.aiMessageComplete)
            #expect(end.messageID == start.messageID)
            #expect(end.metadata?["end"]?.text == "completed")
            #expect(talk.texts[start.messageID]?.utf8.count == end.offset)

            // The same by REST.
            let messages = try await client.get("/consultations/\(id)/messages").list("messages")
            let last = try #require(messages.last { $0["role"] as? String == "assistant" })
            #expect(last["content"] as? String == talk.texts[start.messageID])
            #expect(last["end"] as? String == "completed")
            await talk.socket.close()
        }
    }

    @Test("a client that lost its connection goes on where it was, to the byte")
    func resuming() async throws {
        let model = PromptedModel()
        try await RunningServer.with(feed: Self.feed, consultation: Self.options(model)) { server in
            let id = try await Self.begin(TradingClient(server: server))
            let first = try await Talk.open(server, id)
            try await first.sendMessage("hello", id: "m1")
            let answer = try await model.request(1).answer
            model.say(.text("One "), .text("twö "), in: answer)
            try await first.read(answer, until: "One twö ")
            await first.socket.close()

            model.say(.text("three "), in: answer)
            let second = try await Talk.open(server, id)
            try await second.sync(sequence: first.sequence, answer: answer, offset: "One twö ".utf8.count)
            #expect(try await second.next(.sync).metadata?["resumed"] == true)
            let chunk = try await second.next(.aiMessageChunk)
            #expect(chunk.content == "three ")
            #expect(chunk.offset == "One twö ".utf8.count)
            model.say(.text("four"), .end(ModelUsage()), in: answer)
            #expect(try await second.next(.aiMessageComplete).offset == "One twö three four".utf8.count)
            await second.socket.close()
        }
    }

    @Test("Two clients see the same stream, and one of them stops it: both receive the text that is kept")
    func twoClients() async throws {
        let model = PromptedModel()
        try await RunningServer.with(feed: Self.feed, consultation: Self.options(model)) { server in
            let id = try await Self.begin(TradingClient(server: server))
            let (one, two) = (try await Talk.open(server, id), try await Talk.open(server, id))
            try await two.sync()
            _ = try await two.next(.sync)
            try await one.sendMessage("hello", id: "m1")
            #expect(try await two.next(.userMessage).content == "hello")
            let answer = try await model.request(1).answer
            model.say(.text("Half an ans"), in: answer)
            try await one.read(answer, until: "Half an ans")
            try await two.read(answer, until: "Half an ans")
            try await two.send(Envelope(.cancel, messageID: answer, timestamp: 1_700_000_000))
            for talk in [one, two] {
                let cancelled = try await talk.next(.cancelled)
                #expect(cancelled.content == "Half an ans")
                #expect(try await talk.next(.aiMessageComplete).metadata?["end"]?.text == "cancelled")
            }
            // The model is not called to go on.
            _ = try await eventually { model.stopped.contains(answer) ? true : nil }
            await one.socket.close()
            await two.socket.close()
        }
    }

    @Test("after a restart the conversation is there, and what was cut off is marked so")
    func restart() async throws {
        let model = PromptedModel()
        let folder = RunningServer.temporaryFolder()
        let (id, answer) = try await RunningServer.with(
            feed: Self.feed, folder: folder, consultation: Self.options(model)
        ) { server in
            let id = try await Self.begin(TradingClient(server: server))
            let talk = try await Talk.open(server, id)
            try await talk.sendMessage("hello", id: "m1")
            let answer = try await model.request(1).answer
            model.say(.text("As far as"), in: answer)
            try await talk.read(answer, until: "As far as")
            return (id, answer)
        }
        try await RunningServer.with(feed: Self.feed, folder: folder, consultation: Self.options(model)) { server in
            let talk = try await Talk.open(server, id)
            try await talk.sync(sequence: 1)
            let end = try await talk.next(.aiMessageComplete)
            #expect(end.messageID == answer)
            #expect(end.metadata?["end"]?.text == "interrupted")
            #expect(talk.texts[answer] == "As far as")
            await talk.socket.close()
            let list = try await TradingClient(server: server).get("/consultations").list("consultations")
            #expect(list.map { $0["id"] as? String } == [id])
            #expect(list.first?["messages"] as? Int == 2)
        }
    }

    @Test("A deleted conversation is gone: from its clients, from the list and from the disk")
    func deleting() async throws {
        let model = PromptedModel()
        let folder = RunningServer.temporaryFolder()
        try await RunningServer.with(feed: Self.feed, folder: folder, consultation: Self.options(model)) { server in
            let client = TradingClient(server: server)
            let id = try await Self.begin(client, ["consultationType": "x", "initialMessage": "a secret of mine"])
            let talk = try await Talk.open(server, id)
            let answer = try await model.request(1).answer
            model.say(.text("What you told me"), in: answer)
            try await talk.read(answer, until: "What you told me")
            #expect(try await server.status("DELETE", "/consultations/\(id)") == 204)
            #expect(await talk.closeCode()?.rawValue == 4104)
            #expect(try await client.get("/consultations/\(id)").status == 404)
            #expect(try await client.get("/consultations/\(id)/messages").status == 404)
            #expect(try await server.status("DELETE", "/consultations/\(id)") == 404)
            #expect(try await client.get("/consultations").list("consultations").isEmpty)
            _ = try await eventually { model.stopped.contains(answer) ? true : nil }
            // What it still says goes nowhere.
            model.say(.text(" and more"), in: answer)
            for name in try FileManager.default.contentsOfDirectory(atPath: folder)
            where name.hasPrefix("conversations") {
                let bytes = try #require(FileManager.default.contents(atPath: "\(folder)/\(name)"))
                #expect(!String(decoding: bytes, as: UTF8.self).contains("a secret of mine"), "\(name)")
            }
        }
    }

    /// What a handshake is refused with; `nil` where it is not.
    private static func status(_ server: RunningServer, _ query: String, token: String? = nil) async -> Int? {
        do {
            _ = try await WebSocketConnector.connect(
                url: "ws://127.0.0.1:\(server.port)/ws/consultation\(query)",
                headers: HTTPHeaders(token.map { [("Authorization", "Bearer \($0)")] } ?? []), timeout: .patient)
            return nil
        } catch let error as WebSocketUpgradeError {
            return Int(error.status.code)
        } catch {
            return -1
        }
    }

    @Test("a handshake for what there is not is answered 404 and 400, and with a wrong token 401")
    func refusals() async throws {
        try await RunningServer.with(feed: Self.feed) { server in
            #expect(await Self.status(server, "?consultation_id=\(UUID().uuidString)") == 404)
            #expect(await Self.status(server, "") == 400)
            let (read, put) = (
                try await server.status("GET", "/ws/consultation"), try await server.status("PUT", "/consultations")
            )
            #expect(read == 426)
            #expect(put == 405)
        }
        let path = try TestSecrets.file(TestSecrets.remember("a-token-of-the-tests"))
        try await RunningServer.with(feed: Self.feed, tokens: try StreamTokens(file: path)) { server in
            let client = TradingClient(server: server)
            #expect(try await client.get("/consultations").status == 401)
            let answer = try await client.send(
                "POST", "/consultations", ["consultationType": "x"],
                headers: ["Authorization": "Bearer a-token-of-the-tests"])
            let id = try #require(answer.text("id"))
            #expect(await Self.status(server, "?consultation_id=\(id)", token: "not-the-right-token") == 401)
            #expect(await Self.status(server, "?consultation_id=\(UUID())", token: "a-token-of-the-tests") == 404)

            let right = try await Talk.open(server, id)
            try await right.send(
                Envelope(.auth, content: "a-token-of-the-tests", messageID: "a1", timestamp: 1_700_000_000))
            #expect(try await right.next().type == .ack)
            try await right.sync()
            #expect(try await right.next().type == .sync)
            await right.socket.close()

            let wrong = try await Talk.open(server, id)
            try await wrong.send(Envelope(.auth, content: "no", messageID: "a1", timestamp: 1_700_000_000))
            #expect(try await wrong.next(.error).metadata?["code"]?.text == "unauthorized")
            #expect(await wrong.closeCode() == .unauthorized)
        }
    }

    @Test("long messages, too many messages and too many conversations are refused with a reason")
    func limits() async throws {
        let model = PromptedModel()
        var options = Self.options(model)
        options.conversationsPerUser = 2
        options.answersPerUser = 1
        try await RunningServer.with(feed: Self.feed, limits: Self.limits(questions: 6), consultation: options) {
            server in
            let client = TradingClient(server: server)
            let long = try await client.send(
                "POST", "/consultations",
                ["consultationType": "x", "initialMessage": String(repeating: "a", count: 5_001)])
            #expect(long.status == 422)
            #expect(long.errorCode == "message_too_long")
            #expect(long.errorField == "initial_message")
            #expect(
                try await client.send("POST", "/consultations", ["consultationType": ""]).errorField
                    == "consultation_type")
            #expect(try await client.send("POST", "/consultations", [:]).errorCode == "missing_field")
            #expect(try await client.get("/consultations?limit=101").errorField == "limit")

            let (zero, two) = (try await Self.begin(client), try await Self.begin(client))
            let more = try await client.send("POST", "/consultations", ["consultationType": "x"])
            #expect(more.status == 409)
            #expect(more.errorCode == "too_many_consultations")
            // Deleting makes room.
            #expect(try await server.status("DELETE", "/consultations/\(zero)") == 204)
            let one = try await Self.begin(client)

            let talks = (try await Talk.open(server, one), try await Talk.open(server, two))
            try await talks.0.sendMessage("first", id: "m1")
            let answer = try await model.request(1).answer
            // One answer at a time for a user, and the second one says why it does not come.
            try await talks.1.sendMessage("second", id: "m2")
            #expect(try await talks.1.next(.aiMessageComplete).metadata?["end"]?.text == "failed")
            // Three conversations, two questions, and what there is for one client beside them.
            let refused = try await Self.sendUntilLimited(talks.1, most: 20)
            #expect(refused.metadata?["code"]?.text == "rate_limited")
            #expect((refused.metadata?["retry_after"]?.number).map { 0 < $0 && $0 <= 10 } == true)
            // A model that falls silent in the middle is reported as a failure, with what there is.
            model.say(.text("Well"), in: answer)
            model.fallSilent(in: answer)
            #expect(try await talks.0.next(.aiMessageComplete).metadata?["end"]?.text == "failed")
            #expect(talks.0.texts[answer] == "Well")
            // To begin one counts as a message, also without any.
            #expect(try await server.status("DELETE", "/consultations/\(one)") == 204)
            var begun = try await client.send("POST", "/consultations", ["consultationType": "x"])
            // On a slow machine one more has become possible meanwhile.
            if let id = begun.text("id") {
                #expect(try await server.status("DELETE", "/consultations/\(id)") == 204)
                begun = try await client.send("POST", "/consultations", ["consultationType": "x"])
            }
            #expect(begun.status == 429)
            #expect(begun.errorCode == "rate_limited")
            try ConsultationReadingTests.expectWait(of: begun, upTo: 10)
            #expect(more.retryAfter == nil)
            await talks.1.socket.close()
        }
    }

    @Test("Who may take any name cannot pass the limits by taking a new one each time")
    func newNames() async throws {
        let model = PromptedModel()
        var options = Self.options(model)
        options.conversationsPerUser = 2
        options.answersPerUser = 1
        options.usersPerLogin = 2
        try await RunningServer.with(feed: Self.feed, limits: Self.limits(questions: 8), consultation: options) {
            server in
            let client = TradingClient(server: server)
            var talks: [Talk] = []
            for user in 1...4 {
                let id = try await Self.begin(client, ["consultationType": "x", "userId": "user \(user)"])
                talks.append(try await Talk.open(server, id))
            }
            let more = try await client.send("POST", "/consultations", ["consultationType": "x", "userId": "user 5"])
            #expect(more.status == 409)
            #expect(more.errorMessage.contains("4 consultations"), "\(more.json)")
            for number in 0..<2 {
                try await talks[number].sendMessage("hello", id: "m1")
                _ = try await model.request(number + 1)
            }
            try await talks[2].sendMessage("hello", id: "m1")
            #expect(try await talks[2].next(.aiMessageComplete).metadata?["end"]?.text == "failed")
            // Whatever they call themselves, it is one client.
            let refused = try await Self.sendUntilLimited(talks[3], most: 20)
            #expect(refused.metadata?["code"]?.text == "rate_limited")
            for talk in talks { await talk.socket.close() }
        }
    }

    @Test("Lists and messages are paged, and an export has all of a conversation")
    func pagesAndExport() async throws {
        try await RunningServer.with(feed: Self.feed) { server in
            let client = TradingClient(server: server)
            var ids: [String] = []
            for number in 1...3 { ids.append(try await Self.begin(client, ["consultation_type": "t\(number % 2)"])) }
            let page = try await client.get("/consultations?limit=2")
            #expect(page.list("consultations").map { $0["id"] as? String } == [ids[2], ids[1]])
            #expect(page["more"] as? Bool == true)
            let rest = try await client.get("/consultations?limit=2&before=\(ids[1])")
            #expect(rest.list("consultations").map { $0["id"] as? String } == [ids[0]])
            #expect(rest["more"] as? Bool == false)
            #expect(
                try await client.get("/consultations?type=t1").list("consultations").map { $0["id"] as? String }
                    == [ids[2], ids[0]])

            let talk = try await Talk.open(server, ids[0])
            for (number, text) in ["workout", "wellness routine"].enumerated() {
                try await talk.sendMessage(text, id: "m\(number)")
                _ = try await talk.next(.aiMessageComplete)
            }
            await talk.socket.close()
            let all = try await client.get("/consultations/\(ids[0])/messages").list("messages")
            #expect(
                all.map { $0["role"] as? String } == ["user", "assistant", "system", "user", "assistant", "system"])
            let newest = try await client.get("/consultations/\(ids[0])/messages?limit=2")
            #expect(
                newest.list("messages").map { $0["message_id"] as? String }
                    == all.suffix(2).map { $0["message_id"] as? String })
            #expect(newest["more"] as? Bool == true)
            let older = try await client.get("/consultations/\(ids[0])/messages?before=m1&limit=100")
            #expect(older.list("messages").count == 3)
            #expect(older["more"] as? Bool == false)
            #expect(try await client.get("/consultations/\(ids[0])/messages?before=nowhere").errorField == "before")

            let markdown = try await server.answer("/consultations/\(ids[0])/export?format=markdown")
            #expect(markdown.type?.hasPrefix("text/markdown") == true)
            let text = String(decoding: markdown.body, as: UTF8.self)
            #expect(text.hasPrefix("# workout\n"))
            for message in all { #expect(text.contains(message["content"] as? String ?? "nothing")) }
            let json = try await client.get("/consultations/\(ids[0])/export")
            #expect(json.list("messages").count == 6)
            #expect((json["consultation"] as? [String: Any])?["title"] as? String == "workout")
            #expect(try await client.get("/consultations/\(ids[0])/export?format=pdf").errorField == "format")
        }
    }

    @Test("The guide answers from the live market: the price with its tick's time, and indicators")
    func liveState() async throws {
        try await RunningServer.with(feed: .simulated(symbols: ["BTC-USD", "ETH-USD"])) { server in
            let client = TradingClient(server: server)
            _ = try await client.waitForTrade("BTC-USD")
            let id = try await Self.begin(client)
            let talk = try await Talk.open(server, id)
            try await talk.sendMessage("price of bitcoin", id: "m1")
            let answer = try await talk.next(.aiMessageComplete).messageID
            #expect(talk.texts[answer]?.contains("BTC-USD is at ") == true, "\(talk.texts)")
            #expect(talk.texts[answer]?.contains("tick of ") == true)
            try await talk.sendMessage("indicators of ETH", id: "m2")
            let second = try await talk.next(.aiMessageComplete).messageID
            #expect(talk.texts[second]?.contains("RSI 14") == true, "\(talk.texts)")
            try await talk.sendMessage("are the feeds healthy?", id: "m3")
            let third = try await talk.next(.aiMessageComplete).messageID
            #expect(talk.texts[third]?.contains("sim is connected") == true, "\(talk.texts)")
            await talk.socket.close()
        }
    }
}
