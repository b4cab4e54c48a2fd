/// Supertrend: a stop at a distance of average true ranges, which only comes nearer while the trend lasts.
///
///     upper = (high + low) / 2 + k * ATR(n);   lower = (high + low) / 2 - k * ATR(n)
///     the upper line falls but does not rise unless the close before was above it; the lower line the other way round
///
/// A falling trend, which is assumed at first, follows the upper line until a close above it; a rising one the lower
/// line until a close below it. Each has an output of its own, without a value while the other holds. In units of price;
/// from bar n + 1 on. Source: O. Seban's indicator (2000s), after the published formula of its common form.
struct Supertrend: StudyMachine {
    private var range: ExponentialAverage
    private let factor: Double
    private var upper = Double.nan
    private var lower = Double.nan
    private var isRising = false

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        range = .wilder(settings.bars(0))
        factor = settings[1]
    }

    var reach: Int { 1 }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        tape.set(0, at, .nan)
        tape.set(1, at, .nan)
        let distance = factor * range.step(tape.trueRange(at))
        guard distance.isFinite else { return }
        let middle = (tape.highs[at] + tape.lows[at]) / 2
        let before = tape.closes[at - 1]
        // The first lines are NaN, which no comparison holds back.
        if !(middle + distance >= upper) || before > upper || upper.isNaN { upper = middle + distance }
        if !(middle - distance <= lower) || before < lower || lower.isNaN { lower = middle - distance }
        isRising = isRising ? tape.closes[at] >= lower : tape.closes[at] > upper
        tape.set(isRising ? 0 : 1, at, isRising ? lower : upper)
    }
}

extension StudyDescription {
    static let supertrend = StudyDescription(
        identifier: "supertrend", name: "Supertrend", title: "Supertrend", placement: .price,
        parameters: [.bars("ATR period", 10), .factor("ATR factor", 3, in: 0.1...20)],
        outputs: [StudyOutput("Rising"), StudyOutput("Falling")])
}
