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

/// For those who know the number of bars, spaced by their index.
extension Viewport {
    /// Drags the picture: with a positive `dx` it moves to the right and older bars come into view.
    public mutating func pan(byPixels dx: Double, count: Int, plotWidth: Double) {
        pan(byPixels: dx, Reach(count: count), plotWidth: plotWidth)
    }

    /// Moves over the bars, towards newer ones where `bars` is positive.
    public mutating func pan(byBars bars: Double, count: Int, plotWidth: Double) {
        pan(byBars: bars, Reach(count: count), plotWidth: plotWidth)
    }

    /// Zooms about a pixel; the bar index under it stays under it, short of the limits.
    /// - Parameter factor: above 1 comes closer.
    ///   - isExact: not bound by the usual distances of bars.
    public mutating func zoom(
        by factor: Double, atX x: Double, count: Int, plotWidth: Double, isExact: Bool = false
    ) {
        zoom(by: factor, atX: x, Reach(count: count), plotWidth: plotWidth, isExact: isExact)
    }

    /// Puts the newest bar near the right edge and keeps it there.
    public mutating func followLive(count: Int, plotWidth: Double) {
        followLive(Reach(count: count), plotWidth: plotWidth)
    }
}
