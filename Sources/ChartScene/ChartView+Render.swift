internal import MarketModel

extension ChartView {
    /// Draws the chart. The list is emptied first and keeps its storage: a frame no larger than an earlier one
    /// allocates nothing.
    /// - Complexity: O(visible bars), at most one shape a pixel column where bars are closer than pixels.
    public mutating func render(into list: inout DisplayList) {
        list.removeAll()
        guard !size.isEmpty else { return }
        let scene = makeScene()
        let layout = scene.layout
        scratch.timeTicks.update(
            series: series, timeframe: timeframe, visible: viewport.visibleIndices(plotWidth: plotWidth),
            spacing: viewport.barSpacing, distance: size.width < Layout.narrow ? 70 : 90)
        let prices = priceTicks(scene)
        if scene.candle == nil { PixelColumns.gather(series, scene.visible, scene.time, into: &scratch.columns) }

        GridLayer.draw(scene, scratch, prices, into: &list)
        list.clip(x: 0, y: 0, width: layout.plotWidth, height: layout.plotHeight)
        VolumeLayer.draw(scene, scratch, into: &list)
        CandleLayer.draw(scene, scratch, into: &list)
        LastPriceLayer.drawLine(scene, into: &list)
        CrosshairLayer.drawLines(scene, into: &list)
        LegendLayer.draw(scene, &scratch, into: &list)
        list.unclip()
        AxisLayer.draw(scene, &scratch, prices, into: &list)
        LastPriceLayer.drawLabel(scene, &scratch, into: &list)
        CrosshairLayer.drawLabels(scene, &scratch, into: &list)
    }

    private func makeScene() -> Scene {
        let visible = viewport.visibleBars(count: count, plotWidth: plotWidth)
        let spacing = viewport.barSpacing * layout.ratio
        let extremes = VisibleExtremes(series, visible)
        let price = PriceScale(
            low: visible.isEmpty ? 0 : extremes.low, high: visible.isEmpty ? 0 : extremes.high, padding: 0.06,
            tickSize: 1 / powerOfTen(precision), top: layout.priceTop,
            bottom: extremes.volume > 0 ? layout.priceBottom : layout.plotHeight)
        return Scene(
            series: series, timeframe: timeframe, precision: precision, symbol: symbol, theme: theme, layout: layout,
            time: TimeScale(plotWidth: layout.plotWidth, right: viewport.right, spacing: spacing), price: price,
            visible: visible, volumeTop: extremes.volume,
            candle: CandleGeometry(spacing: spacing, ratio: layout.ratio), crosshair: crosshairPosition(price))
    }

    /// Round prices over the whole plot, labels at least 46 CSS pixels apart.
    private func priceTicks(_ scene: Scene) -> PriceTicks {
        guard !scene.visible.isEmpty, scene.price.scale > 0 else {
            return PriceTicks(low: 1, high: 0, smallestStep: 1, precision: precision)
        }
        return PriceTicks(
            low: scene.price.price(at: layout.plotHeight), high: scene.price.price(at: 0),
            smallestStep: 46 * layout.ratio / scene.price.scale, precision: precision)
    }

    private func crosshairPosition(_ price: PriceScale) -> CrosshairPosition? {
        guard let index = crosshairIndex else { return nil }
        let bar = index >= 0 && index < count ? index : nil
        switch crosshair {
        case .off:
            return nil
        case .bar:
            return CrosshairPosition(index: index, bar: bar, y: bar.map { price.y(series.close(at: $0)) })
        case .pointer(_, let y):
            let pixel = y * layout.ratio
            return CrosshairPosition(index: index, bar: bar, y: pixel >= 0 && pixel < layout.plotHeight ? pixel : nil)
        }
    }
}
