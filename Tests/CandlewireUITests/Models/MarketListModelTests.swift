import CandlewireUI
import FinanceChartsKit
import Foundation
import MarketServices
import TestKit
import Testing

@MainActor
@Suite("The list of markets")
struct MarketListModelTests {
    let formats = Formats(locale: Locale(identifier: "en_US"), timeZone: .gmt)
    let markets = [
        market("ETH-USD", price: 90, open: 100, volume: 10), market("BTC-USD", price: 110, open: 100, volume: 5),
        market("SOL-EUR", price: nil), market("ADA-USD", price: 1, open: 1, volume: 100_000, precision: 4),
    ]

    @Test(
        "Sorts by name, change and volume, and puts markets without a value last",
        arguments: [
            (MarketListModel.Order.symbol, ["ADA-USD", "BTC-USD", "ETH-USD", "SOL-EUR"]),
            (.change, ["BTC-USD", "ADA-USD", "ETH-USD", "SOL-EUR"]),
            (.volume, ["ADA-USD", "ETH-USD", "BTC-USD", "SOL-EUR"]),
        ])
    func sorts(order: MarketListModel.Order, symbols: [String]) async {
        let list = MarketListModel(ScriptedMarkets(.success(markets)), formats: formats)
        await list.refresh()
        list.order = order
        #expect(list.rows.map(\.symbol) == symbols)
    }

    @Test(
        "Finds each word in symbol or currencies",
        arguments: [
            ("usd", ["ADA-USD", "BTC-USD", "ETH-USD"]), ("eur so", ["SOL-EUR"]), ("", nil), ("xyz", []),
        ] as [(String, [String]?)])
    func searches(text: String, symbols: [String]?) async {
        let list = MarketListModel(ScriptedMarkets(.success(markets)), formats: formats)
        await list.refresh()
        list.search = text
        #expect(list.rows.map(\.symbol) == symbols ?? markets.map(\.symbol).sorted())
        #expect((list.emptyReason == nil) == (symbols != []))
    }

    @Test("A row has texts for eyes and ears")
    func row() async {
        let row = MarketRow(markets[0], formats)
        #expect((row.price, row.percent, row.movement) == ("90.00", "−10.00%", .down))
        #expect(row.spokenValue == "90.00, −10.00% in 24 hours, down")
        let unpriced = MarketRow(markets[2], formats)
        #expect((unpriced.price, unpriced.percent, unpriced.movement) == ("–", "–", .flat))
    }

    /// A market as `GET /v1/markets/AAPL` answers it: with a company's name and the trading session's figures.
    private func stock(session: Bool) throws -> MarketInfo {
        let text =
            #"{"symbol":"AAPL","name":"Apple Inc","base":"AAPL","quote":"USD","precision":3,"price":213.31,"#
            + #""timestamp":1723125600,"open_24h":210,"high_24h":214,"low_24h":205,"volume_24h":1200,"#
            + #""change_24h":3.31,"change_percent_24h":1.5762,"sparkline":[]"#
            + (session
                ? #","session":{"date":"2024-08-08","open":213.11,"high":213.9,"low":208.83,"change":0.2,"#
                    + #""change_percent":0.0938}"# : "") + "}"
        return try JSONDecoder().decode(MarketInfo.self, from: Data(text.utf8))
    }

    @Test("A market with a name is shown and found by it")
    func named() async throws {
        let stock = try stock(session: false)
        #expect(MarketRow(stock, formats).name == "Apple Inc")
        #expect(MarketRow(markets[0], formats).name == "ETH / USD")
        let list = MarketListModel(ScriptedMarkets(.success(markets + [stock])), formats: formats)
        await list.refresh()
        list.search = "apple"
        #expect(list.rows.map(\.symbol) == ["AAPL"])
    }

    @Test(
        "A change is since the session’s open where the venue knows one, else in 24 hours",
        arguments: [
            (true, "+0.09%", "213.310, +0.09% since the session’s open, up", "Session", "+0.200 (+0.09%)", "213.900"),
            (false, "+1.58%", "213.310, +1.58% in 24 hours, up", "24 h", "+3.310 (+1.58%)", "214.000"),
        ])
    func session(hasSession: Bool, percent: String, spoken: String, name: String, change: String, high: String)
        async throws
    {
        let stock = try stock(session: hasSession)
        let row = MarketRow(stock, formats)
        #expect((row.percent, row.spokenValue) == (percent, spoken))
        let clock = ManualClock()
        let detail = MarketDetailModel(
            symbol: "AAPL", ScriptedMarkets(.success([stock])),
            source: ScriptedChartSource(streamsBars: true, clock: clock), clock: ServiceClock(clock, startingAt: 0),
            formats: formats)
        let running = Task { await detail.run() }
        #expect(await wait { detail.market != nil })
        running.cancel()
        let figures = Dictionary(uniqueKeysWithValues: detail.figures.map { ($0.name, $0.value) })
        #expect((figures["\(name) change"], figures["\(name) high"]) == (change, high))
        #expect(figures["24 h volume"] == "1.20K AAPL")
    }

    @Test("Says why it is empty, recovers by itself, and keeps what it has through a failure")
    func failure() async {
        let failure = ServiceError(.network, message: "The server cannot be reached.")
        let service = ScriptedMarkets(.failure(failure))
        let list = MarketListModel(service, formats: formats)
        let running = Task { await list.run() }
        #expect(await wait { list.state == .failed("The server cannot be reached.") })
        service.channel.send(markets)
        #expect(await wait { list.state == .ready })
        #expect(list.rows.count == 4)
        await list.refresh()
        #expect((list.state, list.rows.count) == (.ready, 4))
        service.channel.send([])
        #expect(await wait { list.emptyReason == "The server has no markets." })
        running.cancel()
        await running.value
    }

    @Test("The detail follows its market, and says where there is none")
    func detail() async {
        let service = ScriptedMarkets(.success(markets))
        let clock = ManualClock()
        let source = ScriptedChartSource(streamsBars: true, clock: clock)
        let detail = MarketDetailModel(
            symbol: "BTC-USD", service, source: source, clock: ServiceClock(clock, startingAt: 0), formats: formats)
        let running = Task { await detail.run() }
        #expect(await wait { detail.price == "110.00" })
        #expect(detail.figures.first == detail.figures.first { $0.name == "24 h change" })
        #expect(detail.figures.first?.value == "+10.00 (+10.00%)")
        service.channel.send([market("BTC-USD", price: 120, open: 100)])
        #expect(await wait { detail.price == "120.00" })
        running.cancel()
        let unknown = MarketDetailModel(
            symbol: "XYZ-USD", service, source: source, clock: ServiceClock(clock, startingAt: 0), formats: formats)
        let other = Task { await unknown.run() }
        #expect(await wait { unknown.problem == "There is no market “XYZ-USD” on this server." })
        other.cancel()
    }

    @Test("A price that crosses a line or an order, or is beyond the bars before, is felt; an alert is counted apart")
    func haptics() async {
        let clock = ManualClock(startingAt: 1_732_060_800)
        let source = ScriptedChartSource(streamsBars: true, clock: clock)
        let time = ServiceClock(clock, startingAt: clock.seconds)
        source.trade(Tick(timestamp: clock.seconds, price: 100, volume: 1))
        let model = ChartModel(LiveChart(source, symbol: "BTC-USD", clock: time), clock: time)
        model.controller.set(PriceLine(id: 1, price: 105, label: "entry".utf8))
        model.controller.set(OrderLine(id: 7, kind: .stopLoss, isBuy: false, price: 95, label: "stop".utf8))
        model.controller.set(PriceAlert(id: 1, price: 90, direction: .down))
        #expect(await wait { source.hasStream })
        source.connect()
        #expect(await wait { model.controller.lastPrice == 100 })
        let steps: [(price: Double, cue: HapticCue)] = [
            (106, .crossedUp), (104, .crossedDown), (94, .crossedDown), (107, .crossedUp), (120, .newHigh),
            (80, .crossedDown),
        ]
        for (index, step) in steps.enumerated() {
            clock.advance(by: .seconds(11))
            source.trade(Tick(timestamp: clock.seconds, price: step.price, volume: 1))
            #expect(await wait { model.cueCount == index + 1 })
            #expect(model.cue == step.cue)
        }
        #expect(model.alerts == 1)
        // Another market's prices are no news of this one.
        model.controller.symbol = "ETH-USD"
        #expect(await wait { source.streams == 2 })
        source.connect()
        #expect(await wait { model.controller.lastPrice == 80 })
        clock.advance(by: .seconds(11))
        source.trade(Tick(timestamp: clock.seconds, price: 81, volume: 1))
        #expect(await wait { model.controller.lastPrice == 81 })
        #expect(model.cueCount == steps.count)
    }

    @Test("The chart's toolbar shows and hides studies, counts alerts and reconnects with the network")
    func chart() async {
        let clock = ManualClock()
        let source = ScriptedChartSource(streamsBars: true, clock: clock)
        let model = ChartModel(
            LiveChart(source, symbol: "BTC-USD", clock: ServiceClock(clock, startingAt: clock.seconds)))
        #expect(await wait { source.hasStream })
        for study in model.studies {
            #expect(!study.isShown)
            model.toggle(study)
            #expect(model.studies.first { $0.id == study.id }?.isShown == true)
            model.toggle(study)
            #expect(model.studies.first { $0.id == study.id }?.isShown == false)
        }
        source.connect()
        #expect(await wait { model.chart.status == .live })
        #expect(model.notice == nil)
        model.networkChanged(isAvailable: true)
        #expect(source.streams == 1, "a live stream stays")
        source.disconnect()
        #expect(await wait { model.notice != nil })
        model.networkChanged(isAvailable: false)
        #expect(source.streams == 1, "without a network there is nothing to try")
        model.networkChanged(isAvailable: true)
        #expect(await wait { source.streams == 2 })
    }
}
