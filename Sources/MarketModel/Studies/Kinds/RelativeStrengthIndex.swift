/// RSI: the share of the rises in all movement, smoothed.
///
///     gain = max(p - p[-1], 0);  loss = max(p[-1] - p, 0)
///     G, L = Wilder's averages of gain and loss over n bars: the mean of the first n, then (A[-1] * (n-1) + a) / n
///     RSI = 100 * G / (G + L)
///
/// That is Wilder's 100 - 100 / (1 + G / L) without the division by L: with no losses it is 100. Where nothing moved at
/// all, which the formula leaves open, it is 50. From 0 to 100; from bar n + 1 on. Source: J. W. Wilder, "New Concepts in
/// Technical Trading Systems" (1978).
struct RelativeStrengthIndex: StudyMachine {
    private var strength: RelativeStrength

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        strength = RelativeStrength(settings.bars(0))
    }

    var reach: Int { 1 }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        tape.set(0, at, strength.step(at, tape))
    }
}

/// The index itself, for the studies that are made of it.
struct RelativeStrength: Sendable {
    private var gains: ExponentialAverage
    private var losses: ExponentialAverage

    init(_ length: Int) {
        gains = .wilder(length)
        losses = .wilder(length)
    }

    @inline(__always) mutating func step(_ at: Int, _ tape: StudyTape) -> Double {
        guard tape.age(at) > 0 else { return .nan }
        let change = tape.price(at) - tape.price(at - 1)
        let gain = gains.step(change > 0 ? change : 0)
        let loss = losses.step(change < 0 ? -change : 0)
        let both = gain + loss
        return both == 0 ? 50 : 100 * (gain / both)
    }
}

extension StudyDescription {
    static let rsi = StudyDescription(
        identifier: "rsi", name: "RSI", title: "Relative Strength Index", placement: .pane, source: .close,
        parameters: [.bars("Period", 14)], outputs: [StudyOutput("RSI")], guides: [70, 30], fixedRange: 0...100)
}
