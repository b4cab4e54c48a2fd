import Testing
import TradingCore

@testable import CandlewireServer

@Suite("The demo account")
struct DemoAccountTests {
    private static let now = 1_800_000_000.0

    private static func markets(_ count: Int) -> [DemoAccount.Market] {
        let all = [
            ("BTC-USD", 2, 67_234.5), ("ETH-USD", 2, 3456.78), ("SOL-USD", 2, 178.92), ("XRP-USD", 4, 0.6234),
            ("SHIB-USD", 8, 0.00001234),
        ]
        return all.prefix(count).map { symbol, precision, price in
            DemoAccount.Market(symbol: symbol, precision: precision, price: price) { (price * 0.97, now - $0) }
        }
    }

    private static func account(_ count: Int, _ model: FillModelName) throws -> PaperExchange {
        let steps = DemoAccount.steps(markets(count), now: now)
        var settings = PaperSettings()
        model.apply(to: &settings)
        var exchange = try PaperExchange(
            opening: AccountID(name: "demo"), settings: settings, seed: 1, now: steps[0].time)
        for step in steps {
            exchange.placeEarlierOrder(
                step.request, marketAt: step.price, isCancelled: step.isCancelled, time: step.time)
        }
        return exchange
    }

    @Test(
        "has six orders and a position in up to three markets, with every model, and its ledger makes it again",
        arguments: [1, 2, 3, 4, 5], FillModelName.allCases)
    func contents(count: Int, model: FillModelName) throws {
        var exchange = try Self.account(count, model)
        let orders = exchange.account.orders(limit: 100)
        #expect(orders.count == 6)
        #expect(orders.count { $0.status == .filled } == 3, "\(orders.map { "\($0.status) \($0.reason ?? "")" })")
        #expect(orders.count { $0.status == .new } == 2 && orders.count { $0.status == .cancelled } == 1)
        let positions = exchange.positions()
        #expect(positions.count == min(count, 3))
        #expect(exchange.account.recentFills.count == 3)
        #expect(DemoAccount.isLoaded(in: exchange.account) && !DemoAccount.isUnused(exchange.account))

        let entries = exchange.drainEvents()
        #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.time <= $1.time })
        let replayed = try AccountState(id: exchange.account.id, replaying: entries)
        #expect(replayed == exchange.account)
        let portfolio = try #require(exchange.portfolios().first)
        let profit = try positions.reduce(ExactDecimal.zero) { try $0 + $1.unrealizedPnL }
        #expect(portfolio.unrealizedPnL == profit)
        #expect(try portfolio.equity == portfolio.initialCapital - portfolio.fees + portfolio.realizedPnL + profit)
        #expect(portfolio.fees.isPositive)
    }

    @Test("has the sides, sizes and leverages of a terminal's first launch")
    func firstLaunch() throws {
        let positions = try Self.account(5, .volume).positions()
        #expect(positions.map(\.symbol) == ["BTC-USD", "ETH-USD", "SOL-USD"])
        #expect(positions.map(\.side) == [.long, .short, .long])
        #expect(positions.map(\.leverage) == [5, 3, 2])
        #expect(positions.map { "\($0.size)" } == ["0.052", "0.52", "12"])
    }

    @Test("can be loaded again after a reset")
    func reset() throws {
        var exchange = try Self.account(4, .volume)
        try exchange.reset(now: Self.now)
        #expect(DemoAccount.isUnused(exchange.account) && !DemoAccount.isLoaded(in: exchange.account))
        for step in DemoAccount.steps(Self.markets(4), now: Self.now) {
            exchange.placeEarlierOrder(
                step.request, marketAt: step.price, isCancelled: step.isCancelled, time: step.time)
        }
        #expect(exchange.positions().count == 3 && exchange.account.orders(limit: 10).count == 6)
    }
}
