/// ADX and DMI: how much of the movement goes one way, and how strongly either way prevails.
///
///     up = high - high[-1];   down = low[-1] - low
///     +DM = up where up > down and up > 0, else 0;   -DM = down where down > up and down > 0, else 0
///     +DI = 100 * W(+DM) / W(TR);   -DI = 100 * W(-DM) / W(TR)   over n bars
///     DX = 100 * |+DI - -DI| / (+DI + -DI);   ADX = W(DX)   over m bars
///
/// W is Wilder's average, whose first value is the mean of the first n. Without any range the DI are 0, and without
/// either of them DX is 0. From 0 to 100; DI from bar n + 1 on, ADX m - 1 bars later. Source: J. W. Wilder, "New Concepts
/// in Technical Trading Systems" (1978).
struct AverageDirectionalIndex: StudyMachine {
    private var rises: ExponentialAverage
    private var falls: ExponentialAverage
    private var ranges: ExponentialAverage
    private var index: ExponentialAverage

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        rises = .wilder(settings.bars(0))
        falls = .wilder(settings.bars(0))
        ranges = .wilder(settings.bars(0))
        index = .wilder(settings.bars(1))
    }

    var reach: Int { 1 }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        var (adx, plus, minus) = (Double.nan, Double.nan, Double.nan)
        if tape.age(at) > 0 {
            let up = tape.highs[at] - tape.highs[at - 1]
            let down = tape.lows[at - 1] - tape.lows[at]
            let rise = rises.step(up > down && up > 0 ? up : 0)
            let fall = falls.step(down > up && down > 0 ? down : 0)
            let range = ranges.step(tape.trueRange(at))
            plus = range == 0 ? 0 : 100 * (rise / range)
            minus = range == 0 ? 0 : 100 * (fall / range)
            let both = plus + minus
            adx = index.step(both == 0 ? 0 : 100 * ((plus - minus).magnitude / both))
        }
        tape.set(0, at, adx)
        tape.set(1, at, plus)
        tape.set(2, at, minus)
    }
}

extension StudyDescription {
    static let adx = StudyDescription(
        identifier: "adx", name: "ADX", title: "Average Directional Index", placement: .pane,
        parameters: [.bars("DI period", 14), .bars("ADX period", 14)],
        outputs: [StudyOutput("ADX"), StudyOutput("+DI"), StudyOutput("-DI")], guides: [25])
}
