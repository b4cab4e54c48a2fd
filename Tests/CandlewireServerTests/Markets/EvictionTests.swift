import MarketModel
import TestKit
import Testing

@testable import CandlewireServer

/// Markets whose past leaves the memory and comes back must be those that kept it.
@Suite("idle markets give their past back to the store and lose nothing")
struct EvictionTests {
    /// A market and its store, as far as both matter here.
    private struct Kept {
        var state = MarketState()
        /// All that became final or changed, in that order.
        var reported: [Bar] = []
        private var stored: [[Double: Bar]] = Timeframe.allCases.map { _ in [:] }

        mutating func ingest(_ tick: Tick) {
            var finals: [Bar] = []
            state.aggregator.ingest(tick) { finals.append($0) }
            for bar in finals { state.place(bar) }
            keep(finals)
        }

        /// The venue's minutes of a stretch.
        mutating func join(_ minutes: [Candle], _ covered: Range<Double>, now: Double) {
            keep(state.close(covered, of: .m1, now: now))
            keep(state.join(minutes, of: .m1, covered: covered, now: now))
        }

        private mutating func keep(_ bars: [Bar]) {
            reported += bars
            for bar in bars where bar.revision >= stored[bar.timeframe.index][bar.candle.timestamp]?.revision ?? 0 {
                stored[bar.timeframe.index][bar.candle.timestamp] = bar
            }
        }

        /// As `StoredMemory` does it.
        mutating func restore() {
            for timeframe in Timeframe.allCases {
                let rows = stored[timeframe.index].sorted { $0.key < $1.key }.suffix(MarketState.memory)
                state.placeMissing(rows.map(\.value.candle), timeframe)
                for (start, bar) in rows where bar.revision > 0 {
                    state.revisions.note(bar.revision, timeframe, at: start)
                }
            }
            state.restored()
        }
    }

    @Test(
        "evicted at any time and back at any later one, a market has the same candles to the last digit",
        arguments: 1...6 as ClosedRange<UInt64>)
    func sameCandles(seed: UInt64) {
        var random = SeededGenerator(seed: seed &* 7919)
        var (always, evicted) = (Kept(), Kept())
        var (time, price) = (1_725_141_600.0 - 40_000, 100.0)
        var evictions = 0
        always.state.feedCameUp(at: time)
        evicted.state.feedCameUp(at: time)
        for step in 0..<2000 {
            // Most trades follow each other, some after an hour and more.
            time += random.unit() < 0.003 ? 3600 + random.unit() * 7200 : random.unit() * 8
            price = max(1, price + (random.unit() - 0.5))
            let late = random.unit() < 0.1 ? random.unit() * 9 : 0
            let tick = Tick(
                timestamp: ((time - late) * 1000).rounded() / 1000, price: (price * 100).rounded() / 100,
                volume: random.unit() * 3)
            always.ingest(tick)
            evicted.ingest(tick)
            if random.unit() < 0.01 {
                let isUp = random.unit() < 0.5
                if isUp {
                    always.state.feedCameUp(at: time)
                    evicted.state.feedCameUp(at: time)
                } else {
                    always.state.feedWentDown(lossesFrom: time)
                    evicted.state.feedWentDown(lossesFrom: time)
                }
            }
            if !evicted.state.isEvicted, random.unit() < 0.02 {
                evicted.state.evict()
                evictions += 1
            } else if evicted.state.isEvicted, random.unit() < 0.03 {
                evicted.restore()
            }
            if step % 500 == 499 {
                // The venue's own minutes of the last two hours wait for the past, as the pipeline lets them.
                if evicted.state.isEvicted { evicted.restore() }
                let end = Timeframe.m1.bucketStart(of: time - 30)
                let covered = end - 7200..<end
                let minutes = always.state.past(.m1, from: covered.lowerBound, to: end).map { candle in
                    var venue = candle
                    if random.unit() < 0.2 { venue.volume += 1 }
                    return venue
                }
                always.join(minutes, covered, now: time)
                evicted.join(minutes, covered, now: time)
            }
        }
        if evicted.state.isEvicted { evicted.restore() }
        #expect(evictions > 3)
        #expect(evicted.reported == always.reported, "what became final, in the same order with the same revisions")
        for timeframe in Timeframe.allCases {
            #expect(
                evicted.state.candles(timeframe, limit: .max) == always.state.candles(timeframe, limit: .max),
                "\(timeframe)")
            #expect(evicted.state.aggregator.forming(timeframe) == always.state.aggregator.forming(timeframe))
        }
    }

    @Test("an evicted market keeps what is open and what the list shows, and says that there may be more in the store")
    func digest() {
        var kept = Kept()
        for minute in 0..<300 {
            kept.ingest(Tick(timestamp: 1_725_141_600 + Double(minute) * 60, price: 100 + Double(minute), volume: 2))
        }
        let (day, line) = (DayStatistics(minutes: kept.state.dayCandles, now: 1_725_159_600), kept.state.sparkline)
        let open = kept.state.aggregator.forming(.h1)
        #expect(kept.state.holdsAll(.m1) && !kept.state.isEvicted)
        kept.state.evict()
        #expect(kept.state.isEvicted && !kept.state.holdsAll(.m1) && kept.state.oldest(.m1) == nil)
        #expect(kept.state.candles(.m1, limit: .max).count == 1, "the open one")
        #expect(kept.state.aggregator.forming(.h1) == open)
        #expect(kept.state.sparkline == line && line.count == 10)
        #expect(DayStatistics(minutes: kept.state.dayCandles, now: 1_725_159_600) == day)
        kept.restore()
        #expect(kept.state.candles(.m1, limit: .max).count == 300 && kept.state.holdsAll(.m1))
    }

    @Test("without its past, a quiet stretch of the venue's leaves the open bars as they are")
    func quietStretch() {
        var kept = Kept()
        let start = 1_725_141_600.0
        kept.state.feedCameUp(at: start - 60)
        for minute in 0..<300 {
            kept.ingest(Tick(timestamp: start + Double(minute) * 60, price: 100 + Double(minute), volume: 2))
        }
        kept.state.evict()
        let now = start + 300 * 60 + 600
        let ended = kept.state.close(start..<now - 60, of: .m1, now: now)
        #expect(ended.contains { $0.timeframe == .m1 })
        let open = Timeframe.allCases.map { kept.state.aggregator.forming($0) }
        #expect(open.contains { $0?.timeframe == .w1 && $0?.candle.volume == 600 })
        for _ in 0..<2 {
            let changed = kept.state.join([], of: .m1, covered: now - 600..<now - 60, now: now)
            #expect(changed.isEmpty)
        }
        #expect(Timeframe.allCases.map { kept.state.aggregator.forming($0) } == open)
    }

    @Test("a market is idle when it neither trades nor is read for the time; a request delays that")
    func watch() {
        var watch = IdleWatch(markets: 2, limit: 3600, now: 100)
        func idle(_ market: Int, activity: Int = 0, isWatched: Bool = false, at now: Double) -> Bool {
            watch.review(market, activity: activity, isWatched: isWatched, now: now)
        }
        #expect(!idle(0, at: 3699.9))
        #expect(!idle(1, activity: 1, at: 3699.9), "it has traded")
        #expect(idle(0, at: 3700))
        #expect(!idle(0, isWatched: true, at: 3701), "it is read")
        #expect(!idle(0, at: 7300.9))
        #expect(idle(0, at: 7301))
        watch.use(0, now: 7301)
        #expect(!idle(0, at: 10_900))
        #expect(idle(1, activity: 1, at: 7300))
    }

    @Test("what waits for a past is done in its order, once, and not for connections that are gone")
    func queue() {
        var queue = RestoreQueue()
        var done: [String] = []
        let (one, other) = (ConnectionID(shard: 0, number: 1), ConnectionID(shard: 1, number: 1))
        let begun = [queue.begin(3), queue.begin(3)]
        #expect(begun == [true, false], "requested once")
        #expect(queue.holds(3) && !queue.holds(4))
        queue.add(3, of: one) { done.append("subscribe 1 \($0)") }
        queue.add(3, of: nil) { done.append("join \($0)") }
        #expect(queue.isAwaited(3) && !queue.isAwaited(4))
        queue.add(3, of: other) { done.append("subscribe 2 \($0)") }
        queue.add(3, of: other) { done.append("unsubscribe 2 \($0)") }
        queue.forget(one)
        let first = queue.end(3, isWhole: true)
        for body in first.bodies { body(true) }
        #expect(done == ["join true", "subscribe 2 true", "unsubscribe 2 true"] && !first.hadFailed)
        let left = queue.end(3, isWhole: true).bodies.count
        let isNew = queue.begin(3)
        #expect(left == 0 && isNew)
    }

    @Test(
        "requests that wait for history that cannot be had are refused; patient ones wait on, and it is requested again on purpose"
    )
    func failedQueue() {
        var queue = RestoreQueue()
        var done: [String] = []
        _ = queue.begin(3)
        queue.add(3, of: nil) { done.append("join \($0)") }
        queue.addUntilRestored(3) { done.append("candle") }
        for body in queue.end(3, isWhole: false).bodies { body(false) }
        #expect(done == ["join false"])
        let isBegun = queue.begin(3)
        #expect(!isBegun && queue.hasFailed(3) && !queue.holds(3))
        let others = queue.retryFailed(4..<9)
        let again = [queue.retryFailed(0..<4), queue.retryFailed(0..<4)]
        #expect(others == [] && again == [[3], []])
        #expect(queue.holds(3) && !queue.hasFailed(3), "who comes now waits")
        queue.add(3, of: nil) { done.append("second join \($0)") }
        let end = queue.end(3, isWhole: true)
        for body in end.bodies { body(true) }
        #expect(done == ["join false", "second join true", "candle"] && end.hadFailed)
        #expect(!queue.hasFailed(3))
    }
}
