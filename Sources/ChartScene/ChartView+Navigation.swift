internal import MarketModel

extension ChartView {
    /// Drags the chart: with a positive `dx` the picture moves right and older bars come into view.
    /// - Parameter dx: CSS pixels.
    public mutating func pan(byPixels dx: Double) { viewport.pan(byPixels: dx, reach, plotWidth: plotWidth) }

    /// Moves over whole bars, towards newer ones where `bars` is positive.
    public mutating func pan(byBars bars: Int) {
        viewport.pan(byBars: Double(bars), reach, plotWidth: plotWidth)
    }

    /// Zooms; the bar under `x` stays under it.
    /// - Parameters:
    ///   - factor: above 1 comes closer.
    ///   - x: CSS pixels from the chart's left edge.
    public mutating func zoom(by factor: Double, atX x: Double) {
        viewport.zoom(by: factor, atX: min(max(x, 0), plotWidth), reach, plotWidth: plotWidth)
    }

    /// Back to the newest bar, which the view follows from now on.
    public mutating func followLive() { viewport.followLive(reach, plotWidth: plotWidth) }

    /// Brings a time to the middle of the plot, as far as there are bars.
    public mutating func go(toTime time: Double) {
        guard !series.isEmpty, time.isFinite else { return }
        let middle = viewport.right - visibleCount / 2
        viewport.pan(byBars: slots.slot(at: index(atTime: time)) - middle, reach, plotWidth: plotWidth)
    }

    /// Width of the panes in CSS pixels; to their right is the price axis.
    public var paneWidth: Double { plotWidth }

    /// Height of all panes in CSS pixels; below them is the time axis.
    public var paneHeight: Double { layout.plotHeight / layout.ratio }

    /// Whether new bars move the view: true while the newest bar is on screen.
    public var isFollowing: Bool { viewport.isFollowing }

    /// The usual zoom, at the newest bar. Few bars are spread over three quarters of the plot, at most 24 pixels each;
    /// as more come, their distance shrinks to the usual one.
    public mutating func fit() { viewport.fit(reach, plotWidth: plotWidth) }

    /// Index of the first bar on screen, 0 where there is none.
    public var firstVisible: Int { visibleBars.lowerBound }

    /// How many bars the plot has room for.
    public var visibleCount: Double { plotWidth / viewport.barSpacing }

    /// Distance of two bars in CSS pixels.
    public var barSpacing: Double { viewport.barSpacing }
}

/// Zoom as a number, for those who count that way.
extension ChartView {
    /// Bars that fit the plot at zoom 1.
    static let barsAtZoomOne = 100.0

    /// How many times fewer than 100 bars have room.
    public var zoom: Double { Self.barsAtZoomOne / visibleCount }

    /// Shows 100 bars at 1, 10 at 10 and 1,000 at 0.1, the limits. The right edge keeps its bar.
    public mutating func setZoom(_ zoom: Double) {
        guard zoom == zoom, plotWidth > 0 else { return }
        let requested = plotWidth * min(max(zoom, 0.1), 10) / Self.barsAtZoomOne
        viewport.zoom(by: requested / viewport.barSpacing, atX: plotWidth, reach, plotWidth: plotWidth, isExact: true)
    }
}
