internal import MarketModel

/// From the data on screen to the scales of the panes.
extension ChartView {
    /// Brings `frame` up to date with data, viewport and settings.
    mutating func layOut() {
        let visible = viewport.visibleBars(count: count, plotWidth: plotWidth)
        let spacing = viewport.barSpacing * layout.ratio
        let extremes = VisibleExtremes(pyramid, series, visible)
        frame.visible = visible
        frame.volumeTop = extremes.volume
        frame.candle = CandleGeometry(spacing: spacing, ratio: layout.ratio)
        while frame.scales.count > panes.count { frame.scales.removeLast() }
        while frame.ticks.count > panes.count { frame.ticks.removeLast() }
        while frame.ticks.count < panes.count { frame.ticks.append(AxisTicks()) }
        for pane in 0..<panes.count {
            let scale = pane == 0 ? priceScale(extremes) : lowerScale(pane, extremes)
            if pane < frame.scales.count { frame.scales[pane] = scale } else { frame.scales.append(scale) }
            let place = layout.panes[pane]
            let distance = (pane == 0 ? 46 : 34) * layout.ratio * max(1, layout.fontScale)
            if visible.isEmpty {
                frame.ticks[pane].clear()
            } else {
                frame.ticks[pane].update(
                    scale, top: place.top, bottom: place.bottom, distance: distance,
                    instrument: pane == 0 ? instrument : nil)
            }
        }
    }

    private func priceScale(_ extremes: VisibleExtremes) -> PriceScale {
        let visible = frame.visible
        let place = layout.panes[0]
        let hasVolume = extremes.volume > 0 && volume == .price
        return PriceScale(
            panes[0].scale, low: visible.isEmpty ? 0 : extremes.low, high: visible.isEmpty ? 0 : extremes.high,
            padding: Self.padding, tickSize: instrument.step,
            reference: visible.isEmpty ? 1 : series.close(at: visible.lowerBound), top: place.valueTop,
            bottom: hasVolume ? max(place.valueTop, place.bottom - layout.volumeHeight) : place.bottom)
    }

    private func lowerScale(_ pane: Int, _ extremes: VisibleExtremes) -> PriceScale {
        let place = layout.panes[pane]
        // Volume stands on the pane's bottom.
        return PriceScale(
            panes[pane].scale, low: 0, high: max(extremes.volume, 1e-9), padding: 0, tickSize: 1e-12,
            top: place.valueTop, bottom: place.bottom)
    }

    /// Share of the price range that stays free above and below it.
    static let padding = 0.05
}
