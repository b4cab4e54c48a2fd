import CandlewireServer
import Foundation
import MarketFeeds
import StreamCore
import Testing
import WebSocketTransport

@Suite("Channels, over real sockets", .timeLimit(.minutes(15)))
struct TradingChannelTests {
    static let feed = FeedSpecification.simulated(symbols: ["BTC-USD", "ETH-USD"])

    /// A reader of raw messages.
    private final class Reader {
        let socket: WebSocketConnection
        private var events: WebSocketEvents.Iterator

        init(_ server: RunningServer) async throws {
            socket = try await WebSocketConnector.connect(
                url: "ws://127.0.0.1:\(server.port)/v1/stream", timeout: .patient)
            events = socket.events.makeAsyncIterator()
        }

        func subscribe(_ channel: StreamChannel, _ account: String? = nil, _ id: Int) async throws {
            let message = ClientMessage.subscribeChannel(ChannelKey(channel, account: account), id: RequestID(id))
            try await socket.send(text: written { ClientMessageWriter.write(message, into: &$0) })
        }

        func next() async throws -> (text: String, json: [String: Any]) {
            while let event = await events.next() {
                guard case .text(let text) = event else { continue }
                let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
                return (text, json ?? [:])
            }
            throw RunningServer.NeverStarted()
        }

        /// The next message of a type.
        func next(_ type: String) async throws -> [String: Any] {
            while true {
                let (text, json) = try await next()
                if json["type"] as? String == type {
                    #expect(
                        text.hasPrefix("{\"type\":\"\(type)\",\"channel\":\"") || type == "error", "\(text.prefix(80))")
                    return json
                }
            }
        }
    }

    @Test("an event is in the snapshot or comes after it, however close the subscription is to its order")
    func noEventBetween() async throws {
        try await RunningServer.with(feed: Self.feed) { server in
            let client = TradingClient(server: server)
            _ = try await client.waitForTrade("BTC-USD")
            for round in 1...30 {
                let reader = try await Reader(server)
                let far: [String: any Sendable] = ["type": "limit", "limit_price": "1000"]
                async let status = client.place("near-\(round)", far).status
                try await reader.subscribe(.events, nil, round)
                let snapshot = try await reader.next("snapshot")
                var reported = (snapshot["events"] as? [[String: Any]] ?? []).map(Self.clientOrderID)
                #expect(try await status == 201)
                // Reported after everything that is on its way to the reader.
                _ = try await client.place("mark-\(round)", far)
                while reported.last != "mark-\(round)" {
                    reported.append(
                        Self.clientOrderID(try await reader.next("event")["event"] as? [String: Any] ?? [:]))
                }
                #expect(reported.count { $0 == "near-\(round)" } == 1, "round \(round)")
            }
        }
    }

    private static func clientOrderID(_ event: [String: Any]) -> String? {
        (event["metadata"] as? [String: String])?["client_order_id"]
    }

    @Test("state, then every change of orders and fills, in order, by sequence and version")
    func orders() async throws {
        try await RunningServer.with(feed: Self.feed) { server in
            let client = TradingClient(server: server)
            _ = try await client.waitForTrade("BTC-USD")
            let first = try await client.place("o-1", ["type": "limit", "limit_price": "1000"])
            let reader = try await Reader(server)
            try await reader.subscribe(.orders, nil, 7)
            let answer = try await reader.next("subscribed")
            #expect(answer["id"] as? Int == 7)
            #expect(answer["account"] as? String == "paper-main")
            let snapshot = try await reader.next("snapshot")
            #expect((snapshot["orders"] as? [[String: Any]])?.map { $0["id"] as? String } == [first.text("id")])
            let start = try #require(snapshot["sequence"] as? Int)

            let placed = try await client.place("o-2", [:])
            let id = try #require(placed.text("id"))
            _ = try await client.send("DELETE", "/v1/orders/\(try #require(first.text("id")))")
            var sequence = start
            var versions: [String: Int] = [:]
            var filled = false
            var cancelled = false
            while !filled || !cancelled {
                let (text, json) = try await reader.next()
                guard let order = json["order"] as? [String: Any], let name = order["id"] as? String else {
                    #expect(text.hasPrefix("{\"type\":\"fill\",\"channel\":\"orders\""))
                    continue
                }
                let number = try #require(json["sequence"] as? Int)
                #expect(number > sequence)
                sequence = number
                let version = try #require(order["version"] as? Int)
                #expect(version > versions[name] ?? 0)
                versions[name] = version
                if name == id, order["status"] as? String == "filled" { filled = true }
                if name == first.text("id"), order["status"] as? String == "cancelled" { cancelled = true }
            }
            await reader.socket.close()
        }
    }

    @Test("positions and balances follow the market, events report what happened")
    func states() async throws {
        try await RunningServer.with(feed: Self.feed) { server in
            let client = TradingClient(server: server)
            _ = try await client.waitForTrade("BTC-USD")
            let reader = try await Reader(server)
            try await reader.subscribe(.positions, "paper-main", 1)
            _ = try await reader.next("snapshot")
            try await reader.subscribe(.portfolio, "paper-main", 2)
            let money = try await reader.next("snapshot")
            #expect((money["portfolios"] as? [[String: Any]])?.first?["equity"] as? String == "100000")
            try await reader.subscribe(.events, nil, 3)
            #expect((try await reader.next("snapshot")["events"] as? [[String: Any]])?.isEmpty == false)
            _ = try await client.place("s-1", ["quantity": "0.5", "leverage": 10])
            var types: Set<String> = []
            while !types.isSuperset(of: ["order_placed", "order_filled", "position_opened"]) {
                let event = try await reader.next("event")["event"] as? [String: Any]
                types.insert(event?["type"] as? String ?? "")
            }
            // The mark moves, and the balance with it: twice, each from one step of the market.
            var marks: Set<String> = []
            var equities: Set<String> = []
            while marks.count < 2 || equities.count < 2 {
                let (_, json) = try await reader.next()
                if let position = (json["positions"] as? [[String: Any]])?.first {
                    marks.insert(position["mark_price"] as? String ?? "")
                }
                if let portfolio = (json["portfolios"] as? [[String: Any]])?.first {
                    equities.insert(portfolio["equity"] as? String ?? "")
                }
            }
            await reader.socket.close()
        }
    }

    @Test("all markets in one message again and again, and the health of feed and connections")
    func server() async throws {
        try await RunningServer.with(feed: Self.feed) { server in
            let reader = try await Reader(server)
            try await reader.subscribe(.markets, nil, 1)
            _ = try await reader.next("subscribed")
            let snapshot = try await reader.next("snapshot")
            #expect(
                (snapshot["markets"] as? [[String: Any]])?.map { $0["symbol"] as? String } == ["BTC-USD", "ETH-USD"])
            for _ in 0..<2 {
                #expect((try await reader.next("markets")["markets"] as? [[String: Any]])?.count == 2)
            }
            try await reader.subscribe(.health, nil, 2)
            _ = try await reader.next("snapshot")
            for _ in 0..<2 {
                let health = try await reader.next("health")
                #expect((health["feed"] as? [String: Any])?["state"] as? String == "live")
                #expect(health["connections"] as? Int == 1)
                #expect(health["ledger"] as? String == "ok")
            }
            await reader.socket.close()
        }
    }

    @Test("an account that is not there, or is not of paper, is refused by name; what is ended comes no more")
    func refusals() async throws {
        try await RunningServer.with(feed: Self.feed) { server in
            let reader = try await Reader(server)
            for (number, account) in ["paper-nobody", "live-main"].enumerated() {
                try await reader.subscribe(.orders, account, number)
                let error = try await reader.next("error")
                #expect(error["code"] as? String == "unknown_account")
                #expect(error["field"] as? String == "account")
                #expect(error["id"] as? Int == number)
            }
            try await reader.subscribe(.health, nil, 3)
            _ = try await reader.next("snapshot")
            let end = ClientMessage.unsubscribeChannel(ChannelKey(.health), id: RequestID(4))
            try await reader.socket.send(text: written { ClientMessageWriter.write(end, into: &$0) })
            #expect(try await reader.next("unsubscribed")["id"] as? Int == 4)
            try await reader.socket.send(text: written { ClientMessageWriter.write(end, into: &$0) })
            #expect(try await reader.next("error")["code"] as? String == "not_subscribed")
            await reader.socket.close()
        }
    }
}
