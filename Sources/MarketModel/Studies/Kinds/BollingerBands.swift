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
