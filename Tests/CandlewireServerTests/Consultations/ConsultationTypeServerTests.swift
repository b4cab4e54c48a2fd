import CandlewireServer
import Consultation
import MarketFeeds
import StreamCore
import Testing
import WebSocketTransport

@Suite("Consultation types of a server", .timeLimit(.minutes(15)))
struct ConsultationTypeServerTests {
    @Test(
        "a card that the type does not have is refused whatever the model is, and what is on the screen is not the model's"
    )
    func foreignCard() async throws {
        let model = PromptedModel()
        try await RunningServer.with(
            feed: ConsultationServerTests.feed, consultation: ConsultationServerTests.options(model)
        ) { server in
            let client = TradingClient(server: server)
            for (number, type) in ["nutrition", "anything", "markets"].enumerated() {
                let id = try await ConsultationServerTests.begin(client, ["consultationType": type])
                let talk = try await Talk.open(server, id)
                try await talk.sync()
                try await talk.send(
                    Envelope(
                        .userMessage, content: "buy", messageID: "m1", timestamp: 1_700_000_000,
                        metadata: ["context": ["symbol": "BTC-USD", "timeframe": "1m", "account": "paper-main"]]))
                let request = try await model.request(number + 1)
                #expect((request.screen != nil) == (type == "markets"))
                ProposalRouteTests.propose(model, "0.01", in: request.answer)
                model.say(.end(ModelUsage()), in: request.answer)
                let end = try await talk.next(.aiMessageComplete)
                let messages = try await client.get("/consultations/\(id)/messages").list("messages")
                let roles = messages.compactMap { $0["role"] as? String }
                #expect(roles.contains("system") == (type == "markets"))
                let reason = end.metadata?["reason"]?.text ?? ""
                #expect(reason.contains("has no order_proposal cards") == (type != "markets"), "\(reason)")
                await talk.socket.close()
            }
        }
    }

    @Test("a type's limits are those of its conversations")
    func limits() async throws {
        var options = ConsultationOptions()
        options.types = try ConsultationTypes(
            parsing: """
                {"types": [{"name": "short", "title": "S", "system_prompt": "p", "limits": {"message_characters": 5}},
                {"name": "long", "title": "L", "system_prompt": "p"}]}
                """)
        try await RunningServer.with(feed: ConsultationServerTests.feed, consultation: options) { server in
            let client = TradingClient(server: server)
            func begin(_ type: String) async throws -> Int {
                try await client.send(
                    "POST", "/consultations", ["consultationType": type, "initialMessage": "123456"]
                ).status
            }
            #expect(try await begin("long") == 201)
            #expect(try await begin("short") == 422)
            let unknown = try await client.send("POST", "/consultations", ["consultationType": "markets"])
            #expect(unknown.status == 422 && unknown.errorField == "consultation_type")
        }
    }
}
