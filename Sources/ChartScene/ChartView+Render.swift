internal import MarketModel

extension ChartView {
    /// Draws what changed since the last call. Both lists keep their storage: a frame no larger than an earlier one
    /// allocates nothing.
    ///
    /// `base` is what stands still while a pointer moves; `overlay` is drawn over it: drawings, orders, the crosshair, the
    /// legends and the tags on the price axis.
    /// A page that paints them on two canvases repaints only the upper one when the pointer moves.
    /// - Returns: how much was drawn.
    /// - Complexity: O(1) for a crosshair; otherwise O(pixels × log bars), with at most a few shapes a pixel column.
    @discardableResult public mutating func draw() -> RedrawLevel {
        let level = pendingRedraw
        guard level > .none else { return .none }
        pendingRedraw = .none
        scratch.widestLabel = 0
        if level.touchesBase { encodeBase() }
        encodeOverlay()
        guard scratch.widestLabel > axisWidth, layout.hasPriceAxis else { return level }
        // A label that the axis has no room for. The axis becomes wider and stays so, so that its width does not change back and forth.
        axisWidth = scratch.widestLabel
        updateLayout()
        pendingRedraw = .none
        encodeBase()
        encodeOverlay()
        return .everything
    }

    /// Draws the chart as one list, base and overlay. The list is emptied first and keeps its storage.
    public mutating func render(into list: inout DisplayList) {
        draw()
        list.removeAll()
        list.append(base)
        list.append(overlay)
    }

    /// Where the legend names studies and compared symbols, as `draw` left it; hidden ones, too.
    public var legendRows: [LegendRow] { scratch.legendRows }

    private mutating func encodeBase() {
        base.removeAll()
        guard !size.isEmpty else { return }
        layOut()
        let scene = makeScene(crosshair: nil)
        let layout = scene.layout
        updateTimeTicks()
        if scene.candle == nil {
            PixelColumns.gather(pyramid, series, scene.visible, scene.time, into: &scratch.columns)
        }

        scene.drawGrid(scratch, into: &base)
        for pane in 0..<panes.count {
            let place = layout.panes[pane]
            base.clip(x: 0, y: place.top, width: layout.plotWidth, height: place.height)
            if pane == 0 {
                scene.drawFeed(objects, &scratch.text, into: &base)
                if volume == .price { scene.drawVolume(scratch, pane: 0, into: &base) }
                scene.drawSeries(&scratch, into: &base)
                scene.drawComparisons(&scratch, into: &base)
                scene.drawStudies(&scratch, pane: 0, into: &base)
                scene.drawLastPriceLine(into: &base)
                scene.drawPriceLines(objects, &scratch.text, into: &base)
                scene.drawMarkers(objects, &scratch.text, into: &base)
            } else if panes[pane].hasVolume {
                scene.drawVolume(scratch, pane: pane, into: &base)
            }
            if pane > 0 { scene.drawStudies(&scratch, pane: pane, into: &base) }
        }
        base.unclip()
        scene.drawAxes(&scratch, into: &base)
        scene.drawNewestTag(&scratch, into: &base)
    }

    private mutating func encodeOverlay() {
        overlay.removeAll()
        guard !size.isEmpty else { return }
        let scene = makeScene(crosshair: crosshairPosition())
        let layout = scene.layout
        overlay.clip(x: 0, y: 0, width: layout.plotWidth, height: layout.plotHeight)
        scene.drawDrawings(board, &scratch.text, into: &overlay)
        scene.drawOrders(objects, &scratch, into: &overlay)
        scene.drawCrosshairLines(into: &overlay)
        scene.drawLegends(&scratch, into: &overlay)
        overlay.unclip()
        scene.drawTags(objects, board, &scratch, into: &overlay)
        scene.drawCrosshairLabels(&scratch, into: &overlay)
    }

    private func makeScene(crosshair: CrosshairPosition?) -> Scene {
        Scene(
            series: series, newest: pagedOut.newest ?? series.last, kind: kind, baseline: baseline,
            heikinAshi: heikinAshi, timeframe: timeframe,
            instrument: instrument, symbol: symbol, theme: theme,
            layout: layout, panes: panes, studies: studies, comparisons: comparisons, time: timeScale,
            indices: visibleIndices, frame: frame, crosshair: crosshair, clock: clock)
    }

    /// Bar indices to device pixels, as the view is now.
    var timeScale: TimeScale {
        TimeScale(
            plotWidth: layout.plotWidth, right: viewport.right, spacing: viewport.barSpacing * layout.ratio,
            slots: slots)
    }

    private func crosshairPosition() -> CrosshairPosition? {
        guard let index = crosshairIndex else { return nil }
        let bar = index >= 0 && index < count ? index : nil
        switch crosshair {
        case .off: return nil
        case .bar:
            return CrosshairPosition(
                index: index, bar: bar, pane: 0, y: bar.map { frame.scales[0].y(series.close(at: $0)) })
        case .pointer(_, let y):
            let pixel = y * layout.ratio
            let pane = layout.pane(at: pixel)
            return CrosshairPosition(index: index, bar: bar, pane: pane ?? 0, y: pane == nil ? nil : pixel)
        }
    }
}
