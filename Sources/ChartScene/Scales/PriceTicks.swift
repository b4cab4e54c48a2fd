/// Round prices for an axis: multiples of 1, 2, 2.5 or 5 times a power of ten.
///
/// Ticks are whole multiples of an integer step over a power of ten, so 0.3 is the nearest number to 0.3 and not the
/// sum of three tenths.
package struct PriceTicks: Sendable, Equatable {
    /// The step is `mantissa * 10^exponent`. 64 bits, because `Int` has 32 in WebAssembly.
    package let mantissa: Int64
    package let exponent: Int
    /// The first tick is `first * step`.
    package let first: Int64
    package let count: Int

    /// The ticks within `low...high` that are at least `smallestStep` apart.
    /// - Parameters:
    ///   - precision: digits after the point that a label shows; steps never need more.
    ///   - tickSize: the smallest step of a price where the precision does not say it, for instance 0.25; steps are
    ///     multiples of it as long as they are not far larger.
    ///   - limit: at most this many ticks.
    package init(
        low: Double, high: Double, smallestStep: Double, precision: Int, tickSize: Double = 0, limit: Int = 200
    ) {
        if tickSize > 0, tickSize < smallestStep * 1000,
            let (mantissa, exponent) = PriceTicks.step(atLeast: smallestStep, of: tickSize, precision)
        {
            self.init(low: low, high: high, mantissa: mantissa, exponent: exponent, limit: limit)
            return
        }
        guard low.isFinite, high.isFinite, low <= high, smallestStep > 0, smallestStep.isFinite else {
            self.init(mantissa: 1, exponent: 0, first: 0, count: 0)
            return
        }
        let finest = -min(max(precision, 0), 10)
        var exponent = finest
        while exponent < 300 && 10 * PriceTicks.power(exponent) < smallestStep { exponent += 1 }
        let unit = PriceTicks.power(exponent)
        let mantissa: Int64
        var power = exponent
        if unit >= smallestStep {
            mantissa = 1
        } else if 2 * unit >= smallestStep {
            mantissa = 2
        } else if exponent > finest && 2.5 * unit >= smallestStep {
            mantissa = 25
            power = exponent - 1
        } else if 5 * unit >= smallestStep {
            mantissa = 5
        } else {
            mantissa = 1
            power = exponent + 1
        }
        self.init(low: low, high: high, mantissa: mantissa, exponent: power, limit: limit)
    }

    private init(low: Double, high: Double, mantissa: Int64, exponent: Int, limit: Int) {
        let step = PriceTicks.value(multiple: 1, mantissa: mantissa, exponent: exponent)
        let lowest = (low / step).rounded(.up)
        let highest = (high / step).rounded(.down)
        // Past 2^53 multiples are not whole numbers any more: no honest tick exists.
        guard lowest.magnitude < 9e15, highest.magnitude < 9e15, highest >= lowest else {
            self.init(mantissa: mantissa, exponent: exponent, first: 0, count: 0)
            return
        }
        let count = min(highest - lowest + 1, Double(max(limit, 0)))
        self.init(mantissa: mantissa, exponent: exponent, first: Int64(lowest), count: Int(count))
    }

    /// The finest step of at least `least` that is one, two or four tick sizes, or a round number and a multiple of it;
    /// `nil` where there is none of few digits.
    private static func step(atLeast least: Double, of tickSize: Double, _ precision: Int) -> (Int64, Int)? {
        guard least > 0, least.isFinite, tickSize.isFinite, tickSize > 1e-200 else { return nil }
        var few: (Int64, Int)?
        for times in [1.0, 2, 4] where few == nil && tickSize * times >= least { few = decimal(tickSize * times) }
        var smallest = max(least, tickSize * 0.9999999)
        for _ in 0..<24 {
            let ticks = PriceTicks(low: 0, high: 0, smallestStep: smallest, precision: precision)
            let multiple = ticks.step / tickSize
            if (multiple - multiple.rounded()).magnitude < 1e-6 * multiple {
                if let few, value(multiple: 1, mantissa: few.0, exponent: few.1) < ticks.step { return few }
                return (ticks.mantissa, ticks.exponent)
            }
            smallest = ticks.step * 1.0000001
        }
        return few
    }

    /// A number as a whole one times a power of ten; `nil` where it has more than ten decimals.
    private static func decimal(_ number: Double) -> (Int64, Int)? {
        guard number < 1e5 else { return nil }
        for digits in 0...10 {
            let scaled = number * powerOfTen(digits)
            if scaled >= 0.5, (scaled - scaled.rounded()).magnitude < 1e-9 * scaled {
                return (Int64(scaled.rounded()), -digits)
            }
        }
        return nil
    }

    private init(mantissa: Int64, exponent: Int, first: Int64, count: Int) {
        self.mantissa = mantissa
        self.exponent = exponent
        self.first = first
        self.count = count
    }

    /// The distance of two ticks.
    package var step: Double { PriceTicks.value(multiple: 1, mantissa: mantissa, exponent: exponent) }

    /// The price of tick `index`, 0 the lowest.
    package subscript(index: Int) -> Double {
        PriceTicks.value(multiple: first + Int64(index), mantissa: mantissa, exponent: exponent)
    }

    @inline(never)
    private static func value(multiple: Int64, mantissa: Int64, exponent: Int) -> Double {
        let whole = Double(multiple) * Double(mantissa)
        return exponent < 0 ? whole / powerOfTen(-exponent) : whole * powerOfTen(exponent)
    }

    private static func power(_ exponent: Int) -> Double {
        exponent < 0 ? 1 / powerOfTen(-exponent) : powerOfTen(exponent)
    }
}
