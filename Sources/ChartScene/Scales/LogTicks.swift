/// Round prices on a logarithmic axis. Which ones depends on the zoom and on their own decade, not on what else is on
/// screen, so labels do not jump while the axis is dragged.
enum LogTicks {
    /// - Parameters:
    ///   - pixelsPerUnit: device pixels per unit of the natural logarithm.
    ///   - distance: the least distance of two ticks, in device pixels.
    ///   - visit: called for each tick within `low...high`, ascending, at most a few hundred times.
    static func visit(
        low: Double, high: Double, pixelsPerUnit: Double, distance: Double, instrument: Instrument,
        _ visit: (Double) -> Void
    ) {
        guard low > 0, high >= low, high.isFinite, pixelsPerUnit > 0, distance > 0 else { return }
        // The ends went through a logarithm; a round number at an end is within.
        let (low, high) = (low * (1 - 1e-12), high * (1 + 1e-12))
        if high < low * 2 {
            // So close together, steps are equal for the eye; the upper ones are the closest.
            let ticks = PriceTicks(
                low: low, high: high, smallestStep: distance * high / pixelsPerUnit, precision: instrument.precision,
                tickSize: instrument.tickSize)
            for index in 0..<ticks.count { visit(ticks[index]) }
            return
        }
        /// The ticks from `start` up to but without `end`, both times a power of ten: equal steps that divide it.
        @inline(never)
        func segment(_ start: Double, _ end: Double, _ unit: Double) {
            guard end * unit > low, start * unit <= high else { return }
            // Steps are closest where prices are highest.
            let smallest = distance * end * unit / pixelsPerUnit
            let ticks = PriceTicks(
                low: start * unit, high: end * unit * 0.9999999, smallestStep: smallest,
                precision: instrument.precision, tickSize: instrument.tickSize)
            // Steps that do not begin where the segment does would leave its own number out.
            let first = start * unit / ticks.step
            if ticks.step > (end - start) * unit * 0.9999999 || (first - first.rounded()).magnitude > 1e-6 {
                if start * unit >= low, start * unit >= instrument.step * 0.999 { visit(start * unit) }
                return
            }
            for index in 0..<ticks.count where ticks[index] >= low && ticks[index] <= high {
                // 2 and 5 are ticks of their own: a step that does not end there leaves too little room before them.
                if end * unit - ticks[index] >= smallest * 0.9999999 { visit(ticks[index]) }
            }
        }
        let decade = 2.302585092994046
        let every = max(1, integer((distance / (pixelsPerUnit * decade)).rounded(.up), in: 1...1000))
        var exponent = integer((Maths.log(low) / decade).rounded(.down), in: -330...330)
        exponent -= ((exponent % every) + every) % every
        // Powers of ten only where two and five have no room between them.
        let isFine = every == 1 && pixelsPerUnit * 0.6931471805599453 >= distance
        while exponent <= 308 {
            let unit = exponent < 0 ? 1 / powerOfTen(min(-exponent, 307)) : powerOfTen(exponent)
            guard unit <= high else { return }
            if isFine {
                segment(1, 2, unit)
                segment(2, 5, unit)
                segment(5, 10, unit)
            } else if unit >= low, unit >= instrument.step * 0.999 {
                visit(unit)
            }
            exponent += every
        }
    }
}
