import MarketModel
import Testing

@testable import CandlewireServer

/// What joining must do where little trades, little is known, or much is corrected.
@Suite("history is joined where a market is quiet, or its past is known in part only")
struct HistoryQuietTests {
    /// 2024-08-08 00:00 UTC, a Thursday.
    private let day = 1_723_075_200.0

    private static func run(_ state: inout MarketState, _ ticks: [Tick]) {
        for tick in ticks {
            var finals: [Bar] = []
            state.aggregator.ingest(tick) { finals.append($0) }
            for bar in finals { state.place(bar) }
        }
    }

    private static func tick(_ time: Double, _ price: Double, _ volume: Double = 1) -> Tick {
        Tick(timestamp: time, price: price, volume: volume)
    }

    private static func flat(_ start: Double, _ price: Double, _ volume: Double = 1) -> Candle {
        Candle(timestamp: start, open: price, high: price, low: price, close: price, volume: volume)
    }

    @discardableResult
    private static func join(
        _ state: inout MarketState, _ candles: [Candle], _ covered: Range<Double>, of timeframe: Timeframe = .m1,
        now: Double
    ) -> [Bar] {
        _ = state.close(covered, of: timeframe, now: now)
        return state.join(candles, of: timeframe, covered: covered, now: now)
    }

    @Test("a market that has not traded since its outage gets the outage's minutes, the one that was open included")
    func quietSinceOutage() {
        var state = MarketState()
        state.feedCameUp(at: day)
        Self.run(&state, [Self.tick(day + 60, 10), Self.tick(day + 600, 11)])
        state.feedWentDown(lossesFrom: day + 550)
        state.feedCameUp(at: day + 900)
        // The venue: another trade in the open minute, and two minutes later.
        let minutes = [
            Candle(timestamp: day + 600, open: 11, high: 12, low: 11, close: 12, volume: 2), Self.flat(day + 720, 13),
        ]
        Self.join(&state, minutes, day + 540..<day + 960, now: day + 980)
        let found = state.candles(.m1, limit: .max)
        #expect(found == [Self.flat(day + 60, 10)] + minutes)
        // The next trade comes an hour later: nothing is lost, and nothing comes back.
        Self.run(&state, [Self.tick(day + 955, 1), Self.tick(day + 4000, 20)])
        #expect(state.candles(.m1, limit: .max).dropLast() == found[...], "a late tick is in the venue's minutes")
        let hour = state.candles(.h1, limit: .max)[0]
        #expect(hour == Candle(timestamp: day, open: 10, high: 13, low: 10, close: 13, volume: 4))
    }

    @Test("a market without a single trade since the start shows the open hour, day and week, and goes on with them")
    func quietAtStart() {
        var state = MarketState()
        let now = day + 7500
        state.feedCameUp(at: now - 60)
        let start = day - 86_400
        let minutes = stride(from: start, to: day + 7440, by: 60).map { Self.flat($0, $0 < day + 7200 ? 10 : 11) }
        Self.join(&state, minutes, start..<day + 7440, now: now)
        #expect(state.candles(.m1, limit: .max) == minutes)
        #expect(
            state.candles(.h1, limit: 1) == [
                Candle(timestamp: day + 7200, open: 11, high: 11, low: 11, close: 11, volume: 4)
            ])
        #expect(
            state.candles(.d1, limit: 1) == [
                Candle(timestamp: day, open: 10, high: 11, low: 10, close: 11, volume: 124)
            ])
        Self.run(&state, [Self.tick(now, 12, 5)])
        #expect(
            state.candles(.h1, limit: 1) == [
                Candle(timestamp: day + 7200, open: 11, high: 12, low: 11, close: 12, volume: 9)
            ])
        #expect(
            state.candles(.d1, limit: 1) == [
                Candle(timestamp: day, open: 10, high: 12, low: 10, close: 12, volume: 129)
            ])
        #expect(state.candles(.m1, limit: 1).first?.timestamp == day + 7500)
    }

    @Test("what a stored past with holes would make of an hour is not made")
    func holes() {
        let hour = Candle(timestamp: day, open: 1, high: 9, low: 1, close: 5, volume: 500)
        var state = MarketState()
        state.placeMissing([hour], .h1)
        // Half the minutes are stored, of a time in which the market was not followed all the time.
        state.placeMissing(stride(from: day, to: day + 3000, by: 120).map { Self.flat($0, 3) }, .m1)
        let now = day + 4000
        state.feedCameUp(at: now - 30)
        Self.join(
            &state, stride(from: day + 3000, to: day + 3960, by: 60).map { Self.flat($0, 4) }, day + 3000..<day + 3960,
            now: now)
        #expect(state.existing(.h1, at: day) == hour)
        #expect(state.existing(.m5, at: day + 3000)?.volume == 5, "of minutes that are all known it is made")
        #expect(state.candles(.h1, limit: 1).first?.volume == 6)
        // With the hour's own beginning it is.
        Self.join(
            &state, stride(from: day, to: day + 3000, by: 60).map { Self.flat($0, 2) }, day..<day + 3000, now: now)
        #expect(state.existing(.h1, at: day) == Candle(timestamp: day, open: 2, high: 4, low: 2, close: 4, volume: 60))
    }

    @Test("an outage that is longer than what a venue keeps leaves the hours in which it began alone")
    func longOutage() {
        var state = MarketState()
        state.feedCameUp(at: day)
        let ticks = stride(from: day, to: day + 5400, by: 60).map { Self.tick($0, 10) }
        Self.run(&state, ticks)
        state.feedWentDown(lossesFrom: day + 5340)
        let up = day + 5400 + 15 * 3600
        state.feedCameUp(at: up)
        Self.run(&state, [Self.tick(up + 60, 20)])
        let before = state.existing(.h1, at: day + 3600)
        let kept = up - 12 * 3600
        let first = Timeframe.m1.bucketStart(of: kept)
        let minutes = stride(from: first, to: up + 60, by: 60).map { Self.flat($0, 15) }
        Self.join(&state, minutes, first..<up + 60, now: up + 80)
        #expect(state.existing(.h1, at: day + 3600) == before)
        let partial = Timeframe.h1.bucketStart(of: first)
        #expect(state.existing(.h1, at: partial) == nil, "the hour in which the venue's minutes begin")
        #expect(state.existing(.h1, at: partial + 3600)?.volume == 60)
        // Those come as hours, and make the coarser ones.
        let hours = [day + 3600, day + 7200, partial].map { Self.flat($0, 12, 60) }
        Self.join(&state, hours, day + 3600..<partial + 3600, of: .h1, now: up + 80)
        #expect(state.existing(.h1, at: partial)?.volume == 60)
        #expect(state.existing(.h4, at: day + 4 * 3600)?.timestamp == day + 4 * 3600)
        #expect(state.existing(.h4, at: day)?.volume == 180)
    }

    @Test("a venue's candle has a higher revision than what it replaces, and late ticks do not undo it")
    func revisions() {
        var state = MarketState()
        state.feedCameUp(at: day)
        Self.run(
            &state,
            [Self.tick(day + 55, 10), Self.tick(day + 61, 11), Self.tick(day + 56, 12), Self.tick(day + 57, 13)])
        let own = state.existing(.m1, at: day)
        #expect(own?.volume == 3, "corrected twice")
        let changed = Self.join(&state, [Self.flat(day, 15, 9)], day..<day + 60, now: day + 75)
        #expect(changed.filter { $0.timeframe == .m1 }.map(\.revision) == [3])
        Self.run(&state, [Self.tick(day + 58, 99)])
        #expect(state.existing(.m1, at: day) == Self.flat(day, 15, 9))
        // What is stored may have been corrected before the start.
        state.revisions.note(7, .m5, at: day - 300)
        state.placeMissing([Self.flat(day - 300, 1)], .m5)
        let five = stride(from: day - 300, to: day, by: 60).map { Self.flat($0, 2) }
        let again = Self.join(&state, five, day - 300..<day, now: day + 75)
        #expect(again.first { $0.timeframe == .m5 }?.revision == 8)
    }

    @Test("the first sign of life makes no gap: the bar that began before it is partial, the next one whole")
    func firstLive() {
        var state = MarketState()
        state.feedCameUp(at: day + 20)
        var bars: [Bar] = []
        for second in [30.0, 70, 130] { state.aggregator.ingest(Self.tick(day + second, 10)) { bars.append($0) } }
        #expect(bars.filter { $0.timeframe == .m1 }.map(\.quality) == [.partial, .complete])
    }

    @Test("what is built while the store is read stays")
    func stored() {
        var state = MarketState()
        state.place(Bar(timeframe: .m1, candle: Self.flat(day, 5), isFinal: true, revision: 0, quality: .complete))
        state.placeMissing([Self.flat(day - 60, 1), Self.flat(day, 1)], .m1)
        #expect(state.candles(.m1, limit: .max) == [Self.flat(day - 60, 1), Self.flat(day, 5)])
    }
}
