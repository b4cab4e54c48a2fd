/// StochRSI: where the RSI lies in its own range of the last m bars.
///
///     raw = 100 * (RSI(n) - lowest RSI) / (highest RSI - lowest RSI)   over m bars
///     %K = SMA(raw, k);   %D = SMA(%K, d)
///
/// With k = 1 it is the original without smoothing. Where the RSI did not move (by more than the rounding of its own
/// sums, 1e-9) raw is 50. From 0 to 100; %K from bar n + m + k - 1 on, %D d - 1 bars later. Source: T. S. Chande and
/// S. Kroll, "The New Technical Trader" (1994), there from 0 to 1.
struct StochasticRSI: StudyMachine {
    private var strength: RelativeStrength
    private var highest: RollingExtreme
    private var lowest: RollingExtreme
    private var smooth: RollingSum
    private var signal: RollingSum
    /// The first bar before which there are enough RSIs.
    private let first: Int
    let reach: Int

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        strength = RelativeStrength(settings.bars(0))
        highest = RollingExtreme(.highest, settings.bars(1), &plan)
        lowest = RollingExtreme(.lowest, settings.bars(1), &plan)
        smooth = RollingSum(settings.bars(2), &plan)
        signal = RollingSum(settings.bars(3), &plan)
        first = settings.bars(0) + settings.bars(1) - 1
        reach = max(settings.bars(1), settings.bars(2), settings.bars(3))
    }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        let rsi = strength.step(at, tape)
        tape.set(2, at, rsi)
        let column = tape.column(2)
        let top = highest.step(at, tape, column)
        let bottom = lowest.step(at, tape, column)
        var raw = Double.nan
        if tape.age(at) >= first, let top, let bottom {
            let range = column[top] - column[bottom]
            raw = range <= 1e-9 ? 50 : 100 * ((rsi - column[bottom]) / range)
        }
        tape.set(3, at, raw)
        let k = smooth.step(at, tape) { tape.value(3, $0) } / Double(smooth.length)
        tape.set(0, at, k)
        tape.set(1, at, signal.step(at, tape) { tape.value(0, $0) } / Double(signal.length))
    }
}

extension StudyDescription {
    static let stochasticRSI = StudyDescription(
        identifier: "stochrsi", name: "StochRSI", title: "Stochastic RSI", placement: .pane, source: .close,
        parameters: [
            .bars("RSI period", 14), .bars("Period", 14), .bars("Smooth %K", 3), .bars("Smooth %D", 3),
        ],
        outputs: [StudyOutput("%K"), StudyOutput("%D")], guides: [80, 20], fixedRange: 0...100, hiddenColumns: 2)
}
