/// ATR: how far a bar moves, smoothed.
///
///     TR = max(high, close[-1]) - min(low, close[-1]);   ATR = (ATR[-1] * (n-1) + TR) / n
///
/// The first bar has no true range, as it has no close before it; the first ATR is the mean of the next n. In units of
/// price; from bar n + 1 on. Source: J. W. Wilder, "New Concepts in Technical Trading Systems" (1978).
struct AverageTrueRange: StudyMachine {
    private var average: ExponentialAverage

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        average = .wilder(settings.bars(0))
    }

    var reach: Int { 1 }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        tape.set(0, at, average.step(tape.trueRange(at)))
    }
}

extension StudyDescription {
    static let atr = StudyDescription(
        identifier: "atr", name: "ATR", title: "Average True Range", placement: .pane,
        parameters: [.bars("Period", 14)], outputs: [StudyOutput("ATR")])
}
