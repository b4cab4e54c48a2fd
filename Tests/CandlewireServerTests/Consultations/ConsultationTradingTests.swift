import CandlewireServer
import Consultation
import Foundation
import MarketFeeds
import StreamCore
import Testing
import WebSocketTransport

/// Accounts are shown and traded for those with a stream's token, over consultations as over the trading routes.
@Suite("Trading access of consultations", .timeLimit(.minutes(15)))
struct ConsultationTradingTests {
    private static let token = ["Authorization": "Bearer \(ConsultationAccessTests.streamToken)"]
    private static let ada = ["X-API-Key": ConsultationAccessTests.adaKey]

    private func with(
        model: ConsultationOptions.Model = .guide, logins: Bool = true,
        _ body: @Sendable @escaping (RunningServer) async throws -> Void
    ) async throws {
        var options = logins ? try await ConsultationAccessTests.options() : ConsultationOptions()
        options.model = model
        let tokens = try StreamTokens(file: TestSecrets.file(ConsultationAccessTests.streamToken))
        try await RunningServer.with(feed: ConsultationServerTests.feed, tokens: tokens, consultation: options) {
            try await body($0)
        }
    }

    private static func begin(_ client: TradingClient, _ headers: [String: String]) async throws -> String {
        let begun = try await client.send("POST", "/consultations", ["consultationType": "markets"], headers: headers)
        return try #require(begun.text("id"))
    }

    /// What the guide says to a question about the account on the screen.
    private static func positions(
        _ server: RunningServer, _ headers: [String: String], account: String? = nil
    ) async throws -> String {
        let id = try await begin(TradingClient(server: server), headers)
        let talk = try await Talk.open(server, id, headers: headers)
        try await talk.send(
            Envelope(
                .userMessage, content: "my positions", messageID: "m1", timestamp: 1_700_000_000,
                metadata: account.map { ["context": ["account": .string($0)]] }))
        let answer = try await talk.next(.aiMessageComplete).messageID
        await talk.socket.close()
        return talk.texts[answer] ?? ""
    }

    @Test("A login alone approves no order where trading requests a token: 403, and declining is possible")
    func approving() async throws {
        let model = PromptedModel()
        try await with(model: .custom(model)) { server in
            let client = TradingClient(server: server)
            _ = try await client.waitForTrade("BTC-USD")
            let id = try await Self.begin(client, Self.ada)
            let talk = try await Talk.open(server, id, headers: Self.ada)
            // A client without `sync` gets a card after its answer's end, which this model does not send.
            try await talk.sync()
            try await talk.sendMessage("buy", id: "m1")
            let answer = try await model.request(1).answer
            for _ in 0..<2 { ProposalRouteTests.propose(model, "0.01", in: answer) }
            var paths: [String] = []
            for _ in 0..<2 {
                let card = try #require(try await talk.next(.templateCreated).metadata?["template_id"]?.text)
                paths.append("/consultations/\(id)/proposals/\(card)")
            }
            let refused = try await client.send("POST", paths[0], ["decision": "approve"], headers: Self.ada)
            #expect(refused.status == 403)
            #expect(refused.errorCode == "trading_forbidden")
            #expect(refused.errorMessage.contains("X-Stream-Token: TOKEN"), "\(refused.errorMessage)")
            #expect(try await client.send("GET", "/v1/orders", headers: Self.token).list("orders").isEmpty)
            // Who has both may: the key says who, the token that one may trade.
            let both = Self.ada.merging(Self.token) { $1 }
            let placed = try await client.send("POST", paths[0], ["decision": "approve"], headers: both)
            #expect(placed.status == 201, "\(placed.json)")
            #expect(try await client.send("GET", "/v1/orders", headers: Self.token).list("orders").count == 1)
            // That it was placed is no reason to show the order.
            #expect(try await client.send("POST", paths[0], ["decision": "approve"], headers: Self.ada).status == 403)

            let declined = try await client.send("POST", paths[1], ["decision": "decline"], headers: Self.ada)
            #expect(declined.status == 200)
            await talk.socket.close()
        }
    }

    @Test("Who shares the stream's tokens approves orders, beside other logins and without")
    func tokenHolders() async throws {
        for logins in [true, false] {
            let model = PromptedModel()
            try await with(model: .custom(model), logins: logins) { server in
                let client = TradingClient(server: server)
                _ = try await client.waitForTrade("BTC-USD")
                let id = try await Self.begin(client, Self.token)
                let talk = try await Talk.open(server, id, headers: Self.token)
                // A client without `sync` gets a card after its answer's end, which this model does not send.
                try await talk.sync()
                try await talk.sendMessage("buy", id: "m1")
                ProposalRouteTests.propose(model, "0.01", in: try await model.request(1).answer)
                let card = try #require(try await talk.next(.templateCreated).metadata?["template_id"]?.text)
                let path = "/consultations/\(id)/proposals/\(card)"
                #expect(
                    try await client.send("POST", path, ["decision": "approve"], headers: Self.token).status == 201)
                await talk.socket.close()
            }
        }
    }

    @Test("The assistant reports positions only to clients with a token, whatever account a message names")
    func positions() async throws {
        try await with { server in
            let client = TradingClient(server: server)
            _ = try await client.waitForTrade("BTC-USD")
            let order: [String: Any] = [
                "client_order_id": "o1", "symbol": "BTC-USD", "side": "buy", "type": "market", "quantity": "0.01",
            ]
            let id = try await client.send("POST", "/v1/orders", order, headers: Self.token).text("id") ?? ""
            _ = try await eventually {
                let order = try await client.send("GET", "/v1/orders/\(id)", headers: Self.token)
                return order.text("status") == "filled" ? true : nil
            }
            let reported = try await Self.positions(server, Self.token)
            #expect(reported.contains("Long 0.01 BTC-USD"), "\(reported)")
            for account in [nil, "paper-main"] {
                let reported = try await Self.positions(server, Self.ada, account: account)
                #expect(reported.contains("this server's stream token"), "\(reported)")
                #expect(!reported.contains("0.01"), "\(reported)")
            }
        }
    }
}
