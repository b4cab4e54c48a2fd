internal import MarketModel

/// A place in the picture, in device pixels.
struct DrawingPoint: Equatable, Sendable {
    var x: Double
    var y: Double
}

/// Where anchors are on screen, and what is under a pixel: one frame's scales.
struct DrawingSpace {
    let series: CandleSeries
    let timeframe: Timeframe
    let instrument: Instrument
    let time: TimeScale
    let price: PriceScale
    let layout: Layout

    /// The pane of the price.
    var width: Double { layout.plotWidth }
    var top: Double { layout.price.top }
    var bottom: Double { layout.price.bottom }

    /// - Complexity: O(log bars)
    func point(_ anchor: DrawingAnchor) -> DrawingPoint {
        DrawingPoint(x: time.x(series.position(of: anchor.time, timeframe)), y: price.y(anchor.price))
    }

    /// The place under a pixel, on the nearest bar or where one would be.
    func anchor(_ point: DrawingPoint, _ magnet: Magnet) -> DrawingAnchor {
        let index = bar(at: point.x)
        let limit = 1e15
        let price = self.price(at: point.y, bar: index, magnet)
        return DrawingAnchor(
            time: Calendar.time(series.time(at: index, timeframe)), price: min(max(price, -limit), limit))
    }

    /// The index of the nearest bar, or of where one would be, as far as the calendar goes.
    func bar(at x: Double) -> Int {
        let dated = series.datedIndices(timeframe)
        let index = integer((time.index(at: x) + 0.5).rounded(.down), in: -1_000_000_000...1_000_000_000)
        return min(max(index, dated.lowerBound), max(dated.lowerBound, dated.upperBound - 1))
    }
}

extension CandleSeries {
    /// Where a time lies among the bars: their index, fractions between two of them, and on beyond the ends as if bars
    /// went on there.
    /// - Complexity: O(log bars)
    func position(of time: Double, _ timeframe: Timeframe) -> Double {
        let dated = datedIndices(timeframe)
        guard !dated.isEmpty else { return 0 }
        let next = min(max(index(notBefore: time, timeframe), dated.lowerBound), dated.upperBound - 1)
        let after = self.time(at: next, timeframe)
        guard after > time, next > dated.lowerBound else { return Double(next) }
        let before = self.time(at: next - 1, timeframe)
        guard after > before else { return Double(next) }
        return Double(next) - min(max((after - time) / (after - before), 0), 1)
    }
}

extension CandleSeries {
    /// The time of a place among the bars: the argument of `position(of:)`.
    func time(ofPosition position: Double, _ timeframe: Timeframe) -> Double {
        let dated = datedIndices(timeframe)
        guard !dated.isEmpty else { return 0 }
        let last = dated.upperBound - 1
        let before = integer(position.rounded(.down), in: dated.lowerBound...last)
        let start = time(at: before, timeframe)
        guard before < last, position > Double(before) else { return Calendar.time(start) }
        let end = time(at: before + 1, timeframe)
        return Calendar.time(start + (end - start) * min(position - Double(before), 1))
    }
}
