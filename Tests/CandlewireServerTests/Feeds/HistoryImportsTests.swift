import Foundation
import HistoryStore
import Logging
import MarketModel
import TestKit
import Testing

@testable import CandlewireServer

@Suite("Histories on their way to the store")
struct HistoryImportsTests {
    private let folder = RunningServer.temporaryFolder()

    /// Ten minutes of a simulated market up to `end`.
    private func history(until end: Double) throws -> SimulatedHistory.Result {
        let market = try #require(SimulatedMarket.named("BTC-USD"))
        return SimulatedHistory.make(for: market, now: end, depth: 600, seed: 1, tradesPerSecond: 2)
    }

    private func live(_ time: Double) -> StoredCandle {
        StoredCandle(
            symbol: "BTC-USD", timeframe: .s1,
            candle: Candle(timestamp: time, open: 1, high: 1, low: 1, close: 1, volume: 1))
    }

    private func seconds(_ store: CandleStore) async throws -> [Double] {
        try await store.flush()
        return try await store.candles(symbol: "BTC-USD", timeframe: .s1, limit: 10_000).map(\.timestamp)
    }

    @Test("live rows of a market follow its history, and readers wait for that; other markets wait for nothing")
    func order() async throws {
        let store = try CandleStore(directory: folder)
        let imports = HistoryImports(store, logger: Logger(label: "test"))
        let end = 1_700_000_000.0
        imports.begin("BTC-USD")
        imports.enqueue([live(end)], symbol: "BTC-USD")
        #expect(imports.count == 1)
        #expect(try await seconds(store).isEmpty, "a store with the newest seconds alone would pass for whole")
        await imports.wait(for: "ETH-USD")
        let waits = Task { await imports.wait(for: "BTC-USD") }
        await imports.run([("BTC-USD", try history(until: end))])
        await waits.value
        imports.enqueue([live(end + 1)], symbol: "BTC-USD")
        #expect(imports.count == 0 && imports.problem == nil)
        #expect(try await seconds(store) == Array(stride(from: end - 600, through: end + 1, by: 1)))
        try await store.close()
    }

    @Test("a server that stops early leaves no seconds without their history, and lets readers go")
    func cancelled() async throws {
        let store = try CandleStore(directory: folder)
        let imports = HistoryImports(store, logger: Logger(label: "test"))
        imports.begin("BTC-USD")
        imports.enqueue([live(1_700_000_000)], symbol: "BTC-USD")
        let reader = Task { await imports.wait(for: "BTC-USD") }
        let histories = [("BTC-USD", try history(until: 1_700_000_000))]
        let run = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await imports.run(histories)
        }
        await run.value
        imports.cancel()
        await reader.value
        await imports.wait(for: "BTC-USD")
        #expect(try await seconds(store).isEmpty)
        try await store.close()
    }

    @Test("a history that cannot be stored is tried again after pauses, and its market's rows are not lost meanwhile")
    func failing() async throws {
        let broken = try CandleStore(directory: folder)
        try await broken.close()
        let clock = ManualClock()
        let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let imports = HistoryImports(broken, logger: silent, clock: clock)
        imports.begin("BTC-USD")
        let histories = [("BTC-USD", try history(until: 1_700_000_000))]
        let run = Task { await imports.run(histories) }
        for _ in 0..<3 {
            await clock.waitForSleepers(1)
            clock.advance(to: try #require(clock.nextWakeUp))
        }
        await clock.waitForSleepers(1)
        #expect(imports.problem == "The simulated history cannot be stored; retrying." && imports.count == 1)
        run.cancel()
        await run.value
    }
}
