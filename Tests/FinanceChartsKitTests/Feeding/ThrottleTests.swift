import TestKit
import Testing

@testable import FinanceChartsKit

@Suite("Throttled updates")
@MainActor
struct ThrottleTests {
    @Test("at most 30 deliveries a second, the latest state of the bar in each")
    func rate() {
        var pacer = UpdatePacer(interval: 1.0 / 30)
        var deliveries: [[Candle]] = []
        var due: Double?
        // A thousand updates over one second.
        for index in 0..<1000 {
            let now = Double(index) / 1000
            if let time = due, time <= now {
                deliveries.append(pacer.drain(now: time))
                due = nil
            }
            let time = pacer.queue(.at(60, Double(index + 1)), now: now)
            due = due ?? time
            if let time = due, time <= now {
                deliveries.append(pacer.drain(now: now))
                due = nil
            }
        }
        #expect((29...31).contains(deliveries.count))
        #expect(deliveries.allSatisfy { $0.count == 1 })
        #expect(deliveries[0] == [.at(60, 1)], "the first goes at once")
        let prices = deliveries.map { $0[0].close }
        #expect(prices == prices.sorted() && prices.last! > 960)
        #expect(pacer.replaced == 1000 - deliveries.count - pacer.pending.count)
    }

    @Test("a bar that closes between two deliveries keeps its final value")
    func close() {
        var pacer = UpdatePacer(interval: 1)
        #expect(pacer.queue(.at(60, 1), now: 0) == 0)
        #expect(pacer.drain(now: 0) == [.at(60, 1)])
        #expect(pacer.queue(.at(60, 2), now: 0.1) == 1)
        #expect(pacer.queue(.at(120, 5), now: 0.2) == 1, "the forming bar before the completed one, as users call it")
        #expect(pacer.queue(.at(60, 3), now: 0.2) == 1)
        #expect(pacer.queue(.at(120, 6), now: 0.3) == 1)
        #expect(pacer.drain(now: 1) == [.at(60, 3), .at(120, 6)])
        #expect(pacer.drain(now: 2) == [])
    }

    @Test(
        "whatever the order and the frames, the chart ends with the bars of the unthrottled one",
        arguments: 0..<10 as Range<UInt64>)
    func nothingLost(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var stream = TickStream(seed: seed, meanGap: 5)
        var builder = OHLCBuilder(timeframe: .m1)
        var pacer = UpdatePacer(interval: 30)
        let direct = ChartController()
        let throttled = ChartController()
        for tick in stream.next(3000) {
            let result = builder.ingest(tick)
            direct.apply(result)
            for candle in [result.updated, result.appended].compactMap(\.self) {
                _ = pacer.queue(candle, now: tick.timestamp)
            }
            if random.below(20) == 0 { throttled.apply(pacer.drain(now: tick.timestamp)) }
        }
        throttled.apply(pacer.drain(now: 0))
        #expect(throttled.candles == direct.candles)
        #expect(pacer.replaced > 1000)
    }

    @Test("more bars than a live market has go through at once")
    func bounded() {
        var pacer = UpdatePacer(interval: 1)
        _ = pacer.drain(now: 0)
        pacer.pause()
        for index in 1..<UpdatePacer.maxBars { #expect(pacer.queue(.at(Double(index) * 60), now: 0.5) == nil) }
        #expect(pacer.queue(.at(1e6), now: 0.5) == 0.5)
    }

    @Test("a burst changes the chart a few times, and ends with the newest state")
    func manager() async throws {
        let controller = ChartController()
        // Long enough that a busy machine is done with the burst before it is over.
        let updates = ThrottledUpdateManager(chartController: controller, interval: 3)
        for price in 1...500 { updates.queueUpdate(.at(60, Double(price))) }
        #expect(controller.lastPrice == 1, "the first is shown at once")
        let before = controller.revision
        for _ in 0..<6000 where controller.lastPrice != 500 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(controller.lastPrice == 500)
        #expect(controller.revision == before + 1)
        #expect(updates.replacedUpdates == 498)
    }

    @Test("paused, it shows nothing; resumed, it shows the latest state of each bar as one change")
    func pause() {
        let controller = ChartController()
        let updates = ThrottledUpdateManager(chartController: controller, interval: 0)
        updates.queueUpdate(.at(60, 1))
        updates.pauseUpdates()
        let before = controller.revision
        for price in 2...9 { updates.queueUpdate(.at(60, Double(price))) }
        updates.queueUpdate(BuildResult(updated: .at(120, 20), appended: .at(60, 10)))
        #expect(updates.isPaused && controller.revision == before && controller.lastPrice == 1)
        updates.resumeUpdates()
        #expect(controller.revision == before + 1)
        #expect(controller.candles == [.at(60, 10), .at(120, 20)])
    }

    @Test("a timer whose sleep ended before it was cancelled shows nothing: the next picture is an interval later")
    func cancelledAfterItsSleep() async throws {
        let clock = ManualClock()
        let controller = ChartController()
        let updates = ThrottledUpdateManager(chartController: controller, interval: 1, clock: clock)
        updates.queueUpdate(.at(60, 1))
        updates.queueUpdate(.at(60, 2))
        let timer = try #require(updates.timer)
        await clock.waitForSleepers(1)
        // Its sleep ends while the main actor is busy with updates, the first of which is due now.
        clock.advance(by: .seconds(1))
        updates.queueUpdate(.at(60, 3))
        #expect(controller.lastPrice == 3)
        updates.queueUpdate(.at(60, 4))
        await timer.value
        #expect(controller.lastPrice == 3, "shown twice at one time")
        let next = try #require(updates.timer)
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(1))
        await next.value
        #expect(controller.lastPrice == 4)
    }

    @Test("candles that wait while the chart goes to another symbol are not shown there")
    func otherStream() {
        let controller = ChartController()
        controller.symbol = "A"
        let updates = ThrottledUpdateManager(chartController: controller, interval: 3600)
        updates.queueUpdate(.at(60, 1))
        updates.queueUpdate(.at(120, 2))
        controller.symbol = "B"
        updates.flush()
        #expect(controller.totalCandleCount == 0)
    }

    @Test("flush shows what is pending")
    func flush() {
        let controller = ChartController()
        let updates = ThrottledUpdateManager(chartController: controller, interval: 3600)
        updates.queueUpdate(.at(60, 1))
        updates.queueUpdate(.at(60, 2))
        #expect(controller.lastPrice == 1)
        updates.flush()
        #expect(controller.lastPrice == 2)
    }
}
