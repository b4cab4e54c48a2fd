/// Which bars are on screen. Bars are spaced by their index, so that gaps in trading take no room, or in proportion to
/// their time; then what is called an index here counts lengths of a bar since 1970 (`TimeSlots`).
///
/// Bar `i` has its centre at index `i`; `right` is the index at the right edge of the plot. Widths and positions are
/// CSS pixels from the plot's left edge.
public struct Viewport: Sendable, Equatable {
    /// The smallest distance of two bars, unless all bars need less to fit.
    public static let smallestSpacing = 0.5
    public static let largestSpacing = 60.0
    public static let defaultSpacing = 7.0
    /// The largest distance that few bars get by themselves.
    static let widestFittingSpacing = 24.0
    /// Room between the newest bar and the price axis while following, in CSS pixels.
    static let liveMargin = 48.0

    /// The bar index at the plot's right edge.
    public internal(set) var right = 0.0
    /// Distance of two bars' centres, in CSS pixels.
    public internal(set) var barSpacing = Viewport.defaultSpacing
    /// Whether a new bar moves the view: true while the newest bar is on screen.
    public internal(set) var isFollowing = true

    /// Someone chose the distance of the bars; `fit` resets it.
    var isZoomed = false
    /// The distance of the bars follows their number.
    var isSpreading = true

    public init() {}

    /// The bar index under the plot's pixel `x`.
    public func index(atX x: Double, plotWidth: Double) -> Double { right - (plotWidth - x) / barSpacing }

    /// The plot's pixel of bar `index`'s centre.
    public func x(ofIndex index: Double, plotWidth: Double) -> Double {
        plotWidth - (right - index) * barSpacing
    }

    /// The bars of which at least a part is on screen.
    public func visibleBars(count: Int, plotWidth: Double) -> Range<Int> {
        guard count > 0, plotWidth > 0 else { return 0..<0 }
        let left = index(atX: 0, plotWidth: plotWidth)
        // Bar i spans i - 0.5 to i + 0.5.
        let first = integer((left + 0.5).rounded(.down), in: 0...count)
        let end = integer((right + 0.5).rounded(.up), in: 0...count)
        return first..<max(first, end)
    }

    /// The indices on screen, with those before the oldest bar and after the newest one.
    func visibleIndices(plotWidth: Double) -> Range<Int> {
        guard plotWidth > 0 else { return 0..<0 }
        let limits = -1_000_000_000...1_000_000_000
        let first = integer((index(atX: 0, plotWidth: plotWidth) + 0.5).rounded(.down), in: limits)
        return first..<max(first, integer((right + 0.5).rounded(.up), in: limits))
    }

    // MARK: Moving

    /// Drags the picture: with a positive `dx` it moves to the right and older bars come into view.
    mutating func pan(byPixels dx: Double, _ reach: Reach, plotWidth: Double) {
        guard dx.isFinite else { return }
        right -= dx / barSpacing
        clamp(to: reach, plotWidth: plotWidth)
    }

    /// Moves over the bars, towards newer ones where `bars` is positive.
    mutating func pan(byBars bars: Double, _ reach: Reach, plotWidth: Double) {
        guard bars.isFinite else { return }
        right += bars
        clamp(to: reach, plotWidth: plotWidth)
    }

    /// Zooms about a pixel; the bar index under it stays under it, short of the limits.
    /// - Parameters:
    ///   - factor: above 1 comes closer.
    ///   - isExact: not bound by the usual distances of bars.
    mutating func zoom(by factor: Double, atX x: Double, _ reach: Reach, plotWidth: Double, isExact: Bool = false) {
        guard factor > 0, factor.isFinite, x.isFinite, plotWidth > 0 else { return }
        let fixed = index(atX: x, plotWidth: plotWidth)
        let smallest = min(Viewport.smallestSpacing, plotWidth / max(reach.length, 1))
        // A spacing beyond the limits is not thrown back by a step in the other direction.
        let requested = barSpacing * factor
        barSpacing =
            isExact
            ? requested : min(max(requested, min(smallest, barSpacing)), max(Viewport.largestSpacing, barSpacing))
        isZoomed = true
        isSpreading = false
        right = fixed + (plotWidth - x) / barSpacing
        clamp(to: reach, plotWidth: plotWidth)
    }

    /// Puts the newest bar near the right edge and keeps it there.
    mutating func followLive(_ reach: Reach, plotWidth: Double) {
        let margin = min(Viewport.liveMargin, max(plotWidth, 0) * 0.12)
        right = reach.newest + margin / barSpacing
        isFollowing = true
    }

    /// Keeps at least two bars' room on screen at either end and decides whether the view follows.
    mutating func clamp(to reach: Reach, plotWidth: Double) {
        guard !reach.isEmpty, plotWidth > 0 else { return }
        let bars = plotWidth / barSpacing
        let lowest = min(reach.oldest + 1.5, reach.newest + 0.5)
        let highest = reach.newest + max(bars - 2, 0.5)
        right = min(max(right, lowest), highest)
        isFollowing = right >= reach.newest
    }
}

/// The distance of bars that were never zoomed: the default one, and more where they are few.
extension Viewport {
    /// Few bars are spread over three quarters of the plot, as far as that still looks like a chart.
    static func fittingSpacing(_ reach: Reach, plotWidth: Double) -> Double {
        guard !reach.isEmpty, plotWidth > 0 else { return defaultSpacing }
        return min(max(plotWidth * 0.75 / reach.length, defaultSpacing), widestFittingSpacing)
    }

    /// The distance that fits this many bars, with the newest one near the right edge.
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

    /// Bars or room have been added: a view at the newest bar that was never zoomed gets the distance that fits now. The newest
    /// bar stays where it is.
    mutating func spread(_ reach: Reach, plotWidth: Double) {
        guard isSpreading, isFollowing, !reach.isEmpty, plotWidth > 0 else { return }
        let margin = (right - reach.newest) * barSpacing
        barSpacing = Viewport.fittingSpacing(reach, plotWidth: plotWidth)
        right = reach.newest + margin / barSpacing
    }
}

/// From the oldest bar to the newest one, in the viewport's unit: what a view can be moved over.
struct Reach: Equatable {
    var oldest: Double
    var newest: Double

    /// Bars one beside the other.
    init(count: Int) {
        oldest = 0
        newest = Double(count - 1)
    }

    init(oldest: Double, newest: Double) {
        self.oldest = oldest
        self.newest = max(oldest, newest)
    }

    var isEmpty: Bool { newest < oldest }

    /// How many bars have room there.
    var length: Double { newest - oldest + 1 }
}
