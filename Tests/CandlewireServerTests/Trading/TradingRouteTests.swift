import CandlewireServer
import Foundation
import MarketFeeds
import MarketModel
import Testing

@Suite("Trading over REST", .timeLimit(.minutes(15)))
struct TradingRouteTests {
    static let feed = FeedSpecification.simulated(symbols: ["BTC-USD", "ETH-USD"])

    private static func with(_ body: @Sendable @escaping (TradingClient) async throws -> Void) async throws {
        try await RunningServer.with(feed: feed) { server in try await body(TradingClient(server: server)) }
    }

    @Test("each market says the highest leverage, and an order with more is refused")
    func maxLeverage() async throws {
        try await Self.with { client in
            _ = try await client.waitForTrade("BTC-USD")
            let most = try #require(try await client.get("/v1/markets/BTC-USD")["max_leverage"] as? Int)
            let listed = try await client.get("/v1/markets").list("markets").map { $0["max_leverage"] as? Int }
            #expect(listed == [most, most])
            #expect(try await client.place("most", ["leverage": most]).status == 201)
            let more = try await client.place("more", ["leverage": most + 1])
            #expect(more.status == 422 && more.errorField == "leverage", "\(more.json)")
        }
    }

    @Test("a market order goes from new to filled, makes a position, and everything about it can be read")
    func marketOrder() async throws {
        try await Self.with { client in
            _ = try await client.waitForTrade("BTC-USD")
            let placed = try await client.place("m-1", ["leverage": 5])
            #expect(placed.status == 201, "\(placed.json)")
            let id = try #require(placed.text("id"))
            #expect(id.hasPrefix("paper-main-o"))
            #expect(placed.text("mode") == "paper")
            let filled = try await client.wait(for: id, ["filled"])
            #expect(filled.text("filled_quantity") == "0.01")
            #expect(filled.text("average_fill_price") != nil)

            let positions = try await client.get("/v1/positions")
            #expect(positions.text("mode") == "paper")
            let position = try #require(positions.list("positions").first)
            #expect(position["symbol"] as? String == "BTC-USD")
            #expect(position["side"] as? String == "long")
            #expect(position["size"] as? String == "0.01")
            #expect(position["leverage"] as? Int == 5)
            #expect(position["mark_price"] is String)

            let fills = try await client.get("/v1/fills?order=\(id)").list("fills")
            #expect(!fills.isEmpty)
            #expect((fills[0]["receipt"] as? [String: Any])?["rule"] is String)
            let portfolio = try #require(try await client.get("/v1/portfolio").list("portfolios").first)
            #expect(portfolio["initial_capital"] as? String == "100000")
            #expect(portfolio["used_margin"] as? String != "0")
            let events = try await client.get("/v1/events?type=order_placed,order_filled,position_opened").list(
                "events")
            #expect(
                Set(events.compactMap { $0["type"] as? String }) == ["order_placed", "order_filled", "position_opened"])

            let closed = try await client.send("POST", "/v1/positions/BTC-USD/close", ["client_order_id": "c-1"])
            #expect(closed.status == 201, "\(closed.json)")
            _ = try await client.wait(for: try #require(closed.text("id")), ["filled"])
            #expect(try await client.get("/v1/positions").list("positions").isEmpty)
            let history = try await client.get("/v1/portfolio/history?currency=USD").list("points")
            #expect(history.count >= 2)
            #expect(history.last?["equity"] as? String != "100000")
        }
    }

    @Test("closing and reversing again with the same client order id answers 200 with the order that was placed")
    func repeatedActions() async throws {
        try await Self.with { client in
            _ = try await client.waitForTrade("BTC-USD")
            let first = try await client.place("open", [:])
            _ = try await client.wait(for: try #require(first.text("id")), ["filled"])
            for action in ["reverse", "close"] {
                let path = "/v1/positions/BTC-USD/\(action)"
                let placed = try await client.send("POST", path, ["client_order_id": action])
                #expect(placed.status == 201, "\(placed.json)")
                _ = try await client.wait(for: try #require(placed.text("id")), ["filled"])
                let again = try await client.send("POST", path, ["client_order_id": action])
                #expect(again.status == 200 && again.text("id") == placed.text("id"), "\(again.json)")
            }
        }
    }

    @Test("an order without a leverage leaves the position's as it is; one that names it changes it")
    func leverage() async throws {
        try await Self.with { client in
            _ = try await client.waitForTrade("BTC-USD")
            let first = try await client.place("l-1", ["leverage": 5])
            _ = try await client.wait(for: try #require(first.text("id")), ["filled"])
            let order: [String: Any] = ["type": "limit", "limit_price": "1000"]
            for (id, more, leverage) in [("l-2", [:], 5), ("l-3", ["leverage": 1], 1)] as [(String, [String: Any], Int)]
            {
                let placed = try await client.place(id, order.merging(more) { $1 })
                #expect(placed["leverage"] as? Int == leverage, "\(placed.json)")
                let position = try await client.get("/v1/positions").list("positions").first
                #expect(position?["leverage"] as? Int == leverage)
            }
            // Without the field it is the same request as before.
            #expect(try await client.place("l-2", order).status == 200)
        }
    }

    @Test("an order without a client order id gets one; sent again it is another order")
    func withoutClientOrderID() async throws {
        try await Self.with { client in
            let price = try await client.waitForTrade("BTC-USD")
            let order: [String: Any] = [
                "symbol": "BTC-USD", "side": "BUY", "type": "LIMIT", "quantity": "0.01", "time_in_force": "GTC",
                "limit_price": "\(Int(price / 2))",
            ]
            let preview = try await client.send("POST", "/v1/orders/preview", order)
            #expect(preview.status == 200 && preview.list("problems").isEmpty, "\(preview.json)")
            var ids: Set<String> = []
            for _ in 0..<2 {
                let placed = try await client.send("POST", "/v1/orders", order)
                #expect(placed.status == 201, "\(placed.json)")
                #expect(placed.text("side") == "buy" && placed.text("type") == "limit")
                #expect(placed.text("time_in_force") == "gtc")
                ids.insert(placed.text("client_order_id") ?? "")
            }
            #expect(ids.count == 2 && ids.allSatisfy { $0.hasPrefix("server-") })
            // The id that it got makes it safe to send again.
            let again = try await client.send(
                "POST", "/v1/orders", order.merging(["client_order_id": try #require(ids.first)]) { $1 })
            #expect(again.status == 200)
        }
    }

    @Test("an order at a stale price is refused, a preview says so, and orders can still be cancelled and repeated")
    func stalePrice() async throws {
        let (path, _) = try ReplayTests.recording()
        try await RunningServer.with(feed: .replay(path: path), priceStaleAfter: 2) { server in
            let client = TradingClient(server: server)
            try await ReplayTests.waitForEnd(server)
            let order: [String: Any] = ["symbol": "BTCUSDT", "type": "limit", "limit_price": "1"]
            var placed: [String] = []
            var answer = try await client.place("before-0", order)
            while answer.status == 201, placed.count < 2000 {
                placed.append("before-\(placed.count)")
                answer = try await client.place("before-\(placed.count)", order)
            }
            #expect(answer.status == 409 && answer.errorCode == "price_stale", "\(answer.json)")
            #expect(answer.errorField == "symbol" && answer.errorMessage.hasPrefix("BTCUSDT has not traded for "))
            let preview = try await client.send(
                "POST", "/v1/orders/preview", order.merging(["side": "buy", "quantity": "0.01"]) { $1 })
            #expect(preview.list("problems").first?["message"] as? String == answer.errorMessage, "\(preview.json)")
            let first = try #require(placed.first)
            #expect(try await client.place(first, order).status == 200)
            #expect(try await client.send("DELETE", "/v1/orders?symbol=BTCUSDT").status == 200)
        }
    }

    @Test("in a market whose trades have no volume an order fills whole, as its preview says, and its receipt says why")
    func withoutVolume() async throws {
        try await RunningServer.with(feed: .tracker(path: try TrackerFeedTests.file())) { server in
            let client = TradingClient(server: server)
            let order: [String: Any] = ["symbol": "H2O", "side": "buy", "type": "market", "quantity": "12.5"]
            var preview = try await client.send("POST", "/v1/orders/preview", order)
            for _ in 0..<1200 where !preview.list("problems").isEmpty {
                try await Task.sleep(for: .milliseconds(50))
                preview = try await client.send("POST", "/v1/orders/preview", order)
            }
            #expect(preview.list("problems").isEmpty, "\(preview.json)")
            let placed = try await client.send("POST", "/v1/orders", order)
            #expect(placed.status == 201, "\(placed.json)")
            let filled = try await client.wait(for: try #require(placed.text("id")), ["filled"])
            #expect(filled.text("filled_quantity") == "12.5")
            let fills = try await client.get("/v1/fills").list("fills")
            let receipt = try #require(fills.first?["receipt"] as? [String: Any])
            #expect(fills.count == 1 && receipt["trade_used"] as? String == "0")
            #expect((receipt["rule"] as? String)?.contains("have no volume") == true)
        }
    }

    @Test("the same client order id places once; with another content it is refused by name")
    func idempotent() async throws {
        try await Self.with { client in
            _ = try await client.waitForTrade("BTC-USD")
            let order: [String: Any] = ["type": "limit", "limit_price": "1000"]
            let first = try await client.place("i-1", order)
            let again = try await client.place("i-1", order)
            #expect(first.status == 201)
            #expect(again.status == 200)
            #expect(again.text("id") == first.text("id"))
            let other = try await client.place("i-1", ["type": "limit", "limit_price": "1001"])
            #expect(other.status == 422)
            #expect(other.errorField == "client_order_id")
            #expect(try await client.get("/v1/orders").list("orders").count == 1)
        }
    }

    @Test("an order is amended by its version, and cancelled, once")
    func amendAndCancel() async throws {
        try await Self.with { client in
            _ = try await client.waitForTrade("BTC-USD")
            let placed = try await client.place("a-1", ["type": "limit", "limit_price": "1000"])
            let path = "/v1/orders/\(try #require(placed.text("id")))"
            let version = try #require(placed["version"] as? Int)
            let amended = try await client.send("PATCH", path, ["limit_price": "1200", "version": version])
            #expect(amended.status == 200, "\(amended.json)")
            #expect(amended.text("limit_price") == "1200")
            let late = try await client.send("PATCH", path, ["limit_price": "1300", "version": version])
            #expect(late.status == 409)
            #expect(late.errorField == "version")
            let bad = try await client.send("PATCH", path, ["quantity": "-1"])
            #expect(bad.status == 422)
            #expect(bad.errorField == "quantity")

            let cancelled = try await client.send("DELETE", path)
            #expect(cancelled.status == 200)
            #expect(cancelled.text("status") == "cancelled")
            #expect(try await client.send("DELETE", path).status == 409)

            for number in 1...3 { _ = try await client.place("b-\(number)", ["type": "limit", "limit_price": "900"]) }
            let all = try await client.send("DELETE", "/v1/orders?symbol=BTC-USD")
            #expect(all.list("orders").map { $0["status"] as? String } == ["cancelled", "cancelled", "cancelled"])
            #expect(try await client.get("/v1/orders?status=active").list("orders").isEmpty)
            #expect(try await client.get("/v1/orders?status=cancelled&limit=2").list("orders").count == 2)
        }
    }

    @Test("what is wrong is named by its field, and nothing is changed")
    func validation() async throws {
        try await Self.with { client in
            _ = try await client.waitForTrade("BTC-USD")
            let before = try await client.get("/v1/orders")["sequence"] as? Int
            let wrong: [([String: Any], String, Int)] = [
                (["client_order_id": ""], "client_order_id", 422), (["symbol": "NOPE"], "symbol", 422),
                (["quantity": "0"], "quantity", 422), (["quantity": "many"], "quantity", 400),
                (["type": "limit"], "limit_price", 422), (["type": "stop"], "stop_price", 422),
                (["leverage": 1000], "leverage", 422), (["limitPrice": "1"], "limitPrice", 400),
                (["account": "live-main"], "account", 422), (["account": "main"], "account", 422),
            ]
            for (fields, field, status) in wrong {
                let answer = try await client.place("w", fields)
                #expect(answer.status == status, "\(fields): \(answer.json)")
                #expect(answer.errorField == field, "\(fields): \(answer.json)")
            }
            #expect(try await client.get("/v1/orders")["sequence"] as? Int == before)
            #expect(try await client.get("/v1/orders?status=odd").errorField == "status")
            #expect(try await client.get("/v1/orders?limit=0").errorField == "limit")
            #expect(try await client.get("/v1/events?type=odd").errorField == "type")
            #expect(try await client.send("PUT", "/v1/orders").status == 405)
            #expect(try await client.send("POST", "/v1/positions/BTC-USD/close", [:]).status == 404)
        }
    }

    @Test("an empty parameter, and a field that a request does not have, are errors and change nothing")
    func emptyParameters() async throws {
        try await Self.with { client in
            _ = try await client.waitForTrade("BTC-USD")
            let resting = try await client.place("e-1", ["type": "limit", "limit_price": "1"])
            let id = try #require(resting.text("id"))
            let wrong: [(method: String, path: String, body: [String: Any]?, field: String, status: Int)] = [
                ("DELETE", "/v1/orders?symbol=", nil, "symbol", 404),
                ("DELETE", "/v1/orders?account=", nil, "account", 422),
                ("GET", "/v1/orders?status=", nil, "status", 400), ("GET", "/v1/orders?limit=", nil, "limit", 400),
                ("GET", "/v1/orders?before=", nil, "before", 400), ("GET", "/v1/fills?order=", nil, "order", 422),
                ("GET", "/v1/events?type=", nil, "type", 400), ("GET", "/v1/events?type=risk,", nil, "type", 400),
                ("GET", "/v1/portfolio/history?currency=", nil, "currency", 422),
                ("PATCH", "/v1/orders/\(id)", ["account": "paper-main", "limit_price": "2"], "account", 400),
                ("POST", "/v1/accounts/paper-main/reset", ["account": "paper-other"], "account", 400),
                ("POST", "/v1/accounts", ["name": "x", "account": "paper-main"], "account", 400),
            ]
            for (method, path, body, field, status) in wrong {
                let answer = try await client.send(method, path, body)
                #expect(answer.status == status, "\(method) \(path): \(answer.json)")
                #expect(answer.errorField == field, "\(method) \(path): \(answer.json)")
            }
            #expect(try await client.get("/v1/orders/\(id)").text("status") == "new")
            #expect(try await client.get("/v1/orders/\(id)")["version"] as? Int == resting["version"] as? Int)
            let both: [String: Any] = ["consultation_type": "markets", "consultationType": "nutrition"]
            let twice = try await client.send("POST", "/consultations", both)
            #expect(twice.status == 400 && twice.errorField == "consultation_type", "\(twice.json)")
        }
    }

    @Test("nothing of a live account is taken: its ids differ by name")
    func paperOnly() async throws {
        try await Self.with { client in
            for (method, path) in [
                ("GET", "/v1/orders/live-main-o1"), ("DELETE", "/v1/orders/live-main-o1"),
                ("GET", "/v1/accounts/live-main"), ("POST", "/v1/accounts/live-main/reset"),
            ] {
                let answer = try await client.send(method, path)
                #expect(answer.status == 404, "\(method) \(path)")
                #expect(answer.errorCode == "paper_only")
                #expect(answer.errorMessage.contains("paper only"))
            }
            for path in ["/v1/orders", "/v1/positions", "/v1/portfolio", "/v1/fills"] {
                let answer = try await client.get("\(path)?account=live-main")
                #expect(answer.status == 422, "\(path)")
                #expect(answer.errorCode == "paper_only")
            }
            #expect(try await client.get("/v1/positions?account=paper-other").status == 404)
        }
    }

    @Test("accounts are made by name, keep their money apart, and begin anew")
    func accounts() async throws {
        try await Self.with { client in
            _ = try await client.waitForTrade("BTC-USD")
            let made = try await client.send(
                "POST", "/v1/accounts", ["name": "scalping", "currency": "USD", "capital": "500"])
            #expect(made.status == 201, "\(made.json)")
            #expect(made.text("id") == "paper-scalping")
            #expect(try await client.send("POST", "/v1/accounts", ["name": "scalping"]).status == 409)
            #expect(try await client.send("POST", "/v1/accounts", ["name": "a-b"]).errorField == "name")
            #expect(
                try await client.send("POST", "/v1/accounts", ["name": "x", "currency": "XXX"]).errorField == "currency"
            )
            #expect(
                try await client.send("POST", "/v1/accounts", ["name": "x", "capital": "-1"]).errorField == "capital")
            let tooMuch = try await client.place("s-1", ["account": "paper-scalping", "quantity": "1"])
            #expect(tooMuch.status == 422, "\(tooMuch.json)")
            let placed = try await client.place("s-2", ["account": "paper-scalping", "quantity": "0.001"])
            #expect(placed.text("account") == "paper-scalping")
            _ = try await client.wait(for: try #require(placed.text("id")), ["filled"])
            #expect(try await client.get("/v1/positions").list("positions").isEmpty)
            #expect(try await client.get("/v1/positions?account=paper-scalping").list("positions").count == 1)
            let reset = try await client.send("POST", "/v1/accounts/paper-scalping/reset", ["capital": "700"])
            #expect(reset.list("portfolios").first?["equity"] as? String == "700")
            #expect(try await client.get("/v1/positions?account=paper-scalping").list("positions").isEmpty)
            let ids = try await client.get("/v1/accounts").list("accounts").map { $0["id"] as? String }
            #expect(ids == ["paper-main", "paper-scalping"])
        }
    }

    @Test("a preview says what an order would cost, and changes nothing")
    func preview() async throws {
        try await Self.with { client in
            // Below the market, so that the limit is the price.
            let limit = Int(try await client.waitForTrade("BTC-USD")) / 2
            let order: [String: Any] = [
                "client_order_id": "p-1", "symbol": "BTC-USD", "side": "buy", "type": "limit", "quantity": "0.1",
                "limit_price": "\(limit)", "leverage": 10,
            ]
            let preview = try await client.send("POST", "/v1/orders/preview", order)
            #expect(preview.status == 200, "\(preview.json)")
            #expect(Double(preview.text("cost") ?? "") == Double(limit) / 10)
            #expect(Double(preview.text("margin") ?? "") == Double(limit) / 100)
            #expect(preview.list("problems").isEmpty)
            let bad = try await client.send("POST", "/v1/orders/preview", order.merging(["leverage": 5000]) { $1 })
            #expect(bad.list("problems").first?["field"] as? String == "leverage")
            #expect(try await client.get("/v1/orders").list("orders").isEmpty)
        }
    }

    @Test("a page of another origin may not trade; with tokens, no request without one")
    func access() async throws {
        try await Self.with { client in
            let answer = try await client.send(
                "POST", "/v1/accounts", ["name": "evil"], headers: ["Origin": "https://evil.example"])
            #expect(answer.status == 403)
        }
        let tokens = try StreamTokens(file: TestSecrets.file(TestSecrets.remember("a-token-of-some-length-1")))
        try await RunningServer.with(feed: Self.feed, tokens: tokens) { server in
            let client = TradingClient(server: server)
            let stranger = try await client.get("/v1/accounts")
            #expect(stranger.status == 401)
            let token = ["Authorization": "Bearer a-token-of-some-length-1"]
            let known = try await client.send("GET", "/v1/accounts", headers: token)
            #expect(known.status == 200)
        }
    }

    @Test("after a restart orders, positions and money are what they were")
    func restart() async throws {
        let folder = RunningServer.temporaryFolder()
        let before = try await RunningServer.with(feed: Self.feed, folder: folder) { server in
            let client = TradingClient(server: server)
            _ = try await client.waitForTrade("BTC-USD")
            let placed = try await client.place("r-1", ["quantity": "0.02", "leverage": 3])
            _ = try await client.wait(for: try #require(placed.text("id")), ["filled"])
            _ = try await client.place("r-2", ["type": "limit", "limit_price": "1000", "leverage": 3])
            return try await Self.facts(client)
        }
        let after = try await RunningServer.with(feed: Self.feed, folder: folder) { server in
            let client = TradingClient(server: server)
            let facts = try await Self.facts(client)
            // Placing again after the restart finds the order.
            let again = try await client.place("r-2", ["type": "limit", "limit_price": "1000", "leverage": 3])
            #expect(again.status == 200)
            let events = try await client.get("/v1/events?type=order_filled").list("events")
            #expect(!events.isEmpty)
            return facts
        }
        #expect(before == after)
        #expect(before.count == 3 + 1)
    }

    @Test("a recording is traded with new accounts each time, by its own clock")
    func replay() async throws {
        let (path, trades) = try ReplayTests.recording()
        let firsts = trades.values.compactMap { $0.first?.timestamp }
        let start = try #require(firsts.min())
        let folder = RunningServer.temporaryFolder()
        for _ in 0..<2 {
            try await RunningServer.with(feed: .replay(path: path), folder: folder) { server in
                let client = TradingClient(server: server)
                let accounts = try await client.get("/v1/accounts").list("accounts")
                #expect(accounts.map { $0["id"] as? String } == ["paper-main"])
                #expect(accounts.first?["created_at"] as? Double == start)
                #expect(try await client.send("POST", "/v1/accounts", ["name": "mine"]).status == 201)
                _ = try await client.waitForTrade("BTCUSDT")
                let order = try await client.place(
                    "w", ["symbol": "BTCUSDT", "type": "limit", "limit_price": "1"])
                #expect(order.status == 201, "\(order.json)")
                let last = start + 1200
                let created = try #require(order["created_at"] as? Double)
                #expect((start...last).contains(created))
            }
        }
    }

    /// What does not depend on the market's price.
    private static func facts(_ client: TradingClient) async throws -> [String] {
        var facts: [String] = []
        for order in try await client.get("/v1/orders").list("orders") {
            facts.append(
                ["id", "status", "filled_quantity", "average_fill_price", "version"].map { "\(order[$0] ?? "-")" }
                    .joined(separator: " "))
        }
        for position in try await client.get("/v1/positions").list("positions") {
            facts.append(
                ["id", "size", "entry_price", "margin", "created_at"].map { "\(position[$0] ?? "-")" }.joined(
                    separator: " "))
        }
        for money in try await client.get("/v1/portfolio").list("portfolios") {
            facts.append(
                ["currency", "fees", "realized_pnl", "used_margin", "held_margin"].map { "\(money[$0] ?? "-")" }.joined(
                    separator: " "))
        }
        return facts
    }
}
