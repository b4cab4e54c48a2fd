internal import MarketModel

/// From the data on screen to the scales of the panes.
extension ChartView {
    /// Brings `frame` up to date with data, viewport and settings.
    mutating func layOut() {
        let visible = visibleBars
        let before = max(0, visible.lowerBound - 1)
        let scaled = visible.isEmpty && timeScaleKind == .time && before < count ? before..<before + 1 : visible
        let spacing = viewport.barSpacing * layout.ratio
        let extremes = pyramid.extremes(series, scaled)
        frame.visible = visible
        frame.scaled = scaled
        frame.volumeTop = extremes.maxVolume
        frame.candle = CandleGeometry(spacing: spacing, ratio: layout.ratio)
        frame.scales.removeAll(keepingCapacity: true)
        frame.digits.removeAll(keepingCapacity: true)
        while frame.ticks.count > panes.count { frame.ticks.removeLast() }
        while frame.ticks.count < panes.count { frame.ticks.append(AxisTicks()) }
        for pane in 0..<panes.count {
            let scale = pane == 0 ? priceScale(extremes) : lowerScale(pane, extremes)
            frame.scales.append(scale)
            frame.digits.append(pane == 0 ? precision : ValueRange(low: scale.low, high: scale.high).digits)
            let place = layout.panes[pane]
            let distance = (pane == 0 ? 46 : 34) * layout.ratio * max(1, layout.fontScale)
            if scaled.isEmpty {
                frame.ticks[pane].clear()
            } else {
                frame.ticks[pane].update(
                    scale, top: place.top, bottom: place.bottom, distance: distance,
                    instrument: pane == 0 ? instrument : nil)
                for study in studies where study.pane == pane && pane > 0 && study.isVisible {
                    for guide in study.guides { frame.ticks[pane].add(level: guide, scale, size: layout.axisFont) }
                }
            }
        }
    }

    private mutating func priceScale(_ extremes: CandleExtremes) -> PriceScale {
        let visible = frame.scaled
        let base = firstCommonBar
        let reference = visible.isEmpty ? 1 : series.close(at: base)
        let place = layout.panes[0]
        let hasVolume = extremes.maxVolume > 0 && volume == .price
        var range = ValueRange(low: extremes.low, high: extremes.high)
        if visible.isEmpty { range = ValueRange(low: 0, high: 0) } else { addStudies(ofPane: 0, to: &range) }
        addComparisons(base, reference, to: &range)
        return PriceScale(
            panes[0].scale, low: range.low, high: range.high, padding: Self.padding, tickSize: instrument.step,
            reference: reference, top: place.valueTop,
            bottom: hasVolume ? max(place.valueTop, place.bottom - layout.volumeHeight) : place.bottom)
    }

    private func lowerScale(_ pane: Int, _ extremes: CandleExtremes) -> PriceScale {
        let place = layout.panes[pane]
        var range = ValueRange()
        if panes[pane].hasVolume {
            // Volume stands on the pane's bottom.
            range = ValueRange(low: 0, high: max(extremes.maxVolume, 1e-9))
        }
        var isFixed = panes[pane].hasVolume
        for study in studies where study.pane == pane && study.isVisible {
            guard let fixed = study.fixedRange else { continue }
            range.add(fixed.lowerBound)
            range.add(fixed.upperBound)
            isFixed = true
        }
        addStudies(ofPane: pane, to: &range)
        if range.isEmpty { range = ValueRange(low: 0, high: 1) }
        return PriceScale(
            panes[pane].scale, low: range.low, high: range.high, padding: isFixed ? 0 : Self.padding,
            tickSize: (range.high - range.low) * 1e-6, top: place.valueTop, bottom: place.bottom)
    }

    /// The bar that relative prices are measured from: the first one on screen that all comparisons have.
    private var firstCommonBar: Int {
        var base = frame.scaled.lowerBound
        for other in comparisons where other.isVisible {
            if let first = other.closes.firstPrice(in: frame.scaled) { base = max(base, first) }
        }
        return base
    }

    /// But on a linear scale, each comparison is where the chart's own price is at one and the same bar.
    private mutating func addComparisons(_ base: Int, _ reference: Double, to range: inout ValueRange) {
        frame.factors.removeAll(keepingCapacity: true)
        for other in comparisons {
            // One that had ended by then begins with its own first price.
            var first = other.closes.value(at: base)
            if !(first > 0) { first = other.closes.firstPrice(in: frame.scaled).map(other.closes.value) ?? .nan }
            let factor = panes[0].scale.kind != .linear && first > 0 ? reference / first : 1
            frame.factors.append(factor)
            guard other.isVisible else { continue }
            var own = ValueRange()
            other.closes.withValues { own.add($0, frame.scaled) }
            guard !own.isEmpty else { continue }
            range.add(own.low * factor)
            range.add(own.high * factor)
        }
    }

    private func addStudies(ofPane pane: Int, to range: inout ValueRange) {
        let indices = visibleIndices
        for index in 0..<studies.count where studies[index].pane == pane && studies[index].isVisible {
            range.add(studies[index], indices)
            // Far away guides would make a line of what moves between them.
            if pane > 0, studies[index].fixedRange == nil, !range.isEmpty { range.addNear(studies[index].guides) }
        }
    }

    /// Share of the price range that stays free above and below it.
    static let padding = 0.05
}
