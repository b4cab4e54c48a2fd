/// WMA: a mean in which the newest price counts n times, the one before n - 1 times, the oldest once.
///
///     WMA = (n * p[0] + (n-1) * p[-1] + … + p[-n+1]) / (n * (n+1) / 2)
///
/// In units of price; from the n-th bar on. Source: J. J. Murphy, "Technical Analysis of the Financial Markets" (1999),
/// ch. 9, "linearly weighted moving average".
struct WeightedMovingAverage: StudyMachine {
    private var sum: RollingWeightedSum
    private let weights: Double

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        sum = RollingWeightedSum(settings.bars(0), &plan)
        weights = Double(sum.length * (sum.length + 1) / 2)
    }

    var reach: Int { sum.length }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        tape.set(0, at, sum.step(at, tape) { tape.price($0) } / weights)
    }
}

extension StudyDescription {
    static let wma = StudyDescription(
        identifier: "wma", name: "WMA", title: "Weighted Moving Average", placement: .price, source: .close,
        parameters: [.bars("Period", 20)], outputs: [StudyOutput("WMA")])
}
