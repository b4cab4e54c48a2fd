/// EMA: an average in which the weight of a price falls by the same share with each bar.
///
///     k = 2 / (n + 1)
///     EMA = EMA[-1] + k * (p - EMA[-1]),   the first one the SMA of the first n prices
///
/// In units of price; from the n-th bar on. Source: J. J. Murphy, "Technical Analysis of the Financial Markets" (1999),
/// ch. 9; the seed is that of TA-Lib's EMA.
struct ExponentialMovingAverage: StudyMachine {
    private var average: ExponentialAverage

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        average = ExponentialAverage(settings.bars(0))
    }

    var reach: Int { 0 }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        tape.set(0, at, average.step(tape.price(at)))
    }
}

extension StudyDescription {
    static let ema = StudyDescription(
        identifier: "ema", name: "EMA", title: "Exponential Moving Average", placement: .price, source: .close,
        parameters: [.bars("Period", 20)], outputs: [StudyOutput("EMA")])
}
