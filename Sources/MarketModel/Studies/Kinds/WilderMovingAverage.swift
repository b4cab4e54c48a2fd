/// RMA: Wilder's moving average, an exponential one in which the newest price weighs 1/n.
///
///     RMA = (RMA[-1] * (n-1) + p) / n,   the first one the SMA of the first n prices
///
/// In units of price; from the n-th bar on. Source: J. W. Wilder, "New Concepts in Technical Trading Systems" (1978),
/// where it smooths RSI, ATR and ADX.
struct WilderMovingAverage: StudyMachine {
    private var average: ExponentialAverage

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        average = .wilder(settings.bars(0))
    }

    var reach: Int { 0 }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        tape.set(0, at, average.step(tape.price(at)))
    }
}

extension StudyDescription {
    static let rma = StudyDescription(
        identifier: "rma", name: "RMA", title: "Wilder's Moving Average", placement: .price, source: .close,
        parameters: [.bars("Period", 14)], outputs: [StudyOutput("RMA")])
}
