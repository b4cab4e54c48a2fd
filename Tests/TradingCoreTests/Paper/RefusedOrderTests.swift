import MarketModel
import Testing

@testable import TradingCore

@Suite("Orders that were never accepted")
struct RefusedOrderTests {
    private func refuse(_ desk: inout Desk, _ id: String) -> Order<Paper>? {
        guard case .rejected(let problem, let order) = desk.place(.buy, "99999", leverage: 1, id: id) else {
            return nil
        }
        return problem.code == .insufficientMargin ? order : nil
    }

    @Test("are not in the log, however many there are")
    func log() throws {
        var desk = Desk()
        desk.trade(100, 10)
        let before = desk.log
        for number in 1...3 * RefusedOrders.capacity { #expect(refuse(&desk, "r\(number)") != nil) }
        #expect(desk.log == before)
        #expect(desk.exchange.drainRefused().count == RefusedOrders.capacity)
        #expect(desk.exchange.orders(limit: .max).count == RefusedOrders.capacity)
    }

    @Test("have numbers of their own, show in lists, and answer their request again until many came after them")
    func known() throws {
        var desk = Desk()
        desk.trade(100, 10)
        let first = desk.order(.buy, "1")
        let refused = try #require(refuse(&desk, "x"))
        let second = desk.order(.buy, "1")
        #expect([first.number, refused.id.number, second.number] == [1, 2, 3])
        #expect(desk.exchange.orders(limit: 10).map(\.id.number) == [3, 2, 1])
        #expect(desk.exchange.orders(before: 3, limit: 1).map(\.id) == [refused.id])
        #expect(desk.exchange.order(refused.id) == refused)
        #expect(desk.place(.buy, "99999", leverage: 1, id: "x") == .duplicate(refused))
        guard case .rejected(let problem, nil) = desk.place(.buy, "1", id: "x") else {
            Issue.record("accepted")
            return
        }
        #expect(problem.code == .duplicateClientOrderID)
        #expect(throws: TradingRejection.self) { try desk.exchange.cancel(refused.id, now: desk.time) }
        for number in 1...RefusedOrders.capacity { #expect(refuse(&desk, "r\(number)") != nil) }
        #expect(desk.exchange.order(refused.id) == nil)
        guard case .accepted = desk.place(.buy, "1", id: "x") else {
            Issue.record("an id that is forgotten is free")
            return
        }
        #expect(try desk.replayed() == desk.exchange.account)
    }

    @Test("are there again after a restart, with their numbers, and a reset forgets them")
    func restart() throws {
        var desk = Desk()
        desk.trade(100, 10)
        let refused = try #require(refuse(&desk, "x"))
        let kept = desk.exchange.drainRefused()
        #expect(kept == [refused])
        func restart() throws {
            desk.exchange = try PaperExchange(
                account: desk.replayed(), settings: Desk.plain, seed: 1, refused: kept)
            desk.trade(100, 10)
        }
        try restart()
        #expect(desk.place(.buy, "99999", leverage: 1, id: "x") == .duplicate(refused))
        #expect(desk.order(.buy, "1").number == refused.id.number + 1)
        desk.time += 1
        try desk.exchange.reset(now: desk.time)
        desk.drain()
        for _ in 0..<2 {
            #expect(desk.exchange.orders(limit: 10).isEmpty)
            #expect(desk.exchange.order(clientOrderID: "x") == nil)
            try restart()
        }
        #expect(desk.order(.buy, "1").number == refused.id.number + 2)
    }
}
