import TestKit
import Testing

@testable import FinanceChartsKit

@Suite("The simulated provider")
@MainActor
struct SimulatedProviderTests {
    @Test(
        "changes are uniform in ±2, volumes in 100…1000, the price never below 1",
        arguments: 1...5 as ClosedRange<UInt64>)
    func values(seed: UInt64) {
        var ticks = SimulatedTicks(seed: seed, price: 3)
        var before = ticks.price
        var changes: [Double] = []
        var volumes: [Double] = []
        var floors = 0
        for second in 0..<10_000 {
            let tick = ticks.next(at: Double(second + 1))
            #expect(tick.price >= 1 && tick.timestamp == Double(second + 1))
            if tick.price == 1 { floors += 1 } else { changes.append(tick.price - before) }
            volumes.append(tick.volume)
            before = tick.price
        }
        #expect(floors > 0)
        #expect(changes.allSatisfy { abs($0) <= 2 } && changes.min()! < -1.9 && changes.max()! > 1.9)
        #expect(volumes.allSatisfy { (100...1000).contains($0) } && volumes.min()! < 110 && volumes.max()! > 990)
        // A uniform volume has the mean 550 and the deviation 900 / √12; of 10,000 the mean is within five of its own.
        let mean: Double = volumes.reduce(0, +) / 10_000
        let deviation: Double = 900 / 12.0.squareRoot() / 100
        #expect(abs(mean - 550) < 5 * deviation)
    }

    @Test("history, then live ticks through the same path", arguments: [Timeframe.s5, .m1, .h1, .mo1])
    func path(timeframe: Timeframe) throws {
        let now = 1_700_000_030.5
        let controller = ChartController()
        controller.timeframe = timeframe
        let provider = SimulatedChartProvider(chartController: controller, historyBars: 50, now: { now })
        provider.startSimulation()
        provider.stopSimulation()
        let history = controller.candles
        #expect(history.count == 50)
        #expect(history.last?.timestamp == timeframe.bucketStart(of: now))
        #expect(Set(history.map(\.open)).count > 40, "bars of many ticks, not of one")
        if timeframe == .m1 { #expect(history.dropLast().allSatisfy { $0.volume > 60 * 100 }) }
        let last = try #require(history.last)
        provider.tick()
        // Shows what the throttle holds back.
        provider.stopSimulation()
        let updated = try #require(controller.lastCandle)
        #expect(updated.timestamp == last.timestamp && updated.volume > last.volume && updated.open == last.open)
    }

    @Test("one tick each second, and none in between")
    func cadence() async throws {
        let clock = ManualClock()
        let now = 1_700_000_000.5
        let controller = ChartController()
        controller.timeframe = .h1
        let provider = SimulatedChartProvider(chartController: controller, historyBars: 5, clock: clock, now: { now })
        provider.startSimulation()
        let before = try #require(controller.lastCandle)
        for _ in 0..<100 {
            await clock.waitForSleepers(1)
            clock.advance(by: .milliseconds(100))
        }
        await clock.waitForSleepers(1)
        provider.stopSimulation()
        var same = SimulatedTicks(seed: 1)
        _ = same.history(5, .h1, now: now)
        var volume = before.volume
        for _ in 0..<10 { volume += same.next(at: now).volume }
        let after = try #require(controller.lastCandle)
        #expect(after.timestamp == before.timestamp && after.close == same.price)
        #expect(abs(after.volume - volume) < 1e-6)
    }

    @Test("it starts once, ticks, stops, and goes on from its bars")
    func startStop() async throws {
        let controller = ChartController()
        let provider = SimulatedChartProvider(chartController: controller, historyBars: 20)
        provider.startSimulation()
        provider.startSimulation()
        #expect(provider.isRunning && controller.connectionStatus == .live)
        let volume = controller.candles.map(\.volume).reduce(0, +)
        func ticked() -> Bool { controller.candles.map(\.volume).reduce(0, +) > volume }
        for _ in 0..<6000 where !ticked() { try await Task.sleep(for: .milliseconds(10)) }
        #expect(ticked(), "a tick came")
        provider.stopSimulation()
        #expect(!provider.isRunning && controller.connectionStatus == .reconnecting)
        let bars = controller.candles
        provider.startSimulation()
        provider.stopSimulation()
        #expect(controller.candles == bars)
    }

    @Test("the same seed is the same market")
    func seeded() {
        var first = SimulatedTicks(seed: 9)
        var second = SimulatedTicks(seed: 9)
        #expect(first.history(100, .m5, now: 1e9) == second.history(100, .m5, now: 1e9))
        var other = SimulatedTicks(seed: 10)
        #expect(first.next(at: 1) == second.next(at: 1) && first.next(at: 2) != other.next(at: 2))
        #expect(other.history(10, .m1, now: 90).count == 1, "time begins in 1970")
    }
}
