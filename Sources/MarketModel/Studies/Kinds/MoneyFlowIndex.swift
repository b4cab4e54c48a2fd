/// MFI: the share of money that flowed at rising prices.
///
///     p = (high + low + close) / 3;   flow = p * volume, positive where p > p[-1], negative where p < p[-1]
///     MFI = 100 * Σ positive / (Σ positive + Σ negative)   over n bars
///
/// From 0 to 100, and 50 where no money flowed either way; from bar n + 1 on. Source: G. Quong and A. Soudack,
/// "Volume-Weighted RSI: Money Flow", Stocks & Commodities 7 (1989).
struct MoneyFlowIndex: StudyMachine {
    private var rises: RollingSum
    private var falls: RollingSum

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        rises = RollingSum(settings.bars(0), &plan)
        falls = RollingSum(settings.bars(0), &plan)
    }

    /// A flow needs the bar before its own.
    var reach: Int { rises.length + 1 }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        let rise = rises.step(at, tape) { Self.flow($0, tape, sign: 1) }
        let fall = falls.step(at, tape) { Self.flow($0, tape, sign: -1) }
        let both = rise + fall
        tape.set(0, at, both == 0 ? 50 : 100 * (rise / both))
    }

    /// The flow of one sign. The first row there is has no price before it.
    @inline(__always) private static func flow(_ at: Int, _ tape: StudyTape, sign: Double) -> Double {
        guard at > 0 else { return .nan }
        let price = tape.typical(at)
        let change = price - tape.typical(at - 1)
        // Two bars with the same sum of prices can differ in its last bits, by the order in which they were added.
        return change * sign > 1e-15 * price ? price * tape.volumes[at] : 0
    }
}

extension StudyDescription {
    static let mfi = StudyDescription(
        identifier: "mfi", name: "MFI", title: "Money Flow Index", placement: .pane,
        parameters: [.bars("Period", 14)], outputs: [StudyOutput("MFI")], guides: [80, 20], fixedRange: 0...100)
}
