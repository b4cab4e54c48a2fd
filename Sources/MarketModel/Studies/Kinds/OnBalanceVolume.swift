/// OBV: volume counted up with rising closes and down with falling ones.
///
///     OBV = OBV[-1] + volume where close > close[-1], - volume where close < close[-1];   the first one is volume
///
/// In units of volume; its level means nothing, only its changes do. From the first bar on. Source: J. Granville,
/// "Granville's New Key to Stock Market Profits" (1963); the first value as in TA-Lib's OBV.
struct OnBalanceVolume: StudyMachine {
    private var total = 0.0

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {}

    var reach: Int { 1 }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        var change = tape.volumes[at]
        if tape.age(at) > 0 {
            let (close, before) = (tape.closes[at], tape.closes[at - 1])
            change = close > before ? change : close < before ? -change : 0
        }
        // A volume that no number can hold any more must not spoil all that follow.
        if (total + change).isFinite { total += change }
        tape.set(0, at, total)
    }
}

extension StudyDescription {
    static let obv = StudyDescription(
        identifier: "obv", name: "OBV", title: "On-Balance Volume", placement: .pane, parameters: [],
        outputs: [StudyOutput("OBV")])
}
