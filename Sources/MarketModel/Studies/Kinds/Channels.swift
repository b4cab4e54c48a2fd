/// Bollinger bands: a moving average and lines a number of standard deviations beside it.
///
///     middle = SMA(n);   upper, lower = middle ± k * σ
///     σ = sqrt(mean of (p - middle)² over the n prices)
///
/// In units of price; from the n-th bar on. Of equal prices all three lines are one. Source: J. Bollinger, "Bollinger on
/// Bollinger Bands" (2001): the deviation of the n prices themselves, divided by n.
struct BollingerBands: StudyMachine {
    private var sum: RollingSum
    private var deviation: RollingDeviation
    private let factor: Double

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        sum = RollingSum(settings.bars(0), &plan)
        deviation = RollingDeviation(settings.bars(0), &plan)
        factor = settings[1]
    }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        let middle = sum.step(at, tape) { tape.price($0) } / Double(sum.length)
        let distance = factor * deviation.step(at, tape) { tape.price($0) }
        tape.set(0, at, middle)
        tape.set(1, at, middle + distance)
        tape.set(2, at, middle - distance)
    }
}

/// Keltner channels: an exponential average and lines a number of average true ranges beside it.
///
///     middle = EMA(p, n);   upper, lower = middle ± k * ATR(m)
///
/// In units of price; the middle from the n-th bar on, the lines also not before bar m + 1. Source: L. B. Raschke's
/// form (1990s) of the channel in C. W. Keltner, "How to Make Money in Commodities" (1960).
struct KeltnerChannels: StudyMachine {
    private var average: ExponentialAverage
    private var range: ExponentialAverage
    private let factor: Double

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        average = ExponentialAverage(settings.bars(0))
        range = .wilder(settings.bars(1))
        factor = settings[2]
        plan.reads(1)
    }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        let middle = average.step(tape.price(at))
        let distance = factor * range.step(tape.trueRange(at))
        tape.set(0, at, middle)
        tape.set(1, at, middle + distance)
        tape.set(2, at, middle - distance)
    }
}

/// Donchian channels: the highest high and the lowest low of the last n bars, and the middle of the two.
///
/// The bar itself is among the n. In units of price; from the n-th bar on. Source: R. Donchian's four-week rule
/// (1960s), in J. J. Murphy, "Technical Analysis of the Financial Markets" (1999), ch. 9.
struct DonchianChannels: StudyMachine {
    private var range: RollingRange

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        range = RollingRange(settings.bars(0), &plan)
    }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        let rows = range.step(at, tape)
        let upper = rows.map { tape.highs[$0.top] } ?? .nan
        let lower = rows.map { tape.lows[$0.bottom] } ?? .nan
        tape.set(0, at, (upper + lower) / 2)
        tape.set(1, at, upper)
        tape.set(2, at, lower)
    }
}
