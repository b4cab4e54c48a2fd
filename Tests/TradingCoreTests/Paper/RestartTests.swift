import MarketModel
import Testing

@testable import TradingCore

@Suite("Restarts")
struct RestartTests {
    /// A desk with an order of 10 that took 4 of the one trade there was, and its exchange rebuilt from the log.
    static func restarted() throws -> (desk: Desk, trade: Tick) {
        var desk = Desk()
        desk.trade(100, 4)
        let trade = Tick(timestamp: desk.time, price: 100, volume: 4)
        desk.order(.buy, "10")
        #expect(desk.fills == ["100 x 4"])
        desk.exchange = try PaperExchange(account: desk.replayed(), settings: desk.exchange.settings, seed: 2)
        return (desk, trade)
    }

    @Test("a trade that the feed sends again after a restart does not fill twice")
    func sameTrade() throws {
        var (desk, trade) = try Self.restarted()
        for _ in 0..<3 { desk.exchange.ingest(Desk.market, trade, now: desk.time) }
        desk.drain()
        #expect(desk.fills == ["100 x 4"])
        desk.trade(100, 5)
        #expect(desk.fills == ["100 x 4", "100 x 5"])
    }

    @Test("what was left of it fills, once")
    func rest() throws {
        var desk = Desk()
        desk.trade(100, 4)
        let trade = Tick(timestamp: desk.time, price: 100, volume: 4)
        desk.order(.buy, "3")
        desk.exchange = try PaperExchange(account: desk.replayed(), settings: desk.exchange.settings, seed: 2)
        desk.exchange.ingest(Desk.market, trade, now: desk.time)
        desk.order(.buy, "2")
        desk.order(.buy, "1", tif: .ioc)
        #expect(desk.fills == ["100 x 3", "100 x 1"])
    }

    @Test("any other trade is a new one: another price, another volume, or a later time")
    func otherTrades() throws {
        for (price, volume, later) in [(101.0, 4.0, 0.0), (100, 4.5, 0), (100, 4, 0.001)] {
            var (desk, trade) = try Self.restarted()
            trade = Tick(timestamp: trade.timestamp + later, price: price, volume: volume)
            desk.exchange.ingest(Desk.market, trade, now: desk.time + later)
            desk.drain()
            #expect(desk.fills.count == 2)
        }
    }

    @Test("earlier trades sent again are known as well, until a later one comes")
    func earlierTrades() throws {
        var desk = Desk()
        var trades: [Tick] = []
        desk.order(.buy, "100", .limit, limit: "100")
        for volume in [1.0, 2, 3] {
            desk.trade(100, volume)
            trades.append(Tick(timestamp: desk.time, price: 100, volume: volume))
        }
        let before = desk.fills
        #expect(before.count == 3)
        desk.exchange = try PaperExchange(account: desk.replayed(), settings: desk.exchange.settings, seed: 2)
        for trade in trades { desk.exchange.ingest(Desk.market, trade, now: desk.time) }
        desk.drain()
        #expect(desk.fills == before)
        desk.trade(100, 2)
        #expect(desk.fills.count == 4)
    }
}
