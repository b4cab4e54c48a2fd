/// ROC: the change from the price n bars before.
///
///     ROC = 100 * (p / p[-n] - 1)
///
/// In percent; from bar n + 1 on. Source: J. J. Murphy, "Technical Analysis of the Financial Markets" (1999), ch. 10.
struct RateOfChange: StudyMachine {
    let reach: Int

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        reach = settings.bars(0)
    }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        guard tape.age(at) >= reach else { return tape.set(0, at, .nan) }
        let before = tape.price(at - reach)
        tape.set(0, at, 100 * ((tape.price(at) - before) / before))
    }
}

extension StudyDescription {
    static let roc = StudyDescription(
        identifier: "roc", name: "ROC", title: "Rate of Change", placement: .pane, source: .close,
        parameters: [.bars("Period", 10)], outputs: [StudyOutput("ROC")], guides: [0])
}
