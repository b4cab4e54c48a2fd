/// The simulated exchange's past: candles of every timeframe that end where the live market begins.
///
/// The further back, the coarser the steps: seconds for the last two hours, minutes for two weeks, hours for half a
/// year, days for two years. Each timeframe is rolled up from these, so that all of them agree.
package struct SimulatedHistory: Sendable {
    /// Final candles, ascending, and the open one of each timeframe.
    package struct Result: Sendable {
        package var candles: [(timeframe: Timeframe, candles: [Candle])]
        /// What the open bucket of each timeframe holds up to `end`.
        package var forming: [(timeframe: Timeframe, candle: Candle)]
        /// The last price.
        package var price: Double
        /// Where the history ends and the live market begins.
        package var end: Double
    }

    /// The time up to `end` of which candles are made in steps of `timeframe`.
    struct Segment: Equatable {
        var timeframe: Timeframe
        var start: Double
        var end: Double
    }

    /// A finished stretch before the generated one: candles that fill the open buckets at its end, oldest first.
    package struct Past: Sendable {
        package var candles: [Bar]
        /// Where it ends, a whole second.
        package var end: Double
        package var price: Double

        package init(candles: [Bar], end: Double, price: Double) {
            self.candles = candles
            self.end = end
            self.price = price
        }
    }

    /// The stretches that fill the buckets that are open at `end`, each time once: whole days of the month and week, whole
    /// hours of the day, and so on.
    package static func openStretches(at end: Double) -> [(timeframe: Timeframe, stretch: Range<Double>)] {
        let borders = [
            min(Timeframe.mo1.bucketStart(of: end), Timeframe.w1.bucketStart(of: end)),
            Timeframe.d1.bucketStart(of: end), Timeframe.h1.bucketStart(of: end), Timeframe.m1.bucketStart(of: end),
            end,
        ]
        return [Timeframe.d1, .h1, .m1, .s1].enumerated().map { ($1, borders[$0]..<borders[$0 + 1]) }
    }

    /// No history: a market that begins to trade at `end`.
    package static func none(price: Double, end: Double) -> Result {
        Result(candles: [], forming: [], price: price, end: end)
    }

    static let depths: [(timeframe: Timeframe, seconds: Double)] = [
        (.s1, 2 * 3600), (.m1, 14 * 86_400), (.h1, 180 * 86_400), (.d1, 730 * 86_400),
    ]

    /// The stretches between `start` and `end`, oldest and coarsest first; their borders are whole buckets of the
    /// coarser one.
    static func segments(from start: Double, to end: Double, finest: Timeframe = .s1) -> [Segment] {
        let depths = depths.filter { $0.timeframe.seconds >= finest.seconds }
        var segments: [Segment] = []
        var upper = end
        for (index, depth) in depths.enumerated() {
            // The next coarser stretch must end on one of its own buckets.
            let coarser = depths[min(index + 1, depths.count - 1)].timeframe
            let lower = max(start, coarser.bucketStart(of: max(start, end - depth.seconds)))
            if lower < upper { segments.insert(Segment(timeframe: depth.timeframe, start: lower, end: upper), at: 0) }
            upper = min(upper, lower)
            if upper <= start { break }
        }
        return segments
    }

    /// Makes a market's history up to `now`.
    /// - Parameters:
    ///   - past: what is already known; the walk goes on from its price. Without it the history is `depth` long and
    ///     ends at the market's own price.
    ///   - depth: seconds, two years by default.
    ///   - finest: the smallest steps: without seconds most of the work is saved, and there are no candles below it.
    ///   - tradesPerSecond: how often the market trades when live, which gives the volume.
    package static func make(
        for market: SimulatedMarket, past: Past? = nil, now: Double, depth: Double = 730 * 86_400,
        finest: Timeframe = .s1, seed: UInt64, tradesPerSecond: Double
    ) -> Result {
        let end = now.rounded(.down)
        var random = SeededGenerator(seed: seed ^ UInt64(market.price.bitPattern))
        let start = past?.end ?? end - depth
        var bars: [Bar] = []
        var walk = PriceWalk(price: past?.price ?? market.price, volatility: market.volatility)
        if start < end {
            for segment in segments(from: start, to: end, finest: finest) {
                append(segment, of: market, tradesPerSecond, to: &bars, walk: &walk, random: &random)
            }
        }
        if past == nil, walk.price > 0 {
            // The walk began at the market's price; scaled, it ends there.
            let scale = market.price / walk.price
            for index in bars.indices { bars[index].candle.scale(by: scale) }
        }
        for index in bars.indices { bars[index].candle.round(for: market) }
        return rollUp(past, bars, end: end, price: bars.last?.candle.close ?? walk.price)
    }

    private static func append(
        _ segment: Segment, of market: SimulatedMarket, _ tradesPerSecond: Double, to bars: inout [Bar],
        walk: inout PriceWalk, random: inout SeededGenerator
    ) {
        let steps = segment.timeframe == .s1 ? 3 : 12
        // Busy and quiet times last for minutes and hours, not for one bar.
        var activity = 1.0
        var start = segment.start
        while start < segment.end {
            let end = min(
                segment.end, segment.timeframe.bucketEnd(ofBucketAt: segment.timeframe.bucketStart(of: start)))
            var candle = Candle(
                timestamp: start, open: walk.price, high: walk.price, low: walk.price, close: walk.price, volume: 0)
            for _ in 0..<steps {
                walk.step(seconds: (end - start) / Double(steps), random: &random)
                candle.high = max(candle.high, walk.price)
                candle.low = min(candle.low, walk.price)
            }
            candle.close = walk.price
            // As much as the live market trades on average, and more of it when the price moves.
            let move = (candle.high - candle.low) / candle.open / market.volatility
            let average = market.usualQuantity * SimulatedMarket.meanTradeSize * tradesPerSecond * (end - start)
            activity += 0.3 * min(1, (end - start) / 60).squareRoot() * random.signedUnit()
            activity = min(1.9, max(0.25, activity))
            candle.volume = average * activity * (0.5 + random.unit()) * (0.8 + min(2, move * 0.1))
            bars.append(
                Bar(timeframe: segment.timeframe, candle: candle, isFinal: true, revision: 0, quality: .complete))
            start = end
        }
    }

    private static func rollUp(_ past: Past?, _ bars: [Bar], end: Double, price: Double) -> Result {
        let known = past?.end ?? -.infinity
        var result = Result(candles: [], forming: [], price: price, end: end)
        for timeframe in Timeframe.allCases {
            var rollup = CandleRollup(to: timeframe)
            var finished: [Candle] = []
            for bar in past?.candles ?? [] where timeframe.isMadeOf(bar.timeframe) { _ = rollup.add(bar.candle) }
            for bar in bars where timeframe.isMadeOf(bar.timeframe) {
                // A bucket that ended before the pause is final already.
                if let done = rollup.add(bar.candle), timeframe.bucketEnd(ofBucketAt: done.timestamp) > known {
                    finished.append(done)
                }
            }
            if let forming = rollup.forming {
                if timeframe.bucketEnd(ofBucketAt: forming.timestamp) <= end {
                    if !bars.isEmpty { finished.append(forming) }
                } else {
                    result.forming.append((timeframe, forming))
                }
            }
            result.candles.append((timeframe, finished))
        }
        return result
    }
}

extension SimulatedHistory.Result {
    /// What a history that goes on at `end` has to know of this one.
    /// - Parameter earlier: what this one went on from.
    package func past(after earlier: SimulatedHistory.Past?) -> SimulatedHistory.Past {
        var bars: [Bar] = []
        for (timeframe, stretch) in SimulatedHistory.openStretches(at: end) {
            let made = candles.first { $0.timeframe == timeframe }?.candles ?? []
            let first = made.first?.timestamp ?? .infinity
            bars += (earlier?.candles ?? []).filter {
                $0.timeframe == timeframe && $0.candle.timestamp < first && stretch.contains($0.candle.timestamp)
            }
            bars += made.filter { stretch.contains($0.timestamp) }.map {
                Bar(timeframe: timeframe, candle: $0, isFinal: true, revision: 0, quality: .complete)
            }
        }
        return SimulatedHistory.Past(candles: bars, end: end, price: price)
    }

    /// Puts what follows behind this.
    package mutating func append(_ later: SimulatedHistory.Result) {
        for (index, entry) in later.candles.enumerated() { candles[index].candles += entry.candles }
        forming = later.forming
        price = later.price
        end = later.end
    }
}

extension Candle {
    fileprivate mutating func scale(by factor: Double) {
        open *= factor
        high *= factor
        low *= factor
        close *= factor
    }

    fileprivate mutating func round(for market: SimulatedMarket) {
        let decimals = market.market.precision
        open = open.rounded(decimals: decimals)
        high = high.rounded(decimals: decimals)
        low = low.rounded(decimals: decimals)
        close = close.rounded(decimals: decimals)
        volume = volume.rounded(decimals: market.quantityDecimals)
    }
}
