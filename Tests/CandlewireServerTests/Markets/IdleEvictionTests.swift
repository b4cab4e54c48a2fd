import HistoryStore
import Logging
import MarketModel
import NIOCore
import NIOPosix
import Synchronization
import TestKit
import Testing

@testable import CandlewireServer
@testable import MarketFeeds

/// The machinery around idle markets, with a store that fails when a test says so.
@Suite("which pasts leave the memory, and which come back", .timeLimit(.minutes(15)))
struct IdleEvictionTests {
    /// 2024-08-08 00:00 UTC.
    private static let day = 1_723_075_200.0

    /// Keeps what a pipeline hands over.
    private final class Shelf: MarketPast {
        struct Disk {
            var bars: [Int: [Bar]] = [:]
            var isFull = false
            var isUnreadable = false
            var isSlow = false
            var dropsRows = false
            var flushes = 0
            var loads: [Int] = []
            var loading = 0
            var maxLoading = 0
        }

        let disk = Mutex(Disk())
        let core = Mutex<MarketCore?>(nil)

        struct Failure: Error {}

        var isComplete: Bool { disk.withLock { !$0.dropsRows } }

        func flush() async throws {
            try disk.withLock { disk in
                disk.flushes += 1
                if disk.isFull { throw Failure() }
            }
        }

        func load(_ market: Int) async throws -> [Timeframe: Double] {
            disk.withLock { disk in
                disk.loads.append(market)
                disk.loading += 1
                disk.maxLoading = max(disk.maxLoading, disk.loading)
            }
            defer { disk.withLock { $0.loading -= 1 } }
            while disk.withLock({ $0.isSlow }) { try await Task.sleep(for: .milliseconds(1)) }
            let bars = try disk.withLock { disk in
                if disk.isUnreadable { throw Failure() }
                return disk.bars[market] ?? []
            }
            guard let core = core.withLock({ $0 }) else { return [:] }
            for timeframe in Timeframe.allCases {
                var newest: [Double: Bar] = [:]
                for bar in bars
                where bar.timeframe == timeframe && bar.revision >= newest[bar.candle.timestamp]?.revision ?? 0 {
                    newest[bar.candle.timestamp] = bar
                }
                let candles = newest.sorted { $0.key < $1.key }.map(\.value.candle)
                let revisions = newest.mapValues(\.revision).filter { $0.value > 0 }
                _ = try await core.read {
                    $0.placeStored(candles, revisions: revisions, market: market, timeframe: timeframe)
                }
            }
            return [:]
        }
    }

    private struct World: Sendable {
        let core: MarketCore
        let shelf: Shelf
        let clock: Watch
        let eviction: NIOLoopBoundBox<IdleEviction?>
        let loading: NIOLoopBoundBox<Set<Int>>

        /// What happens on the market loop.
        func run<R: Sendable>(_ body: @escaping @Sendable (MarketPipeline, IdleEviction) throws -> R) async throws -> R
        {
            try await core.loop.submit { [core, eviction] in
                try body(core.onLoop.pipeline, #require(eviction.value))
            }.get()
        }

        func counts() async throws -> [Int] {
            try await run { [$1.evictions, $1.restorations, $1.failures, $1.idleCount] }
        }

        func set(_ change: @Sendable (inout Shelf.Disk) -> Void) { shelf.disk.withLock { change(&$0) } }

        func wait(_ what: Comment, _ condition: @Sendable () async throws -> Bool) async throws {
            for _ in 0..<60_000 {
                if try await condition() { return }
                try await Task.sleep(for: .milliseconds(2))
            }
            Issue.record(what)
        }

        /// All markets leave the memory.
        func evictAll() async throws {
            clock.seconds.withLock { $0 += 3600 }
            let count = core.registry.markets.count
            try await run { $1.review() }
            try await wait("all leave") { try await counts()[3] == count }
        }
    }

    private final class Watch: Sendable {
        let seconds = Mutex(1000.0)
        func now() -> Double { seconds.withLock { $0 } }
    }

    /// Markets that have traded once a minute for ten minutes.
    private static func world(markets: Int = 1) async throws -> World {
        let shelf = Shelf()
        let core = try await MarketCore(
            registry: MarketRegistry((0..<markets).map { Market(symbol: "M\($0)", precision: 2) }),
            loop: MultiThreadedEventLoopGroup.singleton.next(), shards: []
        ) { market, bars in shelf.disk.withLock { $0.bars[market, default: []] += bars } }
        shelf.core.withLock { $0 = core }
        let clock = Watch()
        let made = try await core.loop.submit {
            let loading = NIOLoopBoundBox(Set<Int>(), eventLoop: core.loop)
            let eviction = IdleEviction(
                core, 0..<markets, after: 3600, to: shelf, clock: clock.now, title: "Venue",
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
                isLoading: { loading.value.contains($0) })
            let pipeline = core.onLoop.pipeline
            for market in 0..<markets {
                pipeline.feedCameUp(market, at: day - 60)
                for minute in 0..<10 { trade(pipeline, market, minute: Double(minute)) }
            }
            // Sees those trades; from now on it counts.
            eviction.review()
            return (NIOLoopBoundBox<IdleEviction?>(eviction, eventLoop: core.loop), loading)
        }.get()
        return World(core: core, shelf: shelf, clock: clock, eviction: made.0, loading: made.1)
    }

    private static func trade(_ pipeline: MarketPipeline, _ market: Int, minute: Double) {
        let time = day + minute * 60
        pipeline.ingest(market: market, Tick(timestamp: time, price: 10 + minute, volume: 1), now: time)
    }

    private static func minutes(_ pipeline: MarketPipeline, _ market: Int = 0) -> [Double] {
        pipeline.candles(market: market, timeframe: .m1, limit: .max).map(\.volume)
    }

    /// The venue's own second minute, with ten times the volume.
    private static func join(_ pipeline: MarketPipeline, _ market: Int = 0, price: Double = 11, volume: Double = 10)
        -> Int
    {
        pipeline.join(
            [Candle(timestamp: day + 60, open: price, high: price, low: price, close: price, volume: volume)],
            market: market, timeframe: .m1, covered: day + 60..<day + 120, now: day + 600)
    }

    // MARK: Away

    @Test("nothing leaves while it cannot be written, and nothing once rows were dropped: those are in memory only")
    func unwritten() async throws {
        let world = try await Self.world()
        world.clock.seconds.withLock { $0 += 3600 }
        /// A flush begins when the one before it is over.
        func reviewTwice() async throws {
            let before = world.shelf.disk.withLock { $0.flushes }
            try await world.wait("it is written, twice") {
                try await world.run { $1.review() }
                return world.shelf.disk.withLock { $0.flushes } >= before + 2
            }
        }
        world.set { $0.isFull = true }
        try await reviewTwice()
        #expect(try await world.counts() == [0, 0, 0, 0])
        world.set {
            $0.isFull = false
            $0.dropsRows = true
        }
        try await reviewTwice()
        #expect(try await world.counts() == [0, 0, 0, 0])
        world.set { $0.dropsRows = false }
        try await world.run { $1.review() }
        try await world.wait("then it leaves") { try await world.counts() == [1, 0, 0, 1] }
    }

    @Test("a market whose stored past is still being read does not leave, and has its whole time afterwards")
    func loading() async throws {
        let world = try await Self.world(markets: 2)
        world.clock.seconds.withLock { $0 += 3600 }
        try await world.run { [loading = world.loading] _, eviction in
            loading.value = [1]
            eviction.review()
        }
        try await world.wait("the other one leaves") { try await world.counts()[0] == 1 }
        let left = try await world.run { [loading = world.loading] pipeline, eviction in
            loading.value = []
            eviction.review()
            return [pipeline.isEvicted(0), pipeline.isEvicted(1)]
        }
        #expect(left == [true, false])
        world.clock.seconds.withLock { $0 += 3599 }
        let flushes = world.shelf.disk.withLock { $0.flushes }
        try await world.run { $1.review() }
        #expect(world.shelf.disk.withLock { $0.flushes } == flushes, "no market is to be evicted")
        world.clock.seconds.withLock { $0 += 1 }
        try await world.run { $1.review() }
        try await world.wait("it leaves, too") { try await world.counts()[0] == 2 }
    }

    @Test("evicted, a few markets keep the minutes that indicators are made of; the open minute goes on in them")
    func studied() async throws {
        for count in [1, MarketDigest.studiedMarkets + 1] {
            let world = try await Self.world(markets: count)
            let before = try await world.run { pipeline, _ in pipeline.studiedMinutes(market: 0) }
            #expect(before.count == 10)
            try await world.evictAll()
            let after = try await world.run { pipeline, _ in pipeline.studiedMinutes(market: 0) }
            #expect(after == (count == 1 ? before : Array(before.suffix(1))))
            world.set { $0.isUnreadable = true }
            try await world.run { pipeline, _ in Self.trade(pipeline, 0, minute: 10) }
            let traded = try await world.run { pipeline, _ in
                (pipeline.studiedMinutes(market: 0), pipeline.summary(of: 0))
            }
            #expect(traded.0.map(\.close) == (count == 1 ? (0...10).map { 10 + Double($0) } : [19, 20]))
            #expect(traded.1.day?.volume == 11 && traded.1.day?.low == 10, "the day goes on, too")
        }
    }

    // MARK: And back

    @Test("fetched candles bring a past back until they are in place; readers keep it")
    func fetched() async throws {
        let world = try await Self.world()
        try await world.evictAll()
        let changed = try await world.core.read(withPastOf: 0) { Self.join($0) }
        #expect(changed > 1, "the minute, and what is made of it")
        // Without that any time has passed.
        try await world.wait("it leaves again") { try await world.counts() == [2, 1, 0, 1] }
        let again = try await world.core.read(withPastOf: 0) { Self.minutes($0) }
        #expect(again == [1, 10] + Array(repeating: 1, count: 8), "what was joined is kept")
        try await world.wait("and again") { try await world.counts() == [3, 2, 0, 1] }
        // A client requests it.
        try await world.core.loop.submit { [core = world.core] in core.onLoop.pipeline.demand(0) }.get()
        _ = try await world.core.read(withPastOf: 0) { Self.minutes($0) }
        let flushes = world.shelf.disk.withLock { $0.flushes }
        try await world.run { $1.review() }
        #expect(world.shelf.disk.withLock { $0.flushes } == flushes, "no market is to be evicted")
        #expect(try await world.counts() == [3, 3, 0, 0])
    }

    @Test("after an outage the markets come back a few at a time, and those first that a reader waits for")
    func afterOutage() async throws {
        let world = try await Self.world(markets: 40)
        try await world.evictAll()
        world.set { $0.isSlow = true }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for market in 0..<40 {
                group.addTask { try await world.core.read(withPastOf: market) { Self.join($0, market) } }
            }
            try await world.wait("all have subscribed") {
                try await world.run { pipeline, _ in (0..<40).allSatisfy { pipeline.restoring.holds($0) } }
            }
            let begun = world.shelf.disk.withLock { $0.loads }
            #expect(begun.count <= IdleEviction.readers)
            let awaited = try #require((0..<40).last { !begun.contains($0) })
            try await world.run { pipeline, _ in
                pipeline.whenRestored(awaited, of: ConnectionID(shard: 0, number: 1)) { _ in }
            }
            world.set { $0.isSlow = false }
            for try await changed in group { #expect(changed > 1) }
            let (loads, most) = world.shelf.disk.withLock { ($0.loads, $0.maxLoading) }
            #expect(loads.count == 40 && most <= IdleEviction.readers)
            #expect(try #require(loads.firstIndex(of: awaited)) < 2 * IdleEviction.readers)
        }
        try await world.wait("and all leave again") { try await world.counts() == [80, 40, 0, 40] }
    }

    @Test("a past that cannot be read is requested again at each review; until then everybody gets what there is")
    func unreadable() async throws {
        let world = try await Self.world()
        // A correction, which must not begin to count anew.
        try await world.run { pipeline, _ in #expect(Self.join(pipeline) > 1) }
        try await world.evictAll()
        world.set { $0.isUnreadable = true }
        try await world.run { pipeline, _ in Self.trade(pipeline, 0, minute: 10) }
        try await world.wait("the attempt fails") { try await world.counts() == [1, 0, 1, 1] }
        let reported = try await world.run { pipeline, _ in
            for second in 1...50 { Self.trade(pipeline, 0, minute: 10 + Double(second) / 60) }
            var reported: [Bool] = []
            pipeline.whenRestored(0, of: ConnectionID(shard: 0, number: 1)) { reported.append($0) }
            return reported
        }
        #expect(reported == [false], "at once")
        #expect(world.shelf.disk.withLock { $0.loads } == [0], "no trade and no reader causes another load")
        await #expect(throws: HistoryUnavailable.self) {
            _ = try await world.core.read(withPastOf: 0) { Self.join($0) }
        }
        #expect(
            try await world.run { pipeline, _ in Self.join(pipeline, price: 12) } == 0, "nothing is joined meanwhile")
        let day = try await world.run { pipeline, _ in pipeline.summary(of: 0).day }
        #expect(day?.volume == 9 + 10 + 51 && day?.low == 10)

        try await world.run { $1.review() }
        try await world.wait("it fails again") { try await world.counts() == [1, 0, 2, 1] }
        // What can be read is shown, though there may be more.
        world.set {
            $0.isUnreadable = false
            $0.isFull = true
        }
        try await world.run { $1.review() }
        try await world.wait("it cannot be written") { try await world.counts() == [1, 0, 3, 1] }
        #expect(try await world.run { pipeline, _ in Self.minutes(pipeline).count } == 11)
        #expect(try await world.run { pipeline, _ in pipeline.memory(market: 0, timeframe: .m1).isAll } == false)
        world.set { $0.isFull = false }
        try await world.run { $1.review() }
        try await world.wait("it is back") { try await world.counts() == [1, 1, 3, 0] }
        let changed = try await world.core.read(withPastOf: 0) { Self.join($0, price: 12) }
        #expect(changed == 1, "the minute: what is made of it has the same prices")
        let revision = world.shelf.disk.withLock { disk in
            disk.bars[0]?.last { $0.timeframe == .m1 && $0.candle.timestamp == Self.day + 60 }?.revision
        }
        #expect(revision == 2)
    }

    @Test("no request waits for history that is not being loaded any more")
    func ended() async throws {
        let world = try await Self.world(markets: 10)
        try await world.evictAll()
        world.set { $0.isSlow = true }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for market in 0..<10 {
                group.addTask {
                    do {
                        return try await world.core.read(withPastOf: market) { _ in true }
                    } catch is HistoryUnavailable {
                        return false
                    }
                }
            }
            try await world.wait("all have subscribed") {
                try await world.run { pipeline, _ in (0..<10).allSatisfy { pipeline.restoring.holds($0) } }
            }
            let tasks = try await world.run { $1.stop() }
            for task in tasks { await task.value }
            for try await found in group { #expect(!found) }
        }
        try await world.core.loop.submit { [eviction = world.eviction] in eviction.value = nil }.get()
        await #expect(throws: HistoryUnavailable.self) { try await world.core.read(withPastOf: 0) { _ in } }
    }

    // MARK: Candles of the feed

    @Test(
        "a provider's candles, each in a message of its own, wait for the past, as many as are kept; the rest is counted"
    )
    func held() async throws {
        let world = try await Self.world()
        let counts = try await world.run { pipeline, _ in
            let intake = CandleIntake(pipeline, base: 0, count: 1, use: .inPlaceOfTrades)
            intake.hold(0)
            let count = MarketState.memory + 100
            let start = Self.day - Double(count) * 60
            for minute in 0..<count {
                let candle = Candle(
                    timestamp: start + Double(minute) * 60, open: 1, high: 1, low: 1, close: 1, volume: 2)
                let reported = VenueCandle(symbol: "M0", seconds: 60, candle: candle)
                intake.accept(closed: [reported], open: [], now: Self.day + 600) { _ in 0 }
            }
            let before = Self.minutes(pipeline).count
            intake.loaded(0, now: Self.day + 600)
            return [before, Self.minutes(pipeline).count, intake.dropped, intake.isHolding(0) ? 1 : 0]
        }
        // One of ours is open.
        #expect(counts == [10, MarketState.memory + 1, 100, 0])
    }

    @Test("a provider's candle of the present brings the past back and keeps it, and waits out a store that fails")
    func candlesOnly() async throws {
        let world = try await Self.world()
        try await world.evictAll()
        world.set { $0.isUnreadable = true }
        let intake = try await world.run { [core = world.core] pipeline, _ in
            let intake = CandleIntake(pipeline, base: 0, count: 1, use: .inPlaceOfTrades)
            intake.traded(0)
            Self.deliver(intake, minute: 11)
            return NIOLoopBoundBox(intake, eventLoop: core.loop)
        }
        try await world.wait("the attempt fails") { try await world.counts() == [1, 0, 1, 1] }
        try await world.run { _, _ in Self.deliver(intake.value, minute: 12) }
        world.set { $0.isUnreadable = false }
        try await world.run { $1.review() }
        try await world.wait("it is back") { try await world.counts() == [1, 1, 1, 0] }
        let minutes = try await world.run { pipeline, _ in
            pipeline.candles(market: 0, timeframe: .m1, limit: .max).map { ($0.timestamp - Self.day) / 60 }
        }
        #expect(minutes == (0..<10).map(Double.init) + [11, 12])
        let flushes = world.shelf.disk.withLock { $0.flushes }
        try await world.run { $1.review() }
        #expect(world.shelf.disk.withLock { $0.flushes } == flushes, "it has moved: it stays")
    }

    private static func deliver(_ intake: CandleIntake, minute: Double) {
        let candle = Candle(timestamp: day + minute * 60, open: 5, high: 5, low: 5, close: 5, volume: 2)
        let reported = VenueCandle(symbol: "M0", seconds: 60, candle: candle)
        intake.accept(closed: [reported], open: [], now: day + minute * 60 + 60) { _ in 0 }
    }

    @Test("a snapshot of 720 candles puts the known past together once, however many outages there were")
    func snapshot() async throws {
        let world = try await Self.world()
        let counts = try await world.run { pipeline, _ in
            for outage in 1...300 {
                let time = Self.day + 600 + Double(outage) * 600
                pipeline.feedWentDown(0, lossesFrom: time)
                pipeline.feedCameUp(0, at: time + 90)
            }
            let intake = CandleIntake(pipeline, base: 0, count: 1, use: .besideTrades)
            let now = Self.day + 600 + 310 * 600
            let reported = (1...720).reversed().map { minute in
                // Ours has none of them: nothing traded.
                VenueCandle(
                    symbol: "M0", seconds: 60,
                    candle: Candle(
                        timestamp: Timeframe.m1.bucketStart(of: now) - Double(minute) * 60, open: 5, high: 5, low: 5,
                        close: 5, volume: 0))
            }
            let before = pipeline.pastsMade
            intake.accept(closed: reported, open: [], now: now) { _ in 0 }
            let first = pipeline.pastsMade - before
            // The gaps are filled: of the venue's minutes and ours one stretch is left.
            return [first, pipeline.known(.m1, market: 0).ranges.filter { $0.upperBound > now - 720 * 60 }.count]
        }
        #expect(counts == [1, 1])
    }
}
