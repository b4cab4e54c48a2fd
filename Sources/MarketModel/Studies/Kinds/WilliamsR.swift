/// Williams %R: how far the close lies below the highest high of the last n bars, in their range.
///
///     %R = -100 * (highest high - close) / (highest high - lowest low)
///
/// From -100 to 0, and -50 where the n bars have no range, which the formula leaves open; from the n-th bar on. Source:
/// L. Williams, "How I Made One Million Dollars Last Year Trading Commodities" (1973).
struct WilliamsR: StudyMachine {
    private var highest: RollingExtreme
    private var lowest: RollingExtreme
    let reach: Int

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        reach = settings.bars(0)
        highest = RollingExtreme(.highest, reach, &plan)
        lowest = RollingExtreme(.lowest, reach, &plan)
    }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        let top = highest.step(at, tape, tape.highs)
        let bottom = lowest.step(at, tape, tape.lows)
        guard let top, let bottom else { return tape.set(0, at, .nan) }
        let high = tape.highs[top]
        let range = high - tape.lows[bottom]
        tape.set(0, at, range > 0 ? -100 * ((high - tape.closes[at]) / range) : -50)
    }
}

extension StudyDescription {
    static let williamsR = StudyDescription(
        identifier: "williams", name: "%R", title: "Williams %R", placement: .pane, parameters: [.bars("Period", 14)],
        outputs: [StudyOutput("%R")], guides: [-20, -80], fixedRange: -100...0)
}
