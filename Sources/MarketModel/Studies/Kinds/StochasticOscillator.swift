/// Stochastic: where the close lies in the range of the last n bars.
///
///     raw = 100 * (close - lowest low) / (highest high - lowest low)   over n bars
///     %K = SMA(raw, k);   %D = SMA(%K, d)
///
/// With k = 1 it is the "fast" stochastic, with k = 3 the "slow" one. Where the n bars have no range, which the formula
/// leaves open, raw is 50. From 0 to 100; %K from bar n + k - 1 on, %D d - 1 bars later. Source: G. Lane, "Lane's
/// Stochastics", Stocks & Commodities 2 (1984).
struct StochasticOscillator: StudyMachine {
    private var highest: RollingExtreme
    private var lowest: RollingExtreme
    private var smooth: RollingSum
    private var signal: RollingSum
    let reach: Int

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        highest = RollingExtreme(.highest, settings.bars(0), &plan)
        lowest = RollingExtreme(.lowest, settings.bars(0), &plan)
        smooth = RollingSum(settings.bars(1), &plan)
        signal = RollingSum(settings.bars(2), &plan)
        reach = max(settings.bars(0), settings.bars(1), settings.bars(2))
    }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        let top = highest.step(at, tape, tape.highs)
        let bottom = lowest.step(at, tape, tape.lows)
        var raw = Double.nan
        if let top, let bottom {
            let low = tape.lows[bottom]
            let range = tape.highs[top] - low
            raw = range > 0 ? 100 * ((tape.closes[at] - low) / range) : 50
        }
        tape.set(2, at, raw)
        let k = smooth.step(at, tape) { tape.value(2, $0) } / Double(smooth.length)
        tape.set(0, at, k)
        tape.set(1, at, signal.step(at, tape) { tape.value(0, $0) } / Double(signal.length))
    }
}

extension StudyDescription {
    static let stochastic = StudyDescription(
        identifier: "stochastic", name: "Stoch", title: "Stochastic Oscillator", placement: .pane,
        parameters: [.bars("Period", 14), .bars("Smooth %K", 3), .bars("Smooth %D", 3)],
        outputs: [StudyOutput("%K"), StudyOutput("%D")], guides: [80, 20], fixedRange: 0...100, hiddenColumns: 1)
}
