import MarketModel
import Testing

@testable import TradingCore

/// The volume model in a market whose trades have no volume.
@Suite("Trades without a volume")
struct TradesWithoutVolumeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Prices and volumes before the order.
        var before: [(Double, Double)] = [(100, 0)]
        var type = OrderType.market
        var limit: String?
        var stop: String?
        var tif = TimeInForce.gtc
        /// Prices and volumes after it.
        var after: [(Double, Double)] = []
        var fills: [String]
        var status: OrderStatus
    }

    static let cases = [
        Case(testDescription: "market", fills: ["100 x 7"], status: .filled),
        Case(testDescription: "market, ioc", tif: .ioc, fills: ["100 x 7"], status: .filled),
        Case(testDescription: "market, fok", tif: .fok, fills: ["100 x 7"], status: .filled),
        Case(testDescription: "limit that crosses", type: .limit, limit: "101", fills: ["100 x 7"], status: .filled),
        Case(
            testDescription: "limit that waits", type: .limit, limit: "98", after: [(99, 0), (97, 0)],
            fills: ["98 x 7"], status: .filled),
        Case(
            testDescription: "stop", type: .stop, stop: "103", after: [(102, 0), (104, 0)], fills: ["104 x 7"],
            status: .filled),
        Case(
            testDescription: "a volume that came before", before: [(100, 2), (101, 0)], fills: [], status: .new),
        Case(
            testDescription: "a volume that came before, and one after", before: [(100, 2), (101, 0)],
            after: [(102, 0), (103, 5)], fills: ["103 x 5"], status: .partiallyFilled),
        Case(
            testDescription: "fok where a volume came before", before: [(100, 9), (100, 0)], tif: .fok, fills: [],
            status: .cancelled),
        Case(
            testDescription: "a limit that waits until the first volume", type: .limit, limit: "98",
            after: [(99, 0), (97, 3)], fills: ["98 x 3"], status: .partiallyFilled),
    ]

    @Test(
        "fill an order whole while none has had one, and from the volume of each from the first one on",
        arguments: cases)
    func filled(testCase: Case) throws {
        var desk = Desk()
        for (price, volume) in testCase.before { desk.trade(price, volume) }
        let request = OrderRequest(
            clientOrderID: "p", symbol: Desk.market, side: .buy, type: testCase.type, timeInForce: testCase.tif,
            quantity: 7, limitPrice: testCase.limit.map(d), stopPrice: testCase.stop.map(d))
        #expect(desk.exchange.preview(request).problems.isEmpty)
        let id = desk.order(
            .buy, "7", testCase.type, limit: testCase.limit, stop: testCase.stop, tif: testCase.tif)
        for (price, volume) in testCase.after { desk.trade(price, volume) }
        #expect(desk.fills == testCase.fills)
        #expect(desk.status(id) == testCase.status)
        #expect(try desk.replayed() == desk.exchange.account)
    }

    @Test("the receipt says so, and that no volume was used")
    func receipt() throws {
        var settings = Desk.plain
        settings.slippageModel = .basisPoints(10)
        var desk = Desk(settings)
        desk.trade(100, 0)
        desk.order(.buy, "7")
        desk.order(.sell, "7", .limit, limit: "110")
        desk.trade(111, 0)
        let receipts = desk.log.compactMap(\.event.fill).map(\.receipt)
        #expect(desk.fills == ["100.1 x 7", "110 x 7"])
        #expect(receipts.map(\.slippage) == [d("0.1"), 0])
        for receipt in receipts {
            #expect(receipt.model == "volume" && receipt.tradeVolume == 0 && receipt.tradeUsed == 0)
            #expect(
                receipt.rule.contains("the market's trades have no volume") || receipt.rule.hasPrefix("The market's"))
            #expect(receipt.rule.contains("have no volume"))
        }
    }

    @Test("a price from before the account's time fills nothing, and is no trade without a volume")
    func earlierTrade() throws {
        for volume in [0.0, 5] {
            var desk = Desk()
            let market = desk.exchange.register(Desk.market)
            desk.exchange.applyEarlierTrade(
                market: market, Tick(timestamp: desk.time, price: 100, volume: 5), now: desk.time)
            let id = desk.order(.buy, "7")
            #expect(desk.status(id) == .new)
            desk.trade(101, volume)
            #expect(desk.fills == [volume == 0 ? "101 x 7" : "101 x 5"])
        }
    }

    @Test("after a restart a market that was filled from a volume has one")
    func restart() throws {
        var (desk, _) = try RestartTests.restarted()
        desk.trade(101, 0)
        #expect(desk.fills == ["100 x 4"])
        desk.trade(102, 1)
        #expect(desk.fills == ["100 x 4", "102 x 1"])
    }

    @Test("a refused tick shows no volume")
    func refused() throws {
        var desk = Desk()
        desk.trade(100, 0)
        for tick in [Tick(timestamp: 1, price: -1, volume: 5), Tick(timestamp: 1, price: 1e-17, volume: 5)] {
            desk.exchange.ingest(Desk.market, tick, now: desk.time)
        }
        #expect(desk.exchange.refusedTicks == 2)
        let id = desk.order(.buy, "7")
        #expect(desk.status(id) == .filled)
    }

    @Test("from the first volume on, a tick that concerns nothing is quiet; in models without volume from the start")
    func quiet() {
        for (model, isQuietAtFirst) in [(FillModel.volume(participation: 1), false), (.immediate, true)] {
            var settings = Desk.plain
            settings.fillModel = model
            var desk = Desk(settings)
            let market = desk.exchange.register(Desk.market)
            for (volume, isQuiet) in [(0.0, isQuietAtFirst), (0, isQuietAtFirst), (1, isQuietAtFirst), (0, true)] {
                let tick = Tick(timestamp: desk.time, price: 100, volume: volume)
                #expect(desk.exchange.markets[market].isQuiet(tick) == isQuiet)
                desk.exchange.ingest(market: market, tick, now: desk.time)
            }
        }
    }
}
