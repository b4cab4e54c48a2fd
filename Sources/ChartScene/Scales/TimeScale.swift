/// Bar indices to device pixels: the viewport at one size.
struct TimeScale {
    /// Width of the plot in device pixels.
    let plotWidth: Double
    /// Index at the plot's right edge.
    let right: Double
    /// Distance of two bars in device pixels.
    let spacing: Double

    /// The centre of bar `index`, not snapped.
    @inline(__always)
    func x(_ index: Int) -> Double {
        plotWidth - (right - Double(index)) * spacing
    }

    /// The pixel of an index between bars, not snapped.
    @inline(__always)
    func x(_ index: Double) -> Double {
        plotWidth - (right - index) * spacing
    }

    /// The index, between bars too, under device pixel `x`.
    func index(at x: Double) -> Double {
        right - (plotWidth - x) / spacing
    }
}
