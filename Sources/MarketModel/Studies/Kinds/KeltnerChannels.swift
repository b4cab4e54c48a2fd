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
