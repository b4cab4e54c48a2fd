/// Zoom as a number, for those who count that way.
extension ChartView {
    /// Bars that fit the plot at zoom 1.
    static let barsAtZoomOne = 100.0

    /// How many times fewer than 100 bars have room.
    public var zoom: Double {
        Self.barsAtZoomOne / visibleCount
    }

    /// Shows 100 bars at 1, 10 at 10 and 1,000 at 0.1, the limits. The right edge keeps its bar.
    public mutating func setZoom(_ zoom: Double) {
        guard zoom == zoom, plotWidth > 0 else { return }
        let wished = plotWidth * min(max(zoom, 0.1), 10) / Self.barsAtZoomOne
        viewport.zoom(
            by: wished / viewport.barSpacing, atX: plotWidth, reach, plotWidth: plotWidth, isExact: true)
    }
}
