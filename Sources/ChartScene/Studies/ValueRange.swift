internal import MarketModel

/// The lowest and highest of values on screen.
struct ValueRange {
    var low = Double.infinity
    var high = -Double.infinity

    var isEmpty: Bool { high < low }

    mutating func add(_ value: Double) {
        if value < low { low = value }
        if value > high { high = value }
    }

    /// Includes what of `values` is within `range`; NaN counts nothing.
    /// - Complexity: O(range)
    @_optimize(speed)
    mutating func add(_ values: UnsafeBufferPointer<Double>, _ range: Range<Int>) {
        let first = min(max(range.lowerBound, 0), values.count)
        let end = max(first, min(range.upperBound, values.count))
        var low = self.low
        var high = self.high
        for index in first..<end {
            let value = values[index]
            low = value < low ? value : low
            high = value > high ? value : high
        }
        self.low = low
        self.high = high
    }

    /// Includes all that a study shows at the indices on screen.
    mutating func add(_ study: ChartStudy, _ indices: Range<Int>) {
        for output in 0..<study.outputs.count {
            let shift = study.outputs[output].shift
            study.columns.withOutput(output) { add($0, indices.lowerBound - shift..<indices.upperBound - shift) }
            if study.outputs[output].form == .histogram { add(0) }
        }
    }

    /// Includes levels that lie within the range's own height of it.
    mutating func addNear(_ levels: [Double]) {
        let height = high - low
        let (low, high) = (low, high)
        for level in levels where level > low - height && level < high + height { add(level) }
    }

    /// Digits after the point that show a thousandth of the range.
    var digits: Int {
        var unit = (high - low) / 1000
        guard unit > 0, unit.isFinite else { return 2 }
        var digits = 0
        while unit < 0.9999, digits < 10 {
            unit *= 10
            digits += 1
        }
        return digits
    }
}
