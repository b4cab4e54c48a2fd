import MarketModel
import Testing
import TradingCore

/// The worked figures of the requirements, to the cent.
@Suite("Worked figures")
struct WorkedFigureTests {
    @Test("0.08 % of 67234.50 is 53.79, and the next price lies between 67180.71 and 67288.29")
    func walkBounds() throws {
        let price = d("67234.50")
        let step = try price.multiplied(by: d("0.0008"))
        #expect(try step.rounded(decimals: 2) == d("53.79"))
        #expect(try (price - step).rounded(decimals: 2) == d("67180.71"))
        #expect(try (price + step).rounded(decimals: 2) == d("67288.29"))
    }

    @Test(
        "a long of 0.05 from 65000 to 67234.50 gains 111.73, 3.44 % of the price, 17.19 % of its margin"
    )
    func long() throws {
        var desk = Desk()
        desk.trade(65000, 1)
        desk.order(.buy, "0.05", leverage: 5)
        desk.trade(67234.5, 1)
        let position = try #require(desk.position)
        #expect(position.side == .long)
        #expect(position.size == d("0.05"))
        #expect(position.entryPrice == 65000)
        #expect(position.markPrice == d("67234.5"))
        #expect(position.unrealizedPnL == d("111.725"))
        #expect(try position.unrealizedPnL.rounded(decimals: 2) == d("111.73"))
        #expect(try position.pricePercent.rounded(decimals: 3) == d("3.438"))
        #expect(try position.pricePercent.rounded(decimals: 2) == d("3.44"))
        #expect(try position.marginPercent.rounded(decimals: 2) == d("17.19"))
        #expect(position.margin == 650)
        #expect(desk.portfolio.equity == d("100111.725"))
        #expect(desk.portfolio.availableBalance == d("99461.725"))
        #expect(desk.portfolio.usedMargin == 650)
    }

    @Test("a short of 0.5 from 3500 to 3456.78 gains 21.61")
    func short() throws {
        var desk = Desk()
        desk.trade(3500, 1)
        desk.order(.sell, "0.5")
        desk.trade(3456.78, 1)
        let position = try #require(desk.position)
        #expect(position.side == .short)
        #expect(position.unrealizedPnL == d("21.61"))
        #expect(try position.pricePercent.rounded(decimals: 2) == d("1.23"))
        desk.order(.buy, "0.5")
        #expect(desk.position == nil)
        #expect(desk.portfolio.realizedPnL == d("21.61"))
        #expect(desk.portfolio.equity == d("100021.61"))
        #expect(desk.portfolio.availableBalance == desk.portfolio.equity)
    }

    @Test("a market order is filled at once, at the last price, and its position is there")
    func marketOrder() throws {
        var settings = Desk.plain
        settings.fillModel = .immediate
        var desk = Desk(settings)
        desk.trade(65000)
        let id = desk.order(.buy, "1")
        #expect(desk.status(id) == .filled)
        #expect(desk.kinds == [.accountOpened, .orderAccepted, .orderFilled])
        #expect(desk.position?.size == 1)
        #expect(desk.state(id).averageFillPrice == 65000)
    }

    @Test(
        "in the random model a limit order waits and is filled with 30 % chance every 10 s, as a named option")
    func randomModel() throws {
        var settings = Desk.plain
        settings.fillModel = .random(chance: 0.3, every: 10)
        settings.initialCapital = [Money(1_000_000_000, "USD")]
        var desk = Desk(settings, seed: 42)
        desk.trade(65000, 1)
        let ids = (0..<1000).map { _ in desk.order(.buy, "0.01", .limit, limit: "64000") }
        desk.exchange.advance(to: desk.time)
        #expect(ids.allSatisfy { desk.status($0) == .new })
        var waiting = 1000
        for _ in 0..<5 {
            desk.time += 10
            desk.exchange.advance(to: desk.time)
            desk.drain()
            let left = ids.filter { desk.status($0) == .new }.count
            // 30 % of what waited, within five standard deviations.
            let expected = 0.3 * Double(waiting)
            #expect(abs(Double(waiting - left) - expected) < 5 * (expected * 0.7).squareRoot())
            waiting = left
        }
        let fills = desk.log.compactMap(\.event.fill)
        #expect(fills.allSatisfy { $0.price == 64000 && $0.receipt.model == "random" })
        #expect(desk.position?.side == .long)
    }

    @Test("a cancelled order is no longer among the active ones, and the change is an event")
    func cancel() throws {
        var desk = Desk()
        desk.trade(65000, 1)
        let id = desk.order(.buy, "1", .limit, limit: "60000")
        #expect(desk.exchange.account.activeOrders().map(\.id) == [id])
        try desk.exchange.cancel(id, now: desk.time)
        desk.drain()
        #expect(desk.status(id) == .cancelled)
        #expect(desk.exchange.account.activeOrders().isEmpty)
        #expect(desk.log.last?.event.order?.status == .cancelled)
        #expect(throws: TradingRejection.self) { try desk.exchange.cancel(id, now: desk.time) }
    }

    @Test("a limit order is filled when the price crosses it, by what was traded, and never before")
    func priceCrossing() throws {
        var desk = Desk()
        desk.trade(65000, 5)
        let id = desk.order(.buy, "2", .limit, limit: "64000", leverage: 2)
        for price in [65000, 64000.01, 64500, 90000] {
            desk.trade(price, 5)
            #expect(desk.status(id) == .new)
        }
        desk.trade(63999, 0.5)
        #expect(desk.status(id) == .partiallyFilled)
        desk.trade(64000, 10)
        #expect(desk.status(id) == .filled)
        #expect(desk.fills == ["64000 x 0.5", "64000 x 1.5"])
    }

    @Test("an order goes through partial fills to its end, or ends rejected or expired")
    func states() throws {
        var desk = Desk()
        desk.trade(100, 1)
        desk.trade(100, 0)
        let filled = desk.order(.buy, "3")
        desk.trade(100, 1)
        #expect(desk.status(filled) == .partiallyFilled)
        #expect(desk.state(filled).filledQuantity == 1)
        desk.trade(101, 5)
        #expect(desk.status(filled) == .filled)
        let day = desk.order(.buy, "1", .limit, limit: "90", tif: .day)
        let refused = desk.place(.buy, "1", .limit, limit: "200", postOnly: true)
        #expect(refused.order?.status == .rejected)
        desk.time += 86_400
        desk.exchange.advance(to: desk.time)
        #expect(desk.status(day) == .expired)
        #expect(desk.state(day).updatedAt.truncatingRemainder(dividingBy: 86_400) == 0)
        #expect(desk.state(filled).version == 3)
    }
}
