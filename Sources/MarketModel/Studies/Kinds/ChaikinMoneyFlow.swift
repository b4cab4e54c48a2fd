/// CMF: volume weighed by where in its bar the close lies, as a share of all volume.
///
///     m = ((close - low) - (high - close)) / (high - low);   CMF = Σ (m * volume) / Σ volume   over n bars
///
/// m is 0 for a bar without range, and CMF is 0 where nothing was traded; both are left open by the formula. From -1 to
/// 1; from the n-th bar on. Source: M. Chaikin's oscillator (1980s), in S. B. Achelis, "Technical Analysis from A to Z"
/// (2000).
struct ChaikinMoneyFlow: StudyMachine {
    private var flows: RollingSum
    private var volumes: RollingSum

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        flows = RollingSum(settings.bars(0), &plan)
        volumes = RollingSum(settings.bars(0), &plan)
    }

    var reach: Int { flows.length }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        let flow = flows.step(at, tape) { row in
            let (high, low, close) = (tape.highs[row], tape.lows[row], tape.closes[row])
            let range = high - low
            return range > 0 ? ((close - low) - (high - close)) / range * tape.volumes[row] : 0
        }
        let volume = volumes.step(at, tape) { tape.volumes[$0] }
        tape.set(0, at, volume == 0 ? 0 : flow / volume)
    }
}

extension StudyDescription {
    static let cmf = StudyDescription(
        identifier: "cmf", name: "CMF", title: "Chaikin Money Flow", placement: .pane,
        parameters: [.bars("Period", 20)], outputs: [StudyOutput("CMF")], guides: [0], fixedRange: -1...1)
}
