/// Aroon: how lately the highest high and the lowest low of the last n bars were.
///
///     up = 100 * (n - bars since the highest high) / n;   down = 100 * (n - bars since the lowest low) / n
///
/// They are sought in the bar itself and the n before it; of equal ones the newest counts. From 0 to 100; from bar n + 1
/// on. Source: T. S. Chande, "A Time Price Oscillator", Stocks & Commodities 13 (1995).
struct Aroon: StudyMachine {
    private var highest: RollingExtreme
    private var lowest: RollingExtreme
    private let length: Int

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        length = settings.bars(0)
        highest = RollingExtreme(.highest, length + 1, &plan)
        lowest = RollingExtreme(.lowest, length + 1, &plan)
    }

    var reach: Int { length + 1 }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        tape.set(0, at, share(highest.step(at, tape, tape.highs), at))
        tape.set(1, at, share(lowest.step(at, tape, tape.lows), at))
    }

    @inline(__always) private func share(_ row: Int?, _ at: Int) -> Double {
        guard let row else { return .nan }
        return 100 * Double(length - (at - row)) / Double(length)
    }
}

extension StudyDescription {
    static let aroon = StudyDescription(
        identifier: "aroon", name: "Aroon", title: "Aroon", placement: .pane, parameters: [.bars("Period", 14)],
        outputs: [StudyOutput("Up"), StudyOutput("Down")], guides: [70, 30], fixedRange: 0...100)
}
