/// MACD: the distance of two exponential averages, and its own average.
///
///     MACD = EMA(p, fast) - EMA(p, slow);   signal = EMA(MACD, n);   histogram = MACD - signal
///
/// Each EMA is seeded with the SMA of its own first values, as the EMA study is. In units of price; MACD from the bar of
/// the slower average on, signal and histogram n - 1 bars later. Source: G. Appel, "Technical Analysis: Power Tools for
/// Active Investors" (2005).
struct MovingAverageConvergence: StudyMachine {
    private var fast: ExponentialAverage
    private var slow: ExponentialAverage
    private var signal: ExponentialAverage

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        fast = ExponentialAverage(settings.bars(0))
        slow = ExponentialAverage(settings.bars(1))
        signal = ExponentialAverage(settings.bars(2))
    }

    var reach: Int { 0 }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        let price = tape.price(at)
        let distance = fast.step(price) - slow.step(price)
        let average = signal.step(distance)
        tape.set(0, at, distance)
        tape.set(1, at, average)
        tape.set(2, at, distance - average)
    }
}

extension StudyDescription {
    static let macd = StudyDescription(
        identifier: "macd", name: "MACD", title: "Moving Average Convergence/Divergence", placement: .pane,
        source: .close, parameters: [.bars("Fast", 12), .bars("Slow", 26), .bars("Signal", 9)],
        outputs: [StudyOutput("MACD"), StudyOutput("Signal"), StudyOutput("Histogram", .histogram)], guides: [0])
}
