import MarketModel
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import CandlewireServer
@testable import MarketFeeds

/// A venue's closed candles beside candles that are built of its trades.
@Suite("a venue's own candles stand where ours have a gap, and are compared where they have none")
struct VenueCandlesTests {
    /// 2024-08-08 00:00 UTC.
    private static let day = 1_723_075_200.0

    private static func core() async throws -> MarketCore {
        try await MarketCore(
            registry: MarketRegistry([Market(symbol: "A", precision: 2)]),
            loop: MultiThreadedEventLoopGroup.singleton.next(), shards: []
        ) { _, _ in }
    }

    private static func reported(_ minute: Double, _ price: Double, volume: Double) -> VenueCandle {
        VenueCandle(
            symbol: "A", seconds: 60,
            candle: Candle(
                timestamp: day + minute * 60, open: price, high: price, low: price, close: price, volume: volume))
    }

    private static func minutes(_ pipeline: MarketPipeline) -> [[Double]] {
        pipeline.candles(market: 0, timeframe: .m1, limit: 9).map { [($0.timestamp - day) / 60, $0.close, $0.volume] }
    }

    @Test("the minute in which we came is the venue's, those that were followed are ours, and differences are counted")
    func beside() async throws {
        let seen = try await Self.core().read { pipeline in
            let day = Self.day
            let intake = CandleIntake(pipeline, base: 0, count: 1, use: .besideTrades)
            func trade(_ minute: Double, _ price: Double) {
                let time = day + minute * 60
                pipeline.ingest(market: 0, Tick(timestamp: time, price: price, volume: 1), now: time)
            }
            func deliver(_ candles: [VenueCandle], at minute: Double) {
                intake.accept(closed: candles, open: [], now: day + minute * 60) { _ in 0 }
            }
            // We came in the middle of minute 0.
            pipeline.feedCameUp(0, at: day + 30)
            trade(0.6, 10)
            trade(1.2, 11)
            deliver([Self.reported(0, 10, volume: 7)], at: 1.01)
            // Minute 1 comes with its last trade still on its way; minute 2 differs; of minute 3 the venue has trades that
            // we have not.
            deliver([Self.reported(1, 11, volume: 2)], at: 2.01)
            trade(1.9, 11)
            trade(2.5, 12)
            deliver([Self.reported(2, 12, volume: 1.5)], at: 3.01)
            deliver([Self.reported(3, 12, volume: 1)], at: 4.01)
            trade(4.1, 13)
            let early = [intake.check.compared, intake.check.differing]
            deliver([], at: 9)
            return (Self.minutes(pipeline), early, [intake.check.compared, intake.check.differing])
        }
        #expect(seen.0 == [[0, 10, 7], [1, 11, 2], [2, 12, 1], [4, 13, 1]])
        #expect(seen.1 == [2, 1], "minutes 1 and 2 by then")
        #expect(seen.2 == [3, 2])
    }

    @Test("a gap that is seen after the candle came is filled by it")
    func lateGap() async throws {
        let seen = try await Self.core().read { pipeline in
            let day = Self.day
            let intake = CandleIntake(pipeline, base: 0, count: 1, use: .besideTrades)
            pipeline.feedCameUp(0, at: day)
            pipeline.ingest(market: 0, Tick(timestamp: day + 65, price: 10, volume: 1), now: day + 65)
            intake.accept(closed: [Self.reported(1, 10, volume: 9)], open: [], now: day + 121) { _ in 0 }
            // Numbers show that trades of that minute did not come.
            pipeline.feedMissed(0, since: day + 65, until: day + 125)
            intake.accept(closed: [], open: [], now: day + 140) { _ in 0 }
            return (Self.minutes(pipeline), intake.check.compared)
        }
        #expect(seen.0 == [[1, 10, 9]] && seen.1 == 0)
    }

    @Test("running candles beside trades make no prices, not before the first trade either; quiet rows no candle")
    func noTicks() async throws {
        let seen = try await Self.core().read { pipeline in
            let day = Self.day
            let intake = CandleIntake(pipeline, base: 0, count: 1, use: .besideTrades)
            pipeline.feedCameUp(0, at: day)
            intake.accept(closed: [], open: [Self.reported(0, 10, volume: 5)], now: day + 30) { _ in 0 }
            intake.accept(closed: [Self.reported(0, 10, volume: 0)], open: [], now: day + 61) { _ in 0 }
            intake.accept(closed: [], open: [], now: day + 80) { _ in 0 }
            return (Self.minutes(pipeline), pipeline.counts.accepted, intake.check.compared, intake.check.differing)
        }
        #expect(seen.0.isEmpty && seen.1 == 0)
        #expect(seen.2 == 1 && seen.3 == 0, "a quiet row says what we say")
    }

    @Test("a candle is compared once, and none that has the venue's own word in it")
    func once() async throws {
        let seen = try await Self.core().read { pipeline in
            let day = Self.day
            let intake = CandleIntake(pipeline, base: 0, count: 1, use: .besideTrades)
            func deliver(_ candles: [VenueCandle], at minute: Double) {
                intake.accept(closed: candles, open: [], now: day + minute * 60) { _ in 0 }
            }
            pipeline.feedCameUp(0, at: day)
            for minute in [0.1, 1.1, 2.1, 3.1] {
                let time = day + minute * 60
                pipeline.ingest(market: 0, Tick(timestamp: time, price: 10, volume: 1), now: time)
            }
            // Minute 1 is fetched from the venue, minute 2 only after it waits here: what would be compared is the venue's.
            func join(_ minute: Double) {
                let candle = Self.reported(minute, 11, volume: 5).candle
                _ = pipeline.join(
                    [candle], market: 0, timeframe: .m1, covered: candle.timestamp..<candle.timestamp + 60,
                    now: day + 180)
            }
            join(1)
            let snapshot = (0..<3).map { Self.reported(Double($0), 9, volume: 1) }
            deliver(snapshot, at: 3.05)
            join(2)
            deliver(snapshot, at: 3.1)
            deliver([], at: 4)
            // An outage, and the snapshot again.
            pipeline.feedWentDown(0, lossesFrom: day + 239)
            pipeline.feedCameUp(0, at: day + 250)
            deliver(snapshot, at: 4.5)
            deliver([], at: 6)
            return ([intake.check.compared, intake.check.differing], Self.minutes(pipeline))
        }
        #expect(seen.0 == [1, 1], "minute 0 alone, once")
        #expect(seen.1 == [[0, 10, 1], [1, 11, 5], [2, 11, 5], [3, 10, 1]])
    }

    @Test("candles that come while the stored past is read wait for it, and correct what is stored")
    func loading() async throws {
        final class Stored: Sendable { let revisions = Mutex<[Int]>([]) }
        let stored = Stored()
        let core = try await MarketCore(
            registry: MarketRegistry([Market(symbol: "A", precision: 2)]),
            loop: MultiThreadedEventLoopGroup.singleton.next(), shards: []
        ) { _, bars in
            stored.revisions.withLock { $0 += bars.filter { $0.timeframe == .m1 }.map(\.revision) }
        }
        let seen = try await core.read { pipeline in
            let intake = CandleIntake(pipeline, base: 0, count: 1, use: .besideTrades)
            intake.hold(0)
            intake.accept(
                closed: (0..<3).map { Self.reported(Double($0), 11, volume: 2) }, open: [], now: Self.day + 200
            ) { _ in 0 }
            let early = Self.minutes(pipeline)
            // Minute 0 was corrected four times, minute 1 is as the venue sends it.
            pipeline.placeStored(
                [Self.reported(0, 10, volume: 1).candle, Self.reported(1, 11, volume: 2).candle],
                revisions: [Self.day: 4],
                market: 0, timeframe: .m1)
            intake.loaded(0, now: Self.day + 201)
            return (early, Self.minutes(pipeline))
        }
        #expect(seen.0.isEmpty)
        #expect(seen.1 == [[0, 11, 2], [1, 11, 2], [2, 11, 2]])
        #expect(stored.revisions.withLock { $0 }.first == 5, "and not 1: readers would not take it")
    }

    @Test("a candle of a time that is far ahead, or none at all, is left out and waits for nothing")
    func nonsense() async throws {
        let seen = try await Self.core().read { pipeline in
            let intake = CandleIntake(pipeline, base: 0, count: 1, use: .besideTrades)
            pipeline.feedCameUp(0, at: Self.day)
            var odd = Self.reported(5, 10, volume: 1)
            odd.candle.high = 1
            intake.accept(closed: [Self.reported(1e6, 10, volume: 1), odd], open: [], now: Self.day + 61) { _ in 0 }
            intake.accept(closed: [], open: [], now: Self.day + 1e9) { _ in 0 }
            return (Self.minutes(pipeline), intake.check.compared)
        }
        #expect(seen.0.isEmpty && seen.1 == 0)
    }
}
