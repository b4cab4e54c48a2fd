/// Bollinger bands: a moving average and lines so many standard deviations beside it.
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

    var reach: Int { sum.length }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        let middle = sum.step(at, tape) { tape.price($0) } / Double(sum.length)
        let distance = factor * deviation.step(at, tape) { tape.price($0) }
        tape.set(0, at, middle)
        tape.set(1, at, middle + distance)
        tape.set(2, at, middle - distance)
    }
}

extension StudyDescription {
    static let bollinger = StudyDescription(
        identifier: "bollinger", name: "BB", title: "Bollinger Bands", placement: .price, source: .close,
        parameters: [.bars("Period", 20), .factor("Deviations", 2, in: 0.1...20)],
        outputs: [
            StudyOutput("Middle"), StudyOutput("Upper", .bandEdge), StudyOutput("Lower", .bandEdge),
        ])
}

/// Keltner channels: an exponential average and lines so many average true ranges beside it.
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
    }

    var reach: Int { 1 }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        let middle = average.step(tape.price(at))
        let distance = factor * range.step(tape.trueRange(at))
        tape.set(0, at, middle)
        tape.set(1, at, middle + distance)
        tape.set(2, at, middle - distance)
    }
}

extension StudyDescription {
    static let keltner = StudyDescription(
        identifier: "keltner", name: "KC", title: "Keltner Channels", placement: .price, source: .close,
        parameters: [.bars("Period", 20), .bars("ATR period", 10), .factor("ATR factor", 2, in: 0.1...20)],
        outputs: [
            StudyOutput("Middle"), StudyOutput("Upper", .bandEdge), StudyOutput("Lower", .bandEdge),
        ])
}

/// Donchian channels: the highest high and the lowest low of the last n bars, and the middle of the two.
///
/// The bar itself is among the n. In units of price; from the n-th bar on. Source: R. Donchian's four-week rule
/// (1960s), in J. J. Murphy, "Technical Analysis of the Financial Markets" (1999), ch. 9.
struct DonchianChannels: StudyMachine {
    private var highest: RollingExtreme
    private var lowest: RollingExtreme
    let reach: Int

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        reach = settings.bars(0)
        highest = RollingExtreme(.highest, reach, &plan)
        lowest = RollingExtreme(.lowest, reach, &plan)
    }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        let upper = highest.step(at, tape, tape.highs).map { tape.highs[$0] } ?? .nan
        let lower = lowest.step(at, tape, tape.lows).map { tape.lows[$0] } ?? .nan
        tape.set(0, at, (upper + lower) / 2)
        tape.set(1, at, upper)
        tape.set(2, at, lower)
    }
}

extension StudyDescription {
    static let donchian = StudyDescription(
        identifier: "donchian", name: "DC", title: "Donchian Channels", placement: .price,
        parameters: [.bars("Period", 20)],
        outputs: [
            StudyOutput("Middle"), StudyOutput("Upper", .bandEdge), StudyOutput("Lower", .bandEdge),
        ])
}
