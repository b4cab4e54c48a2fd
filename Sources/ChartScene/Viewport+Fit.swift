/// The distance of bars that nobody zoomed: the usual one, and more where they are few.
extension Viewport {
    /// Few bars are spread over three quarters of the plot, as far as that still looks like a chart.
    static func fittingSpacing(_ reach: Reach, plotWidth: Double) -> Double {
        guard !reach.isEmpty, plotWidth > 0 else { return defaultSpacing }
        return min(max(plotWidth * 0.75 / reach.length, defaultSpacing), widestFittingSpacing)
    }

    /// The distance that fits so many bars, with the newest one near the right edge.
    mutating func fit(_ reach: Reach, plotWidth: Double) {
        isZoomed = false
        isSpreading = true
        barSpacing = Viewport.fittingSpacing(reach, plotWidth: plotWidth)
        followLive(reach, plotWidth: plotWidth)
    }

    /// For the bars that a chart starts with: a zoom stays, unless it would cram few bars together.
    mutating func start(_ reach: Reach, plotWidth: Double) {
        let fitting = Viewport.fittingSpacing(reach, plotWidth: plotWidth)
        if !isZoomed || (fitting > Viewport.defaultSpacing && fitting > barSpacing) {
            fit(reach, plotWidth: plotWidth)
        } else {
            followLive(reach, plotWidth: plotWidth)
        }
    }

    /// Bars or room have been added: a following view that nobody zoomed takes the distance that fits now. The newest
    /// bar stays where it is.
    mutating func spread(_ reach: Reach, plotWidth: Double) {
        guard isSpreading, isFollowing, !reach.isEmpty, plotWidth > 0 else { return }
        let margin = (right - reach.newest) * barSpacing
        barSpacing = Viewport.fittingSpacing(reach, plotWidth: plotWidth)
        right = reach.newest + margin / barSpacing
    }
}
