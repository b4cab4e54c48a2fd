public import MarketModel

/// What a tick changed.
public struct TickChange: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A bar that was there has other values, or is drawn for the first time.
    public static let updated = TickChange(rawValue: 1)
    /// A bar was completed and the next one begun.
    public static let appended = TickChange(rawValue: 2)
}

extension ChartView {
    /// Replaces the bars. Malformed candles are left out; the order does not matter. Ticks continue the newest bar.
    /// - Parameter keepViewport: stay at the times on screen (a following view goes on following); otherwise go to the
    ///   newest bar. A view at the newest bar that was never zoomed spreads few bars as `fit` does.
    /// - Returns: the number of bars.
    @discardableResult
    public mutating func setData(_ candles: some Collection<Candle>, keepViewport: Bool = false) -> Int {
        var bars = beginData(expecting: candles.count, keepViewport: keepViewport)
        for candle in candles { bars.add(candle) }
        return finishData(bars)
    }

    /// Puts older bars in front; what is on screen does not move. Bars that are not older than the oldest one are left
    /// out. At the capacity, bars go out at the other end, as far as they are off screen: see `pagedOut`.
    /// - Returns: how many bars were added.
    /// - Complexity: O(candles), amortised over all bars that are put in front; O(bars) at the capacity.
    @discardableResult public mutating func prepend(_ candles: some Collection<Candle>) -> Int {
        guard !series.isEmpty else { return setData(candles) }
        pageOutNewest(for: candles)
        let added = changeSeries { $0.prepend(candles) }
        guard added > 0 else { return 0 }
        pagedOut.older = max(0, pagedOut.older - added)
        barsChanged(.prepended(added))
        // The bars keep their distance, or what is on screen would move.
        viewport.isSpreading = false
        shiftIndices(by: added, from: 0)
        // Only upwards: bars that went out at the other end may come back, and the axis shall not breathe.
        raiseCeiling(to: pyramid.extremes(series, 0..<added).high)
        return added
    }

    /// Places one candle by its timestamp. The newest bar is also where ticks continue.
    /// - Parameter final: the bar will not change by ticks any more; later ticks that lie in it are ignored.
    @discardableResult public mutating func place(_ candle: Candle, final: Bool) -> PlaceResult {
        let result = insert(candle)
        if case .rejected = result { return result }
        if let newest = pagedOut.newest ?? series.last, newest.timestamp == candle.timestamp {
            reseedBuilder()
            if final {
                finalUntil = timeframe.bucketEnd(ofBucketAt: Calendar.time(candle.timestamp))
            }
        }
        return result
    }

    /// Ingests one trade; the bars it changes come from the `OHLCBuilder`.
    @discardableResult public mutating func ingest(_ tick: Tick) -> TickChange {
        // The year 10,000 is past any market's clock, and past what the calendar computes.
        guard tick.timestamp >= finalUntil, tick.timestamp == Calendar.time(tick.timestamp) else { return [] }
        let result = builder.ingest(tick)
        var change: TickChange = []
        // A bar that was placed as final came from who knows better than the builder.
        if let candle = result.appended {
            if candle.timestamp >= finalUntil { insert(candle) }
            change.insert(.appended)
        }
        if let candle = result.updated {
            insert(candle)
            change.insert(.updated)
        }
        return change
    }

    /// The number of bars.
    public var count: Int { series.count }

    /// The bar at `index`, `nil` outside of the series.
    public func bar(at index: Int) -> Candle? { index >= 0 && index < count ? series[index] : nil }

    /// Whether the view comes within 50 bars of the oldest one, so that older history should be fetched.
    public var needsHistory: Bool {
        !series.isEmpty && slots.index(of: viewport.index(atX: 0, plotWidth: plotWidth)) < Double(Self.nearBars)
    }

    /// Places a candle and keeps the view where it was, or on the newest bar.
    @discardableResult private mutating func insert(_ candle: Candle) -> PlaceResult {
        if let result = placeUnseen(candle) { return result }
        let before = count
        let newest = series.last?.timestamp
        let result = changeSeries { $0.place(candle) }
        guard result == .applied else {
            if result == .merged {
                barsChanged(.corrected(index: series.firstIndex(notBefore: candle.timestamp)))
                raiseCeiling(to: candle.high)
            }
            return result
        }
        // A series at its cap gave its oldest bar for the new one.
        barsChanged(
            .from(index: series.firstIndex(notBefore: candle.timestamp), dropped: before > 0 && count == before ? 1 : 0)
        )
        if before == 0 {
            viewport.start(reach, plotWidth: plotWidth)
        } else if count == before {
            // The capacity dropped the oldest bar: all indices are one less.
            pagedOut.older += 1
            let isFollowing = viewport.isFollowing
            shiftIndices(by: -1, from: 0)
            if let newest, candle.timestamp > newest {
                // The new bar is off screen until the view goes on to it, which is no reason to stay behind.
                viewport.isFollowing = isFollowing
                appendedBar(after: newest)
            }
        } else if let newest, candle.timestamp > newest {
            appendedBar(after: newest)
        } else {
            shiftIndices(by: 1, from: series.firstIndex(notBefore: candle.timestamp))
        }
        raiseCeiling(to: candle.high)
        return result
    }

    private mutating func appendedBar(after time: Double) {
        guard viewport.isFollowing else { return }
        let slots = slots
        viewport.right += timeScaleKind == .bars ? 1 : slots.slot(count - 1) - slots.slot(ofTime: time)
        viewport.spread(reach, plotWidth: plotWidth)
        viewport.clamp(to: reach, plotWidth: plotWidth)
    }

    /// Bars from `index` on have moved by `bars`: the view and the crosshair move with them. A view in time is where it
    /// was.
    mutating func shiftIndices(by bars: Int, from index: Int) {
        if timeScaleKind == .time {
            viewport.clamp(to: reach, plotWidth: plotWidth)
        } else if viewport.right >= Double(index) {
            viewport.right += Double(bars)
            viewport.clamp(to: reach, plotWidth: plotWidth)
        }
        crosshair.shift(by: bars, from: index)
    }

    mutating func reseedBuilder() {
        builder.reset()
        // Past the year 9999 the calendar has no buckets to continue.
        guard let last = pagedOut.newest ?? series.last else { return }
        if last.timestamp == Calendar.time(last.timestamp) { builder.seed(with: last) }
    }
}
