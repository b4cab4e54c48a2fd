/// Donchian channels: the highest high and the lowest low of the last n bars, and the middle of the two.
///
/// The bar itself is among the n. In units of price; from the n-th bar on. Source: R. Donchian's four-week rule
/// (1960s), in J. J. Murphy, "Technical Analysis of the Financial Markets" (1999), ch. 9.
struct DonchianChannels: StudyMachine {
    private var highest: RollingExtreme
    private var lowest: RollingExtreme
    let reach: Int

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        reach = settings.bars(0)
        highest = RollingExtreme(.highest, reach, &plan)
        lowest = RollingExtreme(.lowest, reach, &plan)
    }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        let upper = highest.step(at, tape, tape.highs).map { tape.highs[$0] } ?? .nan
        let lower = lowest.step(at, tape, tape.lows).map { tape.lows[$0] } ?? .nan
        tape.set(0, at, (upper + lower) / 2)
        tape.set(1, at, upper)
        tape.set(2, at, lower)
    }
}

extension StudyDescription {
    static let donchian = StudyDescription(
        identifier: "donchian", name: "DC", title: "Donchian Channels", placement: .price,
        parameters: [.bars("Period", 20)],
        outputs: [
            StudyOutput("Middle"), StudyOutput("Upper", .bandEdge), StudyOutput("Lower", .bandEdge),
        ])
}
