import Foundation
import MarketFeeds
import Testing
import TradingCore

@testable import CandlewireServer

/// What other interfaces for trading have, by the names that ours has for it: the table of Docs/trading-api.md.
@Suite("Fields by name", .timeLimit(.minutes(15)))
struct FieldNamesTests {
    @Test("positions, orders of the four types, what is traded with, and fees have their fields on the wire")
    func overREST() async throws {
        try await RunningServer.with(feed: .simulated(symbols: ["BTC-USD"])) { server in
            let client = TradingClient(server: server)
            let price = try await client.waitForTrade("BTC-USD")
            let market = try await client.place("market", ["leverage": 5])
            _ = try await client.wait(for: try #require(market.text("id")), ["filled"])
            let below = "\(Int(price / 2))"
            let above = "\(Int(price * 2))"
            for (type, prices) in [
                ("limit", ["limit_price": below]), ("stop", ["stop_price": above]),
                ("stop_limit", ["stop_price": above, "limit_price": above]),
            ] {
                var more: [String: Any] = ["type": type, "leverage": 5]
                for (name, price) in prices { more[name] = price }
                #expect(try await client.place(type, more).status == 201, "\(type)")
            }

            let orders = try await client.get("/v1/orders")
            #expect(orders.text("mode") == "paper")
            #expect(
                orders.list("orders").map { $0["type"] as? String } == ["stop_limit", "stop", "limit", "market"])
            for order in orders.list("orders") {
                #expect(order["mode"] as? String == "paper")
                #expect((order["updated_at"] as? Double ?? 0) >= (order["created_at"] as? Double ?? .infinity))
            }
            let position = try #require(try await client.get("/v1/positions").list("positions").first)
            #expect(position["leverage"] as? Int == 5)
            #expect(position["unrealized_pnl_percent"] is String && position["created_at"] is Double)
            let portfolio = try #require(try await client.get("/v1/portfolio").list("portfolios").first)
            let fills = try await client.get("/v1/fills").list("fills")
            let fees = try fills.map { try #require(($0["fee"] as? String).flatMap { ExactDecimal($0) }) }
            #expect(
                (portfolio["fees"] as? String).flatMap { ExactDecimal($0) } == (try fees.reduce(.zero) { try $0 + $1 }))
        }
    }

    @Test("a risk is reported with what was measured and the threshold, and once more when it is over")
    func risk() throws {
        let account = try AccountID<Paper>(name: "main")
        let call = MarginCall(currency: "USD", equity: 120, maintenanceMargin: 100, writtenOff: 0)
        var composer = EventComposer()
        let reported = [LedgerEvent<Paper>.liquidationWarned(call), .marginRestored(call), .liquidated(call)]
            .enumerated()
            .flatMap { index, event in
                composer.events(for: LedgerEntry(account: account, sequence: index + 1, time: 7, event: event))
            }
        #expect(reported.map(\.kind) == [.risk, .risk, .risk])
        #expect(reported.map(\.account) == Array(repeating: "paper-main", count: 3))
        for event in reported {
            #expect(event.metadata["equity"] == "120")
            #expect(event.metadata["maintenance_margin"] == "100")
            #expect(event.metadata["currency"] == "USD")
        }
        #expect(Set(reported.map(\.message)).count == 3)
    }
}
