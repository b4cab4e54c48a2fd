import CandlewireServer
import Consultation
import Foundation
import MarketFeeds
import StreamCore
import Testing
import WebSocketTransport

@Suite("Order proposals of a consultation", .timeLimit(.minutes(15)))
struct ProposalRouteTests {
    static func propose(_ model: PromptedModel, _ quantity: String, in answer: String) {
        model.say(
            .toolCall(
                ToolCall(
                    name: "create_order_proposal",
                    arguments: [
                        "name": "Buy", "symbol": "BTC-USD", "side": "buy", "order_type": "market",
                        "quantity": .string(quantity),
                    ])),
            in: answer)
    }

    // A client without `sync` gets a card after the end of its answer, which these models do not send.

    @Test("An approved proposal becomes one paper order, however often it is approved, and every client is notified")
    func approving() async throws {
        let model = PromptedModel()
        try await RunningServer.with(
            feed: ConsultationServerTests.feed, consultation: ConsultationServerTests.options(model)
        ) { server in
            let client = TradingClient(server: server)
            _ = try await client.waitForTrade("BTC-USD")
            let id = try await ConsultationServerTests.begin(client)
            let (talk, other) = (try await Talk.open(server, id), try await Talk.open(server, id))
            try await other.sync()
            _ = try await other.next(.sync)
            try await talk.sync()
            try await talk.sendMessage("buy", id: "m1")
            let answer = try await model.request(1).answer
            Self.propose(model, "0.01", in: answer)
            let card = try await talk.next(.templateCreated)
            let template = try #require(card.metadata?["template_id"]?.text)
            let path = "/consultations/\(id)/proposals/\(template)"

            let placed = try await client.send("POST", path, ["decision": "approve"])
            #expect(placed.status == 201, "\(placed.json)")
            #expect(placed.text("client_order_id") == template)
            let order = try #require(placed.text("id"))
            for reader in [talk, other] {
                let update = try await reader.next(.templateUpdated)
                #expect(update.messageID == card.messageID)
                #expect(
                    update.metadata
                        == ["template_id": .string(template), "decision": "approved", "order_id": .string(order)])
            }
            // Again, and to another account: the same order, and no second one.
            #expect(try await client.send("POST", "/v1/accounts", ["name": "second"]).status == 201)
            let again = try await client.send("POST", path, ["decision": "approve", "account": "paper-second"])
            #expect(again.status == 200)
            #expect(again.text("id") == order)
            #expect(try await client.send("POST", path, ["decision": "decline"]).errorCode == "already_decided")
            #expect(try await client.get("/v1/orders").list("orders").count == 1)
            #expect(try await client.get("/v1/orders?account=paper-second").list("orders").isEmpty)
            let history = try await client.get("/consultations/\(id)/messages").list("messages")
            let metadata = history.compactMap { $0["metadata"] as? [String: Any] }.last
            #expect(metadata?["decision"] as? String == "approved")
            #expect(metadata?["order_id"] as? String == order)
            await talk.socket.close()
            await other.socket.close()
        }
    }

    @Test("What the desk refuses leaves the proposal open, and one that was declined stays so")
    func refusals() async throws {
        let model = PromptedModel()
        try await RunningServer.with(
            feed: ConsultationServerTests.feed, consultation: ConsultationServerTests.options(model)
        ) { server in
            let client = TradingClient(server: server)
            _ = try await client.waitForTrade("BTC-USD")
            let id = try await ConsultationServerTests.begin(client)
            let talk = try await Talk.open(server, id)
            try await talk.sync()
            try await talk.sendMessage("buy", id: "m1")
            let answer = try await model.request(1).answer
            // More than the account can pay.
            Self.propose(model, "1000", in: answer)
            let template = try #require(try await talk.next(.templateCreated).metadata?["template_id"]?.text)
            let path = "/consultations/\(id)/proposals/\(template)"
            for _ in 0..<2 {
                let refused = try await client.send("POST", path, ["decision": "approve"])
                #expect(refused.status == 422)
                #expect(refused.errorCode == "insufficient_margin", "\(refused.json)")
            }
            #expect(try await client.get("/v1/orders").list("orders").isEmpty)
            let unknown = try await client.send("POST", path, ["decision": "approve", "account": "paper-nobody"])
            #expect(unknown.errorCode == "unknown_account")
            #expect(try await client.send("POST", path, ["decision": "perhaps"]).errorField == "decision")
            #expect(try await client.send("POST", path, [:]).errorField == "decision")
            #expect(try await client.send("POST", path + "x", ["decision": "approve"]).errorCode == "unknown_proposal")

            for _ in 0..<2 {
                let declined = try await client.send("POST", path, ["decision": "decline"])
                #expect(declined.status == 200)
                #expect(declined.text("decision") == "declined")
            }
            let update = try await talk.next(.templateUpdated)
            #expect(update.metadata?["decision"]?.text == "declined")
            #expect(try await client.send("POST", path, ["decision": "approve"]).errorCode == "already_decided")
            await talk.socket.close()
        }
    }

    @Test(
        "A server that ended between an order and its entry finds the order, in whichever account, whatever is decided then",
        arguments: ["approve", "decline"])
    func placedAndNotWritten(decision: String) async throws {
        let model = PromptedModel()
        try await RunningServer.with(
            feed: ConsultationServerTests.feed, consultation: ConsultationServerTests.options(model)
        ) { server in
            let client = TradingClient(server: server)
            _ = try await client.waitForTrade("BTC-USD")
            #expect(try await client.send("POST", "/v1/accounts", ["name": "second"]).status == 201)
            let id = try await ConsultationServerTests.begin(client)
            let talk = try await Talk.open(server, id)
            try await talk.sync()
            try await talk.sendMessage("buy", id: "m1")
            Self.propose(model, "0.01", in: try await model.request(1).answer)
            let template = try #require(try await talk.next(.templateCreated).metadata?["template_id"]?.text)
            // All that is left of the first approval: the order.
            let placed = try await client.place(template, ["account": "paper-second"])
            let order = try #require(placed.text("id"))

            let path = "/consultations/\(id)/proposals/\(template)"
            let answer = try await client.send("POST", path, ["decision": decision, "account": "paper-main"])
            if decision == "approve" {
                #expect(answer.status == 200 && answer.text("id") == order, "\(answer.json)")
            } else {
                #expect(answer.status == 409 && answer.errorCode == "already_decided", "\(answer.json)")
            }
            let update = try await talk.next(.templateUpdated).metadata
            #expect(update?["decision"]?.text == "approved" && update?["order_id"]?.text == order)
            #expect(try await client.get("/v1/orders?account=paper-main").list("orders").isEmpty)
            #expect(try await client.get("/v1/orders?account=paper-second").list("orders").count == 1)
            await talk.socket.close()
        }
    }

    @Test("A proposal whose question was replaced is not traded any more; it can be declined")
    func superseded() async throws {
        let model = PromptedModel()
        try await RunningServer.with(
            feed: ConsultationServerTests.feed, consultation: ConsultationServerTests.options(model)
        ) { server in
            let client = TradingClient(server: server)
            _ = try await client.waitForTrade("BTC-USD")
            let id = try await ConsultationServerTests.begin(client)
            let talk = try await Talk.open(server, id)
            try await talk.sync()
            try await talk.sendMessage("buy", id: "m1")
            let answer = try await model.request(1).answer
            Self.propose(model, "0.01", in: answer)
            let template = try #require(try await talk.next(.templateCreated).metadata?["template_id"]?.text)
            model.say(.end(ModelUsage()), in: answer)
            _ = try await talk.next(.aiMessageComplete)
            try await talk.send(
                Envelope(
                    .userMessage, content: "rather not", messageID: "m2", timestamp: 1_700_000_000,
                    metadata: ["edits": "m1"]))
            #expect(try await talk.next(.ack).messageID == "m2")

            let path = "/consultations/\(id)/proposals/\(template)"
            let refused = try await client.send("POST", path, ["decision": "approve"])
            #expect(refused.status == 409 && refused.errorCode == "superseded", "\(refused.json)")
            #expect(try await client.get("/v1/orders").list("orders").isEmpty)
            #expect(try await client.send("POST", path, ["decision": "decline"]).status == 200)
            await talk.socket.close()
        }
    }

    @Test("The guide answers about the market on the screen, and answers an edited question")
    func screen() async throws {
        try await RunningServer.with(feed: .simulated(symbols: ["BTC-USD", "ETH-USD"])) { server in
            let client = TradingClient(server: server)
            _ = try await client.waitForTrade("ETH-USD")
            let id = try await ConsultationServerTests.begin(client)
            let talk = try await Talk.open(server, id)
            try await talk.send(
                Envelope(
                    .userMessage, content: "what is the price?", messageID: "m1", timestamp: 1_700_000_000,
                    metadata: ["context": ["symbol": "ETH-USD", "timeframe": "1s"]]))
            let first = try await talk.next(.aiMessageComplete).messageID
            #expect(talk.texts[first]?.contains("ETH-USD is at") == true, "\(talk.texts)")
            try await talk.send(
                Envelope(
                    .userMessage, content: "indicators", messageID: "m2", timestamp: 1_700_000_000,
                    metadata: ["edits": "m1", "context": ["symbol": "ETH-USD", "timeframe": "1s"]]))
            let second = try await talk.next(.aiMessageComplete).messageID
            #expect(talk.texts[second]?.contains("RSI 14 (1s)") == true, "\(talk.texts)")
            let messages = try await client.get("/consultations/\(id)/messages").list("messages")
            #expect(messages.map { $0["superseded"] as? Bool ?? false } == [true, true, false, false])
            await talk.socket.close()

            let health = try await client.get("/health")["consultations"] as? [String: Any]
            #expect(health?["store"] as? String == "ok")
            #expect(health?["stored"] as? Int == 1)
            #expect(health?["model"] as? String == "Candlewire guide")
            #expect(health?["written_entries"] as? Int ?? 0 >= 7)
            _ = try await eventually {
                let health = try await client.get("/health")["consultations"] as? [String: Any]
                return health?["connections"] as? Int == 0 && health?["answering"] as? Int == 0 ? true : nil
            }
        }
    }
}
