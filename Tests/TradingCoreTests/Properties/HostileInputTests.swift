import MarketModel
import Testing
import TradingCore

/// Nothing traps on data.
@Suite("Hostile inputs")
struct HostileInputTests {
    static let numbers: [Double] = [
        .nan, .infinity, -.infinity, 0, -0.0, -1, .leastNonzeroMagnitude, 1e-16, 1e-17, 1e-8, 0.1, 1, 100, 1e8, 1e15,
        1e16, 1e18,
        1e19, 1e22, 1e38, .greatestFiniteMagnitude,
    ]
    static let decimals: [ExactDecimal] = [
        0, -1, d("1e-16"), d("-1e-16"), d("0.1234567890123456"), 1, d("99.9999999999999999"), 1_000_000, d("1e15"),
        d("999999999999999.9999999999999999"), d("1e16"), .greatest, -ExactDecimal.greatest,
    ]

    @Test(
        "any tick at any time is accepted or counted as refused",
        arguments: [FillModel.volume(participation: 1), .immediate, .through, .random(chance: 0.5, every: 10)])
    func ticks(model: FillModel) throws {
        var settings = PaperSettings(fillModel: model, initialCapital: [Money(d("1e15"), "USD")])
        settings.slippageModel = .volumeImpact(basisPoints: 500)
        var desk = Desk(settings)
        desk.trade(100, 1000)
        desk.place(.buy, "1000000", leverage: 100)
        desk.place(.buy, "1000", .limit, limit: "1e15")
        desk.place(.sell, "1000", .stop, stop: "1e-16")
        desk.place(.sell, "1000", .trailingStop, trail: .percent(d("99.9999999999999999")))
        var random = SeededGenerator(seed: 9)
        for price in Self.numbers {
            for volume in Self.numbers {
                let time = Self.numbers.randomElement(using: &random)!
                desk.exchange.ingest(
                    Desk.market, Tick(timestamp: time, price: price, volume: volume), now: desk.time)
                desk.exchange.ingest("NEW-USD", Tick(timestamp: 1, price: price, volume: volume), now: time)
                _ = desk.exchange.portfolios()
                _ = desk.exchange.positions()
            }
        }
        desk.drain()
        #expect(desk.exchange.refusedTicks > 100)
        #expect(try desk.replayed() == desk.exchange.account)
    }

    @Test("a price without decimals is refused, with a position or without, and leaves the mark as it was")
    func vanishingPrices() throws {
        for hasPosition in [false, true] {
            var desk = Desk()
            desk.trade(100, 10)
            if hasPosition { desk.order(.buy, "1") }
            for price in [1e-17, 4e-17, .leastNonzeroMagnitude] { desk.trade(price, 1) }
            #expect(desk.exchange.refusedTicks == 3)
            #expect(desk.exchange.mark(Desk.market) == 100)
        }
    }

    @Test("any decimal in any field of a request is answered", arguments: [UInt64(1), 2, 3])
    func requests(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var settings = PaperSettings(initialCapital: [Money(d("1e15"), "USD")], maxLeverage: 1000)
        settings.slippageModel = .basisPoints(500)
        var desk = Desk(settings)
        desk.trade(0.01, 1e9)
        let types: [OrderType] = [.market, .limit, .stop, .stopLimit, .trailingStop]
        for round in 0..<4000 {
            func any() -> ExactDecimal { Self.decimals.randomElement(using: &random)! }
            func maybe() -> ExactDecimal? { Bool.random(using: &random) ? any() : nil }
            let type = types.randomElement(using: &random)!
            let request = OrderRequest(
                clientOrderID: "r\(round)", symbol: Desk.market, side: Bool.random(using: &random) ? .buy : .sell,
                type: type,
                quantity: any(), limitPrice: type.hasLimit ? any() : nil,
                stopPrice: type == .stop || type == .stopLimit ? any() : nil,
                trail: type == .trailingStop ? (Bool.random(using: &random) ? .amount(any()) : .percent(any())) : nil,
                leverage: Int.random(in: -1...1001, using: &random), takeProfit: maybe(), stopLoss: maybe())
            _ = desk.exchange.preview(request)
            let result = desk.exchange.place(request, now: desk.time)
            if let order = result.order {
                _ = try? desk.exchange.amend(
                    order.id, OrderChange(quantity: maybe(), limitPrice: maybe(), stopPrice: maybe()), now: desk.time)
            }
            if round % 10 == 0 {
                desk.trade(
                    [0.01, 1e-16, 1e15, 12345.678, 1e-8, 3].randomElement(using: &random)!,
                    [0, 1e-16, 1e18, 5].randomElement(using: &random)!)
                _ = try? desk.exchange.setBracket(Desk.market, takeProfit: maybe(), stopLoss: maybe(), now: desk.time)
                _ = desk.exchange.portfolios()
                _ = desk.exchange.positions()
            }
        }
        desk.drain()
        #expect(try desk.replayed() == desk.exchange.account)
        // Orders that a rule refused are in no log.
        #expect(desk.log.count + desk.exchange.drainRefused().count > 100)
    }

    @Test("time that stands still, runs back or is no number changes nothing but the clock's own order")
    func times() throws {
        var desk = Desk(PaperSettings(fillModel: .random(chance: 0, every: 0.001), latency: .fixed(1)))
        desk.trade(100, 10)
        desk.order(.buy, "1", .limit, limit: "90", tif: .day)
        for now in Self.numbers {
            desk.exchange.advance(to: now)
            desk.exchange.ingest(Desk.market, Tick(timestamp: 5, price: 100, volume: 1), now: now)
            _ = desk.exchange.place(
                OrderRequest(clientOrderID: "t\(now)", symbol: Desk.market, side: .buy, type: .market, quantity: 1),
                now: now)
        }
        desk.drain()
        #expect(zip(desk.log, desk.log.dropFirst()).allSatisfy { $0.time <= $1.time && $1.time.isFinite })
        #expect(try desk.replayed() == desk.exchange.account)
    }

    @Test("capital and deposits have a bound, and accounts of nothing can do nothing")
    func capital() throws {
        for amount in [d("-1"), d("1e16"), .greatest] {
            #expect(throws: TradingRejection.self) {
                try PaperExchange(
                    opening: AccountID(name: "x"), settings: PaperSettings(initialCapital: [Money(amount, "USD")]),
                    seed: 1, now: 0)
            }
        }
        var desk = Desk(PaperSettings(initialCapital: []))
        desk.trade(100, 10)
        #expect(desk.place(.buy, "1").order?.status == .rejected)
        for amount in Self.decimals where amount <= 0 || amount > d("1e15") {
            #expect(throws: TradingRejection.self) { try desk.exchange.deposit(Money(amount, "USD"), now: desk.time) }
        }
        try desk.exchange.deposit(Money(1000, "USD"), now: desk.time)
        desk.order(.buy, "1")
        #expect(desk.position?.size == 1)
        try desk.exchange.reset(capital: [Money(5, "EUR")], now: desk.time)
        desk.drain()
        #expect(desk.exchange.positions().isEmpty)
        #expect(desk.exchange.portfolios().map(\.currency) == ["EUR"])
        #expect(try desk.replayed() == desk.exchange.account)
    }
}
