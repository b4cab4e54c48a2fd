import Foundation
import HistoryStore
import MarketFeeds
import MarketModel
import Testing

@testable import CandlewireServer
@testable import TradingCore

@Suite("Orders and fills that are no longer in memory", .timeLimit(.minutes(5)))
struct PastTradingTests {
    /// Orders 1 to 40 in two markets, filled at once; every eighth waits, every tenth is cancelled, every ninth is refused.
    private static func life() throws -> [LedgerEntry<Paper>] {
        var exchange = try PaperExchange(
            opening: AccountID(name: "main"), settings: PaperSettings(), seed: 7, now: 1_700_000_000)
        for symbol in ["BTC-USD", "ETH-USD"] { exchange.register(symbol, currency: "USD") }
        for number in 1...40 {
            let time = 1_700_000_000 + Double(number)
            let symbol = number % 3 == 0 ? "ETH-USD" : "BTC-USD"
            exchange.ingest(symbol, Tick(timestamp: time, price: 1000, volume: 5), now: time)
            let rests = number % 8 == 0 || number % 10 == 0
            let order = exchange.place(
                OrderRequest(
                    clientOrderID: "c\(number)", symbol: symbol, side: rests || number % 2 == 0 ? .buy : .sell,
                    type: rests ? .limit : .market, quantity: number % 9 == 0 ? 9_999_999 : ExactDecimal("0.001")!,
                    limitPrice: rests ? 5 : nil), now: time
            ).order
            if number % 10 == 0, let order { try exchange.cancel(order.id, now: time) }
        }
        return exchange.drainEvents()
    }

    @Test("are read from the ledger, page by page, among those that are in memory")
    func pages() async throws {
        let folder = RunningServer.temporaryFolder()
        let entries = try Self.life()
        let whole = try AccountState<Paper>(id: entries[0].account, replaying: entries)
        // As after a hundred thousand orders: what ended is forgotten, what waits is known.
        var state = whole
        for number in state.done.dropLast(5) {
            state.clientOrders[state.orders[number]!.order.clientOrderID] = nil
            state.orders[number] = nil
        }
        state.done = state.done.suffix(5)
        state.recentFills = state.recentFills.suffix(5)
        let ledger = try LedgerStore(directory: folder)
        try await ledger.append(entries.map { LedgerCodec.record($0) })
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            ledger.keep(
                LedgerSnapshot(
                    account: "paper-main", sequence: state.sequence, openedAt: 1, state: state.snapshot(),
                    events: TradingEvent.bytes([]))
            ) { done.resume(with: $0) }
        }
        try ledger.close()
        let expected = whole.orders(limit: 100)
        let fills = Array(whole.recentFills.reversed())
        #expect(expected.count > 30 && fills.count > 20)
        try await RunningServer.with(feed: .simulated(symbols: ["BTC-USD", "ETH-USD"]), folder: folder) { server in
            let client = TradingClient(server: server)
            func ids(_ list: String, _ query: String) async throws -> [String] {
                try await client.get("/v1/\(list)?limit=100\(query)").list(list).compactMap { $0["id"] as? String }
            }
            func paged(_ list: String, _ query: String = "") async throws -> [String] {
                var all: [String] = []
                while true {
                    let before = all.last.map { "&before=\($0)" } ?? ""
                    let page = try await client.get("/v1/\(list)?limit=4\(before)\(query)").list(list)
                    if page.isEmpty { return all }
                    all += page.compactMap { $0["id"] as? String }
                }
            }
            func names(_ orders: [Order<Paper>]) -> [String] { orders.map(\.id.description) }
            #expect(try await ids("orders", "") == names(expected))
            #expect(try await paged("orders") == names(expected))
            #expect(
                try await paged("orders", "&symbol=ETH-USD") == names(expected.filter { $0.symbol == "ETH-USD" }))
            for status in ["filled", "cancelled", "active", "done"] {
                let wanted = expected.filter { order in
                    switch status {
                    case "active": order.status.isActive
                    case "done": !order.status.isActive
                    default: order.status.rawValue == status
                    }
                }
                #expect(try await paged("orders", "&status=\(status)") == names(wanted), "\(status)")
            }
            for order in expected {
                let answer = try await client.get("/v1/orders/\(order.id)")
                #expect(answer.status == 200 && answer.text("client_order_id") == order.clientOrderID)
            }
            #expect(try await client.get("/v1/orders/paper-main-o999").status == 404)
            #expect(try await paged("fills") == fills.map(\.id.description))
            let eth = fills.filter { $0.symbol == "ETH-USD" }
            #expect(try await paged("fills", "&symbol=ETH-USD") == eth.map(\.id.description))
            let first = try #require(fills.last)
            #expect(
                try await ids("fills", "&order=\(first.orderID)")
                    == fills.filter { $0.orderID == first.orderID }.map(\.id.description))
            // What was before a reset is no longer the account's.
            #expect(try await client.send("POST", "/v1/accounts/paper-main/reset", [:]).status == 200)
            #expect(try await paged("orders") == [])
            #expect(try await paged("fills") == [])
        }
    }
}
