extension TickAggregator {
    /// When the open bucket of a wanted timeframe began, whether or not anything has traded in it.
    public func openStart(of timeframe: Timeframe) -> Double? {
        let level = timeframe == base.timeframe ? base : levels.first { $0.timeframe == timeframe }
        return level.flatMap { $0.isWanted && !$0.start.isNaN ? $0.start : nil }
    }

    /// Another source knows everything up to `time`, also that nothing traded: bars that are over by then end without
    /// waiting for the next tick, and ticks from before are rejected as `.late`, because that source has them.
    ///
    /// ```swift
    /// aggregator.closeBars(until: minutes.upperBound) { bar in store(bar) }
    /// aggregator.join(candles, of: .m1, coverage: minutes.lowerBound)
    /// ```
    /// - Parameters:
    ///   - time: the start of a bucket, seconds since 1970 UTC.
    ///   - emit: receives the bars that became final.
    public mutating func closeBars(until time: Double, emit: (Bar) -> Void) {
        guard time.isFinite else { return }
        if time > seededFrom { seededFrom = time }
        // Before the first tick it is unknown whether the bars that open now will be whole.
        let known = coverageStart
        if known.isNaN { coverageStart = .infinity }
        if base.start.isNaN {
            begin(at: time, emit: emit)
        } else if time >= base.end {
            roll(to: time, emit: emit)
        }
        coverageStart = known
    }

    /// Says what the open bars coarser than `timeframe` hold from before its open bucket: finished candles of another
    /// source, which saw what was missed here. What traded since then is kept.
    ///
    /// ```swift
    /// aggregator.join(minutes, of: .m1)      // the open hour: these minutes of it, and the open minute as built here
    /// ```
    /// - Parameters:
    ///   - candles: ascending; those outside an open bucket are not looked at. An open bucket is taken to be covered from
    ///     its start on where `coverage` lies before it; others stay as they are.
    ///   - coverage: from where on the candles are all there are, seconds since 1970 UTC.
    /// - Returns: the timeframes whose open bars were rebuilt.
    @discardableResult
    public mutating func join(_ candles: some Collection<Candle>, of timeframe: Timeframe, coverage: Double)
        -> [Timeframe]
    {
        guard !base.start.isNaN else { return [] }
        let isBase = timeframe == base.timeframe
        guard let own = isBase ? base : levels.first(where: { $0.timeframe == timeframe }), !own.start.isNaN else {
            return []
        }
        var joined: [Timeframe] = []
        for index in levels.indices {
            let level = levels[index]
            guard level.timeframe.index > timeframe.index, level.timeframe.isMadeOf(timeframe), !level.start.isNaN,
                level.start >= coverage, level.start < own.start
            else { continue }
            var ticks = BarAccumulator()
            for candle in candles
            where candle.isWellFormed && candle.timestamp >= level.start && candle.timestamp < own.start {
                ticks.add(BarAccumulator(candle))
            }
            // On the base level the open bucket's ticks are added when they are read.
            if !isBase { ticks.add(own.ticks) }
            levels[index].ticks = ticks
            levels[index].isPartial = own.isPartial
            levels[index].sawGap = own.sawGap
            joined.append(level.timeframe)
        }
        return joined
    }
}
