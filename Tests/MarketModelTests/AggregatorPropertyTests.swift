import MarketModel
import TestKit
import Testing

/// The design's rules about candles, as properties over random tick streams with named seeds.
@Suite("Aggregation properties")
struct AggregatorPropertyTests {
    static let timeframes: [Timeframe] = [.s1, .s5, .m1, .m3, .m5, .m15, .h1, .d1, .w1, .mo1]

    /// The last word on each bar: finals by timeframe and timestamp, then what is still forming.
    static func candles(
        _ ticks: [Tick], timeframes: [Timeframe] = timeframes, lateness: Double
    ) -> [Timeframe: [Double: Candle]] {
        var aggregator = TickAggregator(timeframes: timeframes, lateness: lateness)
        var result: [Timeframe: [Double: Candle]] = [:]
        for tick in ticks {
            aggregator.ingest(tick) { result[$0.timeframe, default: [:]][$0.candle.timestamp] = $0.candle }
        }
        for timeframe in timeframes {
            if let bar = aggregator.forming(timeframe) {
                result[timeframe, default: [:]][bar.candle.timestamp] = bar.candle
            }
        }
        return result
    }

    /// Rule 1, against the plainest implementation there is: sort by time, group, take first, last, extremes, sum.
    static func plainCandles(_ ticks: [Tick], _ timeframe: Timeframe) -> [Double: Candle] {
        let ordered = ticks.enumerated().sorted {
            $0.element.timestamp == $1.element.timestamp
                ? $0.offset < $1.offset : $0.element.timestamp < $1.element.timestamp
        }.map(\.element)
        return Dictionary(grouping: ordered) { timeframe.bucketStart(of: $0.timestamp) }.mapValues { group in
            // Volumes are whole numbers of 1e-8: integers add exactly.
            let units = group.reduce(0) { $0 + Int(($1.volume * 1e8).rounded()) }
            return Candle(
                timestamp: timeframe.bucketStart(of: group[0].timestamp), open: group[0].price,
                high: group.map(\.price).max()!, low: group.map(\.price).min()!, close: group.last!.price,
                volume: Double(units) / 1e8)
        }
    }

    @Test("ticks in order give the candles of a plain group-by, volumes to the last digit", arguments: 1...20)
    func matchesGroupBy(seed: Int) {
        var stream = TickStream(seed: UInt64(seed))
        let ticks = stream.next(3000)
        let built = Self.candles(ticks, lateness: 10)
        for timeframe in Self.timeframes {
            #expect(built[timeframe] == Self.plainCandles(ticks, timeframe), "\(timeframe), seed \(seed)")
        }
    }

    @Test("rule 1: any order within the lateness window gives the same candles", arguments: 1...30)
    func orderDoesNotMatter(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed) &* 77)
        var stream = TickStream(seed: UInt64(seed), meanGap: seed % 3 == 0 ? 0.05 : 0.7)
        let ticks = stream.next(1500)
        let window = 8.0
        // Delivered late by less than half the window each, so no tick is more than the window behind the newest.
        // Ticks of equal time keep their order: among them, arrival decides.
        var delays: [Double: Double] = [:]
        for tick in ticks where delays[tick.timestamp] == nil {
            delays[tick.timestamp] = Double.random(in: 0..<window / 2, using: &generator)
        }
        let shuffled = ticks.enumerated().sorted {
            let a = $0.element.timestamp + delays[$0.element.timestamp]!
            let b = $1.element.timestamp + delays[$1.element.timestamp]!
            return a == b ? $0.offset < $1.offset : a < b
        }.map(\.element)
        #expect(shuffled != ticks)
        #expect(Self.candles(shuffled, lateness: window) == Self.candles(ticks, lateness: window), "seed \(seed)")
    }

    @Test("rule 2: rolled-up minutes equal candles built from the ticks", arguments: 1...10)
    func rollUpEqualsDirect(seed: Int) {
        var stream = TickStream(seed: UInt64(seed) &+ 500, meanGap: 20)
        let ticks = stream.next(5000)
        let minutes = Self.candles(ticks, timeframes: [.m1], lateness: 10)[.m1]!.values.sorted {
            $0.timestamp < $1.timestamp
        }
        for timeframe in [Timeframe.m5, .m15, .h1, .d1, .w1, .mo1] {
            var rollup = CandleRollup(to: timeframe)
            var rolled: [Double: Candle] = [:]
            for minute in minutes {
                if let done = rollup.add(minute) { rolled[done.timestamp] = done }
            }
            if let last = rollup.forming { rolled[last.timestamp] = last }
            #expect(rolled == Self.candles(ticks, timeframes: [timeframe], lateness: 10)[timeframe], "\(timeframe)")
        }
    }

    @Test("a batch gives the same bars, in the same order, as one tick at a time", arguments: 1...20)
    func batchEqualsSingle(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var stream = TickStream(seed: UInt64(seed) &+ 900, meanGap: 0.02)
        var ticks = stream.next(4000)
        // Now and then something that a run must not swallow: late, far too late, or no number at all.
        for index in stride(from: 50, to: ticks.count, by: 97) {
            switch Int.random(in: 0..<7, using: &generator) {
            case 5: ticks[index].volume = .infinity
            case 0: ticks[index].timestamp -= 3
            case 1: ticks[index].timestamp -= 5000
            case 2: ticks[index].price = .nan
            case 3: ticks[index].volume = -1
            case 4: ticks[index].price = .infinity
            default: ticks[index].timestamp = .nan
            }
        }
        var single = TickAggregator(timeframes: Self.timeframes)
        var singleBars: [Bar] = []
        for tick in ticks { single.ingest(tick) { singleBars.append($0) } }
        var batch = TickAggregator(timeframes: Self.timeframes)
        var batchBars: [Bar] = []
        let times = ticks.map(\.timestamp)
        let prices = ticks.map(\.price)
        let volumes = ticks.map(\.volume)
        // In uneven pieces, as a feed delivers them.
        var start = 0
        while start < ticks.count {
            let end = min(ticks.count, start + Int.random(in: 1...700, using: &generator))
            times[start..<end].withUnsafeBufferPointer { times in
                prices[start..<end].withUnsafeBufferPointer { prices in
                    volumes[start..<end].withUnsafeBufferPointer { volumes in
                        batch.ingest(timestamps: times, prices: prices, volumes: volumes) { batchBars.append($0) }
                    }
                }
            }
            start = end
        }
        #expect(batchBars == singleBars)
        #expect(batch.rejections == single.rejections)
        for timeframe in Self.timeframes { #expect(batch.forming(timeframe) == single.forming(timeframe)) }
    }

    @Test("rule 8: no numbers crash it, and what it emits can be drawn", arguments: 1...20)
    func survivesAnything(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed) &* 31)
        let odd: [Double] = [
            0, -0.0, -1, 1, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 1e18, -1e18,
            253_402_300_800, 1_700_000_000, 1_700_000_059.999, 4e9,
        ]
        var aggregator = TickAggregator(
            timeframes: Timeframe.allCases, emptyBuckets: seed % 2 == 0 ? .omit : .flat(limit: 50))
        for _ in 0..<500 {
            let timestamp =
                Bool.random(using: &generator)
                ? odd.randomElement(using: &generator)!
                : Double.random(in: 1_700_000_000..<1_700_000_500, using: &generator)
            let tick = Tick(
                timestamp: timestamp, price: odd.randomElement(using: &generator)!.magnitude,
                volume: odd.randomElement(using: &generator)!)
            aggregator.ingest(tick) { #expect($0.candle.low <= $0.candle.high && $0.candle.low > 0) }
        }
    }
}
