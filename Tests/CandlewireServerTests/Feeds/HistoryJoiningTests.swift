import MarketModel
import TestKit
import Testing

@testable import CandlewireServer

/// Markets that were not followed for a while, and their venue's candles put in place: the result must be that of a market
/// that was followed all the time.
@Suite("history is joined to live candles by position")
struct HistoryJoiningTests {
    /// Two days of trades, some minutes without any.
    private static func trades(seed: UInt64) -> [Tick] {
        var random = SeededGenerator(seed: seed)
        // A Sunday, 22:00 UTC: a day, a week and a month end on the way.
        var time = 1_725_141_600.0 - 12 * 3600
        var price = 100.0
        var ticks: [Tick] = []
        while time < 1_725_141_600 + 14 * 3600 {
            time += random.unit() < 0.01 ? 60 + random.unit() * 300 : random.unit() * 30
            price = max(1, price + (random.unit() - 0.5) * 0.5)
            ticks.append(
                Tick(
                    timestamp: (time * 1000).rounded() / 1000, price: (price * 100).rounded() / 100,
                    volume: Double(1 + Int(random.unit() * 100)) / 8))
        }
        return ticks
    }

    private static func run(_ state: inout MarketState, _ ticks: some Sequence<Tick>) {
        for tick in ticks {
            var finals: [Bar] = []
            state.aggregator.ingest(tick) { finals.append($0) }
            for bar in finals { state.place(bar) }
        }
    }

    private static func minutes(_ state: MarketState, _ from: Double, _ to: Double) -> [Candle] {
        state.candles(.m1, limit: .max).filter { $0.timestamp >= from && $0.timestamp + 60 <= to }
    }

    @discardableResult
    private static func join(_ state: inout MarketState, _ minutes: [Candle], _ covered: Range<Double>, now: Double)
        -> [Bar]
    {
        _ = state.close(covered, of: .m1, now: now)
        return state.join(minutes, of: .m1, covered: covered, now: now)
    }

    private static let coarse = Timeframe.allCases.filter {
        $0.index >= Timeframe.m1.index && $0.index <= Timeframe.d1.index
    }

    @Test("a market that was not followed for a while ends as one that was", arguments: 1...40 as ClosedRange<UInt64>)
    func outage(seed: UInt64) {
        var random = SeededGenerator(seed: seed &* 77)
        let ticks = Self.trades(seed: seed)
        let begin = ticks[0].timestamp
        let down = begin + 3600 + random.unit() * 40_000
        let up = down + 30 + random.unit() * random.unit() * 30_000
        var whole = MarketState()
        var holed = MarketState()
        let end = up + 80 + random.unit() * 3000
        Self.run(&whole, ticks.filter { $0.timestamp < end })
        holed.feedCameUp(at: begin)
        Self.run(&holed, ticks.filter { $0.timestamp < down })
        holed.feedWentDown(lossesFrom: down - HistoryPlan.unnoticed)
        holed.feedCameUp(at: up)
        Self.run(&holed, ticks.filter { $0.timestamp >= up && $0.timestamp < end })

        var plan = HistoryPlan()
        plan.wentDown(now: down)
        plan.cameUp(now: up)
        let now = ticks.last { $0.timestamp < end }!.timestamp
        var rounds = 0
        while let due = plan.due(now: now + 20), rounds < 5 {
            rounds += 1
            // The venue has what the market that was followed has.
            let fetched = Self.minutes(whole, due.lowerBound, due.upperBound)
            Self.join(&holed, fetched, due, now: now + 20)
            _ = plan.fetched(due, covered: due, now: now)
        }
        #expect(rounds >= 1)
        guard plan.stretches.isEmpty, whole.aggregator.forming(.m1)!.candle.timestamp >= up - 60 else { return }
        // What a bucket held before the first minute that is known, cannot be learned again.
        let first = Timeframe.m1.bucketStart(of: begin) + 60
        for timeframe in Self.coarse {
            let ours = holed.candles(timeframe, limit: .max).filter { $0.timestamp >= first }
            #expect(ours == whole.candles(timeframe, limit: .max).filter { $0.timestamp >= first }, "\(timeframe)")
        }
    }

    @Test("the past before the first trade is put in place, and the open hour and day are made of it")
    func beginning() {
        let ticks = Self.trades(seed: 5)
        let start = ticks[0].timestamp + 5 * 3600 + 17.5
        let end = start + 1500
        var whole = MarketState()
        var late = MarketState()
        Self.run(&whole, ticks.filter { $0.timestamp < end })
        late.feedCameUp(at: start)
        Self.run(&late, ticks.filter { $0.timestamp >= start && $0.timestamp < end })
        let open = late.aggregator.forming(.m1)!.candle.timestamp
        let now = ticks.last { $0.timestamp < end }!.timestamp
        let past = Self.minutes(whole, 0, open)
        let covered = past[0].timestamp..<open
        let changed = Self.join(&late, past, covered, now: now)
        #expect(late.candles(.m1, limit: .max) == whole.candles(.m1, limit: .max))
        // The hours and days that began before the past that is known stay as they are: unknown is what they began with.
        for timeframe in Self.coarse {
            let known = whole.candles(timeframe, limit: .max).filter { $0.timestamp >= past[0].timestamp }
            let ours = late.candles(timeframe, limit: .max).filter { $0.timestamp >= past[0].timestamp }
            #expect(ours == known, "\(timeframe)")
        }
        #expect(changed.allSatisfy { $0.isFinal && $0.quality == .complete && $0.revision == 1 })
        #expect(Self.join(&late, past, covered, now: now).isEmpty, "a second time changes nothing")
    }

    @Test("an open hour whose gap was filled is reported as complete")
    func quality() {
        let ticks = Self.trades(seed: 9)
        let down = ticks[0].timestamp + 7300
        let up = down + 200
        let end = up + 150
        var whole = MarketState()
        var holed = MarketState()
        Self.run(&whole, ticks.filter { $0.timestamp < end })
        holed.feedCameUp(at: ticks[0].timestamp)
        Self.run(&holed, ticks.filter { $0.timestamp < down })
        holed.feedWentDown(lossesFrom: down - HistoryPlan.unnoticed)
        holed.feedCameUp(at: up)
        Self.run(&holed, ticks.filter { $0.timestamp >= up && $0.timestamp < end })
        #expect(holed.aggregator.forming(.h1)?.quality == .gap)
        let now = ticks.last { $0.timestamp < end }!.timestamp
        let minute = Timeframe.m1.bucketStart(of: now)
        let covered = Timeframe.m1.bucketStart(of: down - 120)..<minute
        Self.join(&holed, Self.minutes(whole, covered.lowerBound, minute), covered, now: now)
        #expect(holed.aggregator.forming(.m1)?.quality == .complete)
        #expect(holed.aggregator.forming(.h1)?.quality == .complete)
        #expect(holed.aggregator.forming(.h1)?.candle == whole.aggregator.forming(.h1)?.candle)
    }

    @Test("days make weeks and months; what is malformed, running or in the open bucket is left out")
    func days() {
        var state = MarketState()
        let first = Double(CivilDate(year: 2024, month: 6, day: 1).daysSince1970) * 86_400
        var days: [Candle] = []
        for day in 0..<70 {
            let price = Double(100 + day)
            days.append(
                Candle(
                    timestamp: first + Double(day) * 86_400, open: price, high: price + 2, low: price - 1,
                    close: price + 1, volume: 10))
        }
        let now = first + 69.5 * 86_400
        days.insert(Candle(timestamp: first - 86_400, open: 0, high: 0, low: 0, close: 0, volume: 0), at: 0)
        let covered = first..<first + 70 * 86_400
        _ = state.close(covered, of: .d1, now: now)
        let changed = state.join(days, of: .d1, covered: covered, now: now)
        #expect(changed.filter { $0.timeframe == .d1 }.count == 69, "the seventieth day is not over")
        let months = state.candles(.mo1, limit: .max)
        #expect(months.map(\.volume) == [300, 310, 80], "the open one too, before anything has traded")
        #expect(months[0].open == 100 && months[0].close == 130 && months[0].high == 131 && months[0].low == 99)
        let weeks = state.candles(.w1, limit: .max)
        #expect(weeks.dropLast().allSatisfy { $0.volume == 70 } && weeks.last?.volume == 40)
        #expect(state.candles(.w1, limit: .max).first?.timestamp == first + 2 * 86_400, "a week that is whole")
    }
}
