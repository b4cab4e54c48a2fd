import MarketModel
import Testing

@testable import TradingCore

/// What a request or a fill costs, counted and not timed.
@Suite("Work per fill")
struct WorkPerFillTests {
    /// An exchange with a position and a waiting order in each of so many markets.
    static func exchange(markets: Int) throws -> PaperExchange {
        let settings = PaperSettings(initialCapital: [Money(100_000_000, "USD")])
        var exchange = try PaperExchange(opening: AccountID(name: "main"), settings: settings, seed: 1, now: 1)
        for market in 0..<markets {
            let symbol = "M\(market)-USD"
            exchange.ingest(symbol, Tick(timestamp: 1, price: 100, volume: 1000), now: 1)
            try place(.buy, 3, "open\(market)", symbol, in: &exchange)
            try place(.buy, 1, "wait\(market)", symbol, limit: 50, in: &exchange)
        }
        return exchange
    }

    static func place(
        _ side: Side, _ quantity: ExactDecimal, _ name: String, _ symbol: String, limit: ExactDecimal? = nil,
        in exchange: inout PaperExchange
    ) throws {
        let result = exchange.place(
            OrderRequest(
                clientOrderID: name, symbol: symbol, side: side, type: limit == nil ? .market : .limit,
                quantity: quantity, limitPrice: limit), now: exchange.clock)
        guard case .accepted = result else {
            Issue.record("\(name): \(result)")
            return
        }
    }

    /// The work of 200 rounds of `body` in one of so many markets.
    static func work(
        markets: Int, _ body: (Int, inout PaperExchange) throws -> Void
    ) throws -> (work: MarginMonitor.Work, fills: Int) {
        var exchange = try exchange(markets: markets)
        _ = exchange.drainEvents()
        exchange.margin.work = MarginMonitor.Work()
        for round in 0..<200 { try body(round, &exchange) }
        return (exchange.margin.work, exchange.drainEvents().count { $0.event.fill != nil })
    }

    @Test("a fill values its own market once, and one order's hold, however many markets are held")
    func fills() throws {
        for markets in [1, 7, 80] {
            let (work, fills) = try Self.work(markets: markets) { round, exchange in
                try Self.place(round % 2 == 0 ? .buy : .sell, 1, "f\(round)", "M0-USD", in: &exchange)
            }
            #expect(fills == 200)
            #expect(work.positions == 200, "\(markets) markets")
            #expect(work.holds == 200, "\(markets) markets")
            // Now and then, when much of what was left above the warning is gone, all bands are found anew.
            #expect(work.bands <= 200 + 2 * markets, "\(markets) markets")
            #expect(work.wholes == 0)
        }
    }

    @Test("placing and cancelling values no position, and one market's holds")
    func placing() throws {
        for markets in [1, 80] {
            let (work, fills) = try Self.work(markets: markets) { round, exchange in
                try Self.place(.buy, 1, "p\(round)", "M0-USD", limit: 40, in: &exchange)
                try exchange.cancel(
                    OrderID(account: exchange.account.id, number: exchange.account.nextOrderNumber - 1),
                    now: exchange.clock)
            }
            #expect(fills == 0)
            #expect(work == MarginMonitor.Work(positions: 0, holds: 200, bands: 0, wholes: 0), "\(markets) markets")
        }
    }

    @Test("a quiet trade makes no work, and the next fill values only the markets that have traded")
    func quietTicks() throws {
        let (work, fills) = try Self.work(markets: 80) { round, exchange in
            for index in 0..<40 {
                exchange.ingest(
                    market: index % 5, Tick(timestamp: 2, price: 100 + Double(index % 7) / 100, volume: 10), now: 2)
            }
            if round % 20 == 19 { try Self.place(.buy, 1, "q\(round)", "M79-USD", in: &exchange) }
        }
        #expect(fills == 10)
        // Five markets that have traded and the one of the fill.
        #expect(work.positions == 60)
        #expect(work.wholes == 0)
    }

    @Test("amounts that are too large for running sums are added up anew, and come out the same")
    func outsized() throws {
        var settings = PaperSettings(initialCapital: [Money(d("1e15"), "USD")], maintenanceRate: 0, maxLeverage: 1000)
        settings.feeModel = .none
        settings.fillModel = .immediate
        var desk = Desk(settings)
        desk.trade(1, 1)
        desk.trade(1, 1, "ETH-USD")
        desk.order(.buy, "1e15", leverage: 1000)
        desk.order(.buy, "1", symbol: "ETH-USD")
        desk.trade(10_000)
        let currency = desk.exchange.margin.markets[0].currency
        #expect(desk.exchange.margin.currencies[currency].unsummable == 1)
        #expect(desk.portfolio.equity == d("10000000000000000000"))
        desk.order(.buy, "1", symbol: "ETH-USD")
        desk.trade(1.5)
        desk.order(.buy, "1", symbol: "ETH-USD")
        #expect(desk.exchange.margin.currencies[currency].unsummable == 0)
        let kept = try desk.exchange.margin.value(currency, desk.exchange.account, desk.exchange.markets)
        let whole = try desk.exchange.account.valuation(currency: "USD", settings: settings) { desk.exchange.mark($0) }
        #expect(kept == whole)
    }
}
