/// Bars and times to device pixels: the viewport at one size.
struct TimeScale {
    /// Width of the plot in device pixels.
    let plotWidth: Double
    /// The place at the plot's right edge, in the viewport's unit.
    let right: Double
    /// Distance of two bars, or width of a bar's time, in device pixels.
    let spacing: Double
    /// Where bars are in the viewport's unit.
    var slots = TimeSlots.bars

    /// The pixel of a place in the viewport's unit, not snapped.
    @inline(__always)
    func x(place: Double) -> Double {
        plotWidth - (right - place) * spacing
    }

    /// The centre of bar `index`, not snapped.
    @inline(__always)
    func x(_ index: Int) -> Double {
        x(place: slots.slot(index))
    }

    /// The pixel of an index between bars, not snapped.
    func x(_ index: Double) -> Double {
        x(place: slots.slot(at: index))
    }

    /// Where a bar's part of the axis begins; it ends so far to the right of its centre.
    func left(of index: Int) -> Double {
        x(place: slots.slot(index) - 0.5)
    }

    func right(of index: Int) -> Double {
        x(place: slots.slot(index) + 0.5)
    }

    /// The index, between bars too, under device pixel `x`.
    func index(at x: Double) -> Double {
        slots.index(of: right - (plotWidth - x) / spacing)
    }
}
