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
