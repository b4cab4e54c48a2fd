/// The distance of bars that nobody zoomed: the usual one, and more where they are few.
extension Viewport {
    /// Few bars are spread over three quarters of the plot, as far as that still looks like a chart.
    static func fittingSpacing(count: Int, plotWidth: Double) -> Double {
        guard count > 0, plotWidth > 0 else { return defaultSpacing }
        return min(max(plotWidth * 0.75 / Double(count), defaultSpacing), widestFittingSpacing)
    }

    /// The distance that fits so many bars, with the newest one near the right edge.
    mutating func fit(count: Int, plotWidth: Double) {
        isZoomed = false
        isSpreading = true
        barSpacing = Viewport.fittingSpacing(count: count, plotWidth: plotWidth)
        followLive(count: count, plotWidth: plotWidth)
    }

    /// For the bars that a chart starts with: a zoom stays, unless it would cram few bars together.
    mutating func start(count: Int, plotWidth: Double) {
        let fitting = Viewport.fittingSpacing(count: count, plotWidth: plotWidth)
        if !isZoomed || (fitting > Viewport.defaultSpacing && fitting > barSpacing) {
            fit(count: count, plotWidth: plotWidth)
        } else {
            followLive(count: count, plotWidth: plotWidth)
        }
    }

    /// Bars or room have been added: a following view that nobody zoomed takes the distance that fits now. The newest
    /// bar stays where it is.
    mutating func spread(count: Int, plotWidth: Double) {
        guard isSpreading, isFollowing, count > 0, plotWidth > 0 else { return }
        let newest = Double(count - 1)
        let margin = (right - newest) * barSpacing
        barSpacing = Viewport.fittingSpacing(count: count, plotWidth: plotWidth)
        right = newest + margin / barSpacing
    }
}
