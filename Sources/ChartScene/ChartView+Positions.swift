internal import MarketModel

/// A place of the chart in the units of the market.
public struct ChartPosition: Sendable, Equatable {
    /// The pane, 0 the price.
    public var pane: Int
    /// The index, between bars and beyond them too.
    public var index: Double
    /// Seconds since 1970 UTC; between two bars in proportion, beyond them as if bars went on.
    public var time: Double
    /// The value on the pane's scale: of the price pane a price, also where its axis shows percent.
    public var value: Double
}

/// Between the screen and the market. Positions are CSS pixels from the chart's top left.
extension ChartView {
    /// What lies under a pixel; `nil` beside the panes and without bars.
    public mutating func position(x: Double, y: Double) -> ChartPosition? {
        guard !series.isEmpty, !size.isEmpty, x >= 0, x <= plotWidth, let pane = layout.pane(at: y * layout.ratio)
        else { return nil }
        refreshScales()
        let index = slots.index(of: viewport.index(atX: x, plotWidth: plotWidth))
        return ChartPosition(
            pane: pane, index: index, time: time(atIndex: index), value: frame.scales[pane].price(at: y * layout.ratio))
    }

    /// Where a time and a price of the price pane are, also off the screen; `nil` without bars or for numbers that are
    /// none.
    public mutating func point(time: Double, price: Double) -> (x: Double, y: Double)? {
        guard !series.isEmpty, !size.isEmpty, time.isFinite, price.isFinite else { return nil }
        refreshScales()
        return (
            viewport.x(ofIndex: slots.slot(at: index(atTime: time)), plotWidth: plotWidth),
            frame.scales[0].y(price) / layout.ratio
        )
    }

    /// The scales are those of the last frame; calls since then may have changed them.
    mutating func refreshScales() { if pendingRedraw.touchesBase, !size.isEmpty { layOut() } }

    /// The time of an index, between bars and beyond them too; 0 without bars.
    public func time(atIndex index: Double) -> Double {
        index.isFinite ? series.time(ofPosition: index, timeframe) : 0
    }

    /// The index of a time, between bars and beyond them too; 0 without bars.
    public func index(atTime time: Double) -> Double {
        guard !series.isEmpty, time.isFinite else { return 0 }
        let after = series.index(notBefore: Calendar.time(time), timeframe)
        let dated = series.datedIndices(timeframe)
        guard dated.contains(after), dated.contains(after - 1) else { return Double(after) }
        let end = series.time(at: after, timeframe)
        let start = series.time(at: after - 1, timeframe)
        guard end > time, end > start else { return Double(after) }
        return Double(after) - (end - time) / (end - start)
    }
}
