package import MarketModel

/// Bars on their way into a chart, for those who have them in pieces: a million candles need no second copy in memory.
///
/// ```swift
/// var bars = chart.beginData(expecting: rows)
/// for row in 0..<rows { bars.add(candle(row)) }
/// chart.finishData(bars)
/// ```
package struct ChartImport: Sendable {
    var candles: CandleImport
    /// The time at the right edge, if the view shall stay there.
    let anchor: (timestamp: Double, offset: Double)?
    /// CSS pixels from the newest bar to the right edge, if the view shall go on following.
    let margin: Double?
    let wasEmpty: Bool

    /// Candles may come in any order; malformed ones are left out, of equal timestamps the last one wins.
    /// - Complexity: O(1)
    @inline(__always)
    package mutating func add(_ candle: Candle) { candles.add(candle) }
}

extension ChartView {
    /// Replaces the bars, which come one by one. The chart has none until `finishData`.
    /// - Parameters:
    ///   - expected: about how many will come; 0 where that is unknown.
    ///   - keepViewport: as in `setData`.
    package mutating func beginData(expecting expected: Int = 0, keepViewport: Bool = false) -> ChartImport {
        let follows = keepViewport && viewport.isFollowing && !series.isEmpty
        let anchor = keepViewport ? viewportAnchor : nil
        let margin = follows ? (viewport.right - reach.newest) * viewport.barSpacing : nil
        let wasEmpty = series.isEmpty
        let storage = changeSeries { $0.drain() }
        barsChanged(.all)
        return ChartImport(
            candles: CandleImport(into: storage, expecting: expected), anchor: anchor, margin: margin,
            wasEmpty: wasEmpty)
    }

    /// Shows what was added since `beginData`.
    /// - Returns: the number of bars.
    /// - Complexity: O(bars)
    @discardableResult package mutating func finishData(_ bars: consuming ChartImport) -> Int {
        let (anchor, margin, wasEmpty) = (bars.anchor, bars.margin, bars.wasEmpty)
        let accepted = bars.candles.accepted
        let filled = bars.candles.finish()
        changeSeries { $0 = filled }
        pagedOut = PagedOut()
        // Of those with the same timestamp only one was kept: at the cap this is more than went, never less.
        if count == series.capacity { pagedOut.older = accepted - count }
        barsChanged(.all)
        finalUntil = 0
        crosshair.forgetBar()
        reseedBuilder()
        resetCeiling()
        if let margin {
            viewport.right = reach.newest + margin / viewport.barSpacing
            viewport.spread(reach, plotWidth: plotWidth)
            viewport.clamp(to: reach, plotWidth: plotWidth)
        } else if let anchor, !series.isEmpty {
            if timeScaleKind == .bars {
                viewport.right = Double(series.firstIndex(notBefore: anchor.timestamp)) + anchor.offset
            }
            viewport.clamp(to: reach, plotWidth: plotWidth)
        } else if wasEmpty || !viewport.isZoomed {
            viewport.start(reach, plotWidth: plotWidth)
        } else {
            followLive()
        }
        return count
    }

    /// Another cap on the number of bars. Where there are more, the oldest go.
    public mutating func setCapacity(_ bars: Int) {
        let dropped = max(0, count - max(1, bars))
        changeSeries { $0.setCapacity(bars) }
        guard dropped > 0 else { return }
        pagedOut.older += dropped
        barsChanged(.from(index: count, dropped: dropped))
        shiftIndices(by: -dropped, from: 0)
    }

    /// The time at the right edge: a bar there and the fraction of a bar beyond it.
    private var viewportAnchor: (timestamp: Double, offset: Double)? {
        guard !series.isEmpty else { return nil }
        let index = integer(viewport.right, in: 0...count - 1)
        return (series.timestamp(at: index), viewport.right - Double(index))
    }
}
