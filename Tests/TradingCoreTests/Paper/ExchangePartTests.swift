import Testing

@testable import TradingCore

/// The parts of the paper exchange, each by itself.
@Suite("Parts of the paper exchange")
struct ExchangePartTests {
    @Test("the schedule gives events by time, at one time arrivals before ends of days before draws")
    func schedule() {
        var schedule = Schedule()
        #expect(schedule.nextDue == .infinity)
        schedule.setDraw(at: 5)
        schedule.addDayEnd(1, at: 5)
        schedule.addArrival(2, at: 5, latency: 2)
        schedule.addArrival(3, at: 4)
        #expect(schedule.nextDue == 4)
        var events: [Schedule.Event] = []
        while let event = schedule.popFirst() { events.append(event) }
        #expect(events == [.arrival(3), .arrival(2), .dayEnd(1), .draw])
        #expect(schedule.latency(of: 2) == 2 && schedule.latency(of: 3) == 0)
    }

    @Test("limit orders come by price and then by time, and one that was removed does not come")
    func limits() {
        var waiting = WaitingOrders()
        waiting.addMarket()
        waiting.addLimit(1, .buy, at: 99, market: 0)
        waiting.addLimit(2, .buy, at: 100, market: 0)
        waiting.addLimit(3, .buy, at: 100, market: 0)
        waiting.addLimit(4, .sell, at: 105, market: 0)
        var found = [waiting.firstBuyLimit(0, at: 101)?.number, waiting.firstBuyLimit(0, at: 98)?.number]
        #expect(found == [nil, 2])
        waiting.remove(2)
        found = [waiting.firstBuyLimit(0, at: 100)?.number]
        found += [waiting.firstSellLimit(0, at: 104)?.number, waiting.firstSellLimit(0, at: 105)?.number]
        #expect(found == [3, nil, 4])
    }

    @Test("a stop comes once, when its price is touched; an order that was withdrawn waits no more")
    func stops() {
        var waiting = WaitingOrders()
        waiting.addMarket()
        waiting.addStop(1, .buy, at: 110, market: 0)
        waiting.addStop(2, .sell, at: 90, market: 0)
        let popped = [100, 110, 110].map { waiting.popStop(0, at: $0) }
        #expect(popped == [nil, 1, nil])
        let withdrawn = [waiting.withdraw(2, market: 0), waiting.withdraw(2, market: 0)]
        #expect(withdrawn == [true, false])
        let none = waiting.popStop(0, at: 80)
        #expect(none == nil)
    }

    @Test(
        "the quiet range ends at the nearest limits and stops, and there is none while an order fills from each trade")
    func quietRange() throws {
        let account = AccountState<Paper>(id: try AccountID(name: "main"))
        var waiting = WaitingOrders()
        waiting.addMarket()
        waiting.addLimit(1, .buy, at: 90, market: 0)
        waiting.addStop(2, .sell, at: 95, market: 0)
        waiting.addLimit(3, .sell, at: 110, market: 0)
        func range() -> [Double] {
            let (above, below) = waiting.quietRange(0, account)
            return [above, below]
        }
        #expect(range() == [95, 110])
        waiting.addTaker(4, market: 0)
        #expect(range() == [.infinity, -.infinity])
        let takers = waiting.drainTakers(0)
        #expect(takers == [4])
        #expect(range() == [95, 110])
    }

    @Test("a position's bracket replaces the one before, and refuses prices on the wrong side of the market")
    func bracket() throws {
        var desk = Desk()
        desk.trade(100, 10)
        desk.order(.buy, "2")
        let position = try #require(desk.exchange.position(Desk.market))
        let account = desk.exchange.account
        let actions = try ProtectionOrders.bracketActions(
            of: position, takeProfit: 120, stopLoss: 90, mark: 100, account)
        func leg(_ type: OrderType, _ price: ExactDecimal) -> ProtectionOrders.Action {
            .place(.init(type: type, side: .sell, quantity: 2, price: price, group: "position:BTC-USD", parent: nil))
        }
        #expect(actions == [leg(.limit, 120), leg(.stop, 90)])
        #expect(throws: TradingRejection.self) {
            try ProtectionOrders.bracketActions(of: position, takeProfit: 99, stopLoss: nil, mark: 100, account)
        }
        try desk.exchange.setBracket(Desk.market, takeProfit: 120, stopLoss: 90, now: desk.time)
        let replaced = try ProtectionOrders.bracketActions(
            of: position, takeProfit: nil, stopLoss: nil, mark: 100, desk.exchange.account)
        #expect(replaced.count == 2)
        #expect(replaced.allSatisfy { if case .cancel(_, "Replaced.") = $0 { true } else { false } })
    }
}
