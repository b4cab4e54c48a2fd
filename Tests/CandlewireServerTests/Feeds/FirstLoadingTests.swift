import Logging
import MarketModel
import NIOCore
import NIOPosix
import Synchronization
import TestKit
import Testing

@testable import CandlewireServer
@testable import MarketFeeds

/// The stored past of markets as a feed begins, with a store that cannot be read at first.
@Suite("The first load of stored candles", .timeLimit(.minutes(15)))
struct FirstLoadingTests {
    /// 2024-08-08 00:00 UTC.
    private static let day = 1_723_075_200.0

    /// Ten stored minutes of each market, which the first attempts do not get.
    private final class Shelf: MarketPast {
        struct Failure: Error {}

        let core: MarketCore
        /// Attempts that fail, by market.
        let failing: Mutex<[Int: Int]>
        let loads = Mutex<[Int]>([])

        init(_ core: MarketCore, failing: [Int: Int]) {
            self.core = core
            self.failing = Mutex(failing)
        }

        var isComplete: Bool { true }
        func flush() async throws {}

        func load(_ market: Int) async throws -> [Timeframe: Double] {
            loads.withLock { $0.append(market) }
            let fails = failing.withLock { failing in
                failing[market, default: 0] -= 1
                return failing[market, default: 0] >= 0
            }
            if fails { throw Failure() }
            let candles = (0..<10).map {
                Candle(timestamp: day + Double($0) * 60, open: 10, high: 10, low: 10, close: 10, volume: 1)
            }
            _ = try await core.read { $0.placeStored(candles, revisions: [:], market: market, timeframe: .m1) }
            return [.m1: day + 540]
        }
    }

    private struct World: Sendable {
        let core: MarketCore
        let shelf: Shelf
        let clock = ManualClock()
        let loading: NIOLoopBoundBox<FirstLoading?>
        /// What was reported of loaded markets.
        let reported = Reports()

        func run<R: Sendable>(_ body: @escaping @Sendable (MarketPipeline, FirstLoading) throws -> R) async throws -> R
        {
            try await core.loop.submit { [core, loading] in
                try body(core.onLoop.pipeline, #require(loading.value))
            }.get()
        }

        /// Until every attempt of a round is made, and the next round waits for its time.
        func waitForPause() async { await clock.waitForSleepers(1) }

        func stop() async throws {
            let task = try await core.loop.submit { [loading] in
                defer { loading.value = nil }
                return loading.value?.stop()
            }.get()
            await task?.value
        }
    }

    private final class Reports: Sendable {
        let markets = Mutex<[Int: Double?]>([:])
    }

    private static func world(markets: Int, failing: [Int: Int]) async throws -> World {
        let core = try await MarketCore(
            registry: MarketRegistry((0..<markets).map { Market(symbol: "M\($0)", precision: 2) }),
            loop: MultiThreadedEventLoopGroup.singleton.next(), shards: []
        ) { _, _ in }
        let shelf = Shelf(core, failing: failing)
        let world = World(
            core: core, shelf: shelf,
            loading: NIOLoopBoundBox.makeEmptyBox(valueType: FirstLoading.self, eventLoop: core.loop))
        try await core.loop.submit { [world] in
            let loading = FirstLoading(
                core, from: shelf, title: "Venue", logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
                clock: world.clock)
            world.loading.value = loading
            loading.start(0..<markets) { market, stored in
                world.reported.markets.withLock { $0[market] = .some(stored[.m1]) }
            }
        }.get()
        return world
    }

    @Test("markets that cannot be read are requested again after 1, 2 and 4 s; the others need not wait for them")
    func again() async throws {
        let world = try await Self.world(markets: 3, failing: [1: 3])
        var pauses: [Double] = []
        for round in 1...3 {
            await world.waitForPause()
            #expect(try await world.run { _, loading in loading.missing } == [1])
            #expect(try await world.run { _, loading in loading.failures } == round)
            #expect(try await world.run { _, loading in loading.problem }?.contains("one market") == true)
            #expect(world.reported.markets.withLock { $0.keys.sorted() } == [0, 2])
            let next = try #require(world.clock.nextWakeUp)
            pauses.append(next.seconds - world.clock.seconds)
            world.clock.advance(to: next)
        }
        try await Self.wait("it is read") { try await world.run { _, loading in loading.missing.isEmpty } }
        #expect(pauses == [1, 2, 4])
        #expect(world.shelf.loads.withLock { $0 } == [0, 1, 2, 1, 1, 1])
        #expect(world.reported.markets.withLock { $0[1] } == Self.day + 540)
        #expect(try await world.run { _, loading in loading.problem } == nil)
        #expect(world.clock.pending == 0)
    }

    @Test("what is traded while the store cannot be read is kept, and the stored past comes before it")
    func liveMeanwhile() async throws {
        let world = try await Self.world(markets: 1, failing: [0: 1])
        await world.waitForPause()
        try await world.run { pipeline, _ in
            pipeline.feedCameUp(0, at: Self.day + 540)
            for second in 0..<180 {
                let time = Self.day + 570 + Double(second)
                pipeline.ingest(market: 0, Tick(timestamp: time, price: 20, volume: 1), now: time)
            }
        }
        let before = try await world.run { pipeline, _ in pipeline.memory(market: 0, timeframe: .m1) }
        // The minute of 540 s that is open, that is, in part; two whole ones, and the one that runs.
        #expect(before.candles.count == 4 && !before.isAll, "what is older is looked for in the store")
        world.clock.advance(by: .seconds(1))
        try await Self.wait("it is read") { try await world.run { _, loading in loading.missing.isEmpty } }
        let after = try await world.run { pipeline, _ in pipeline.memory(market: 0, timeframe: .m1) }
        #expect(after.isAll && after.candles.map(\.timestamp) == (0..<13).map { Self.day + Double($0) * 60 })
        #expect(after.candles.suffix(3).map(\.volume) == [60, 60, 30])
        #expect(after.candles.prefix(9).allSatisfy { $0.close == 10 })
        #expect(after.candles[9].close == 20, "what was built here is newer")
    }

    @Test("a store that can never be read is tried once a minute, and ends with its feed")
    func never() async throws {
        let world = try await Self.world(markets: 2, failing: [0: .max, 1: .max])
        var longest = 0.0
        for _ in 0..<9 {
            await world.waitForPause()
            let next = try #require(world.clock.nextWakeUp)
            longest = max(longest, next.seconds - world.clock.seconds)
            world.clock.advance(to: next)
        }
        #expect(longest == 60)
        #expect(try await world.run { _, loading in loading.problem }?.contains("2 markets") == true)
        try await world.stop()
        #expect(world.reported.markets.withLock { $0.isEmpty } && world.clock.pending == 0)
    }

    private static func wait(_ what: Comment, _ condition: @Sendable () async throws -> Bool) async throws {
        for _ in 0..<60_000 {
            if try await condition() { return }
            try await Task.sleep(for: .milliseconds(2))
        }
        Issue.record(what)
    }
}
