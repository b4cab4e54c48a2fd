import CandlewireUI
import FinanceChartsKit
import MarketModel
import MarketServices
import TestKit
import Testing

@MainActor
@Suite("A live chart with its past")
struct LiveChartTests {
    private static let begin = 1_732_060_800.0

    let clock = ManualClock(startingAt: Self.begin)

    /// A chart whose stream is connected.
    private func openChart(_ source: ScriptedChartSource, pageSize: Int = 50) async -> LiveChart {
        let chart = LiveChart(
            source, symbol: "BTC-USD", timeframe: source.timeframe, pageSize: pageSize,
            clock: ServiceClock(clock, startingAt: clock.seconds))
        await wait("a stream begins") { source.hasStream }
        source.connect()
        return chart
    }

    /// Lets tasks go on, and time where they wait for it, until a condition holds.
    private func wait(_ what: Comment, until isTrue: () -> Bool) async {
        for _ in 0..<5_000 {
            if isTrue() { return }
            await Task.yield()
            clock.advance(by: .milliseconds(100))
        }
        Issue.record(what)
    }

    /// Trades at random for some minutes, with outages and lost trades; then time for the last bar to end.
    private func play(_ source: ScriptedChartSource, _ random: inout SeededGenerator, faults: Bool) async {
        var price = 60_000.0
        for _ in 0..<400 {
            clock.advance(by: .milliseconds(Int.random(in: 50...4_000, using: &random)))
            price += Double(Int.random(in: -50...50, using: &random))
            let isLost = faults && Int.random(in: 0..<40, using: &random) == 0
            source.trade(Tick(timestamp: clock.seconds, price: price, volume: 1), isLost: isLost)
            if faults {
                switch Int.random(in: 0..<40, using: &random) {
                case 0: source.disconnect()
                case 1...4: source.connect()
                case 5: source.failRequests(2)
                default: break
                }
            }
            for _ in 0..<Int.random(in: 0...5, using: &random) { await Task.yield() }
        }
    }

    @Test(
        "The chart equals the market after outages, lost trades and failed requests",
        arguments: ScriptedChartSource.Contents.allCases, 1...20)
    func equalsTheMarket(contents: ScriptedChartSource.Contents, seed: Int) async {
        var random = SeededGenerator(seed: UInt64(seed))
        let source = ScriptedChartSource(contents, clock: clock)
        await play(source, &random, faults: false)
        let chart = await openChart(source)
        await play(source, &random, faults: true)
        source.failRequests(0)
        source.connect()
        // A trade of the next minute completes the last bar.
        clock.advance(by: .seconds(61))
        source.trade(Tick(timestamp: clock.seconds, price: 60_000, volume: 1))
        clock.advance(by: .seconds(61))
        source.trade(Tick(timestamp: clock.seconds, price: 60_001, volume: 1))
        await wait("all bars are right, stream of \(contents), seed \(seed)") {
            let truth = source.truth()
            return chart.controller.candles == Array(truth.suffix(chart.controller.totalCandleCount))
                && chart.controller.totalCandleCount >= min(50, truth.count) && chart.historyProblem == nil
        }
        #expect(chart.status == .live)
        chart.disconnect()
    }

    @Test("a venue that sends candles alone has live bars, also those that came before history")
    func candlesAlone() async {
        let source = ScriptedChartSource(.candles, clock: clock)
        source.trade(Tick(timestamp: clock.seconds - 60, price: 10, volume: 1))
        source.failRequests(1)
        let chart = await openChart(source)
        await wait("the chart waits for history") { chart.historyProblem != nil }
        source.trade(Tick(timestamp: Self.begin + 61, price: 11, volume: 2))
        await wait("history is here") { chart.controller.totalCandleCount == 2 }
        #expect(chart.controller.candles == source.truth())
        source.trade(Tick(timestamp: Self.begin + 70, price: 12, volume: 3))
        await wait("the candle is there, too") { chart.controller.candles == source.truth() }
        #expect(chart.controller.lastCandle?.volume == 5)
        chart.disconnect()
    }

    @Test("Older bars are requested when they come into view, until there are none")
    func pagesBack() async {
        var random = SeededGenerator(seed: 5)
        let source = ScriptedChartSource(streamsBars: false, timeframe: .s5, clock: clock)
        await play(source, &random, faults: false)
        let chart = await openChart(source, pageSize: 20)
        await wait("the newest page is here") { chart.controller.totalCandleCount >= 20 }
        let completed = source.truth().count { $0.timestamp < Timeframe.s5.bucketStart(of: clock.seconds) }
        await wait("all bars are here") {
            chart.controller.pan(byBars: -20)
            return chart.controller.totalCandleCount >= completed
        }
        #expect(chart.controller.candles.prefix(completed) == source.truth().prefix(completed))
        // Requests may still be on their way; then they stop.
        var requests = source.requests
        var quiet = 0
        await wait("requests stop") {
            chart.controller.pan(byBars: -20)
            quiet = source.requests == requests ? quiet + 1 : 0
            requests = source.requests
            return quiet == 50
        }
        for _ in 0..<100 {
            chart.controller.pan(byBars: -20)
            await Task.yield()
        }
        #expect(source.requests == requests, "no requests for bars that there are not")
    }

    @Test("Another timeframe is another stream, and nothing of the old one stays")
    func changesTimeframe() async {
        var random = SeededGenerator(seed: 6)
        let source = ScriptedChartSource(streamsBars: false, clock: clock)
        await play(source, &random, faults: false)
        let chart = await openChart(source)
        await wait("bars are here") { chart.controller.totalCandleCount > 0 }
        chart.controller.timeframe = .m5
        #expect(chart.controller.totalCandleCount == 0)
        #expect(source.streams == 2)
        chart.controller.timeframe = .m1
        await wait("a third stream begins") { source.streams == 3 }
        source.connect()
        await wait("bars are here again") { chart.controller.totalCandleCount > 0 }
        #expect(chart.controller.candles.allSatisfy { source.truth().contains($0) })
    }

    @Test("While it is paused nothing arrives; afterwards what was missed is requested")
    func pauses() async {
        var random = SeededGenerator(seed: 7)
        let source = ScriptedChartSource(streamsBars: false, clock: clock)
        await play(source, &random, faults: false)
        let chart = await openChart(source)
        await wait("bars are here") { chart.controller.totalCandleCount > 0 }
        chart.pauseUpdates()
        #expect(chart.status == .stopped)
        let bars = chart.controller.candles
        await play(source, &random, faults: false)
        #expect(chart.controller.candles == bars)
        chart.resumeUpdates()
        await wait("a second stream begins") { source.streams == 2 }
        source.connect()
        clock.advance(by: .seconds(120))
        await wait("what was missed is here") {
            let completed = source.truth()
            return chart.controller.candles == Array(completed.suffix(chart.controller.totalCandleCount))
        }
    }

    @Test("A source that refuses says why, and what went wrong with history is shown")
    func refuses() async throws {
        let source = ScriptedChartSource(streamsBars: false, clock: clock)
        source.failRequests(1)
        source.trade(Tick(timestamp: clock.seconds - 60, price: 1, volume: 1))
        let chart = await openChart(source)
        await wait("the failure is shown") { chart.historyProblem != nil }
        await wait("the request is repeated") { chart.historyProblem == nil && chart.controller.totalCandleCount == 1 }
        source.disconnect()
        await wait("the outage is shown") { chart.status == .reconnecting(reason: "cut by the test") }
        #expect(chart.controller.connectionStatus == .reconnecting)
        source.refuse("no such market")
        await wait("the refusal is shown") { chart.status == .refused(reason: "no such market") }
    }

    @Test("Another symbol is not connected while the chart is stopped, and a chart that waits can be released")
    func stopsAndGoes() async {
        let source = ScriptedChartSource(streamsBars: false, clock: clock)
        var chart: LiveChart? = await openChart(source)
        await wait("the chart is live") { chart?.status == .live }
        chart?.disconnect()
        #expect(chart?.controller.connectionStatus == .reconnecting)
        chart?.controller.symbol = "ETH-USD"
        #expect(source.streams == 1 && chart?.status == .stopped)
        chart?.resumeUpdates()
        source.connect()
        await wait("the chart is live again") { chart?.status == .live }
        weak let released = chart
        chart = nil
        await wait("the chart is released") { released == nil }
    }
}
