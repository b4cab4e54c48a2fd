/// SMA: the mean of the last n prices.
///
///     SMA = (p[0] + p[-1] + … + p[-n+1]) / n
///
/// In units of price; from the n-th bar on. Source: any textbook; J. J. Murphy, "Technical Analysis of the Financial
/// Markets" (1999), ch. 9.
struct SimpleMovingAverage: StudyMachine {
    private var sum: RollingSum

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        sum = RollingSum(settings.bars(0), &plan)
    }

    var reach: Int { sum.length }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        tape.set(0, at, sum.step(at, tape) { tape.price($0) } / Double(sum.length))
    }
}

extension StudyDescription {
    static let sma = StudyDescription(
        identifier: "sma", name: "SMA", title: "Simple Moving Average", placement: .price, source: .close,
        parameters: [.bars("Period", 20)], outputs: [StudyOutput("SMA")])
}
