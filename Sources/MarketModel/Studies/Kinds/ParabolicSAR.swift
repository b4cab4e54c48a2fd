/// Parabolic SAR: a stop that follows a trend ever faster and turns round where the price meets it.
///
///     SAR[+1] = SAR + AF * (EP - SAR)
///
/// EP is the extreme price of the trend; AF begins at a step and grows by it with each new extreme, up to a maximum. The
/// stop does not enter the range of its bar or the one before. Where a bar reaches it, the trend turns: the stop becomes
/// the extreme price. The first trend is up unless the second bar moved further down than up; the first stop is the far
/// end of the first bar.
///
/// In units of price; from the second bar on. Source: J. W. Wilder, "New Concepts in Technical Trading Systems" (1978);
/// the start, which the book leaves to the reader, as in TA-Lib's SAR.
struct ParabolicSAR: StudyMachine {
    private let acceleration: Double
    private let maximum: Double
    private var isRising = true
    /// The stop of the next bar.
    private var stop = 0.0
    private var extreme = 0.0
    private var factor = 0.0

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        maximum = settings[1]
        acceleration = min(settings[0], maximum)
        plan.reads(1)
    }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        let age = tape.age(at)
        guard age > 0 else { return tape.set(0, at, .nan) }
        if age == 1 { begin(at, tape) }
        // The bar before; the first stop stands at its end and is not held back by it.
        let before = age == 1 ? at : at - 1
        let top = max(tape.highs[before], tape.highs[at])
        let bottom = min(tape.lows[before], tape.lows[at])
        if isRising ? tape.lows[at] <= stop : tape.highs[at] >= stop {
            isRising.toggle()
            stop = isRising ? min(extreme, bottom) : max(extreme, top)
            tape.set(0, at, stop)
            extreme = isRising ? tape.highs[at] : tape.lows[at]
            factor = acceleration
        } else {
            tape.set(0, at, stop)
            if isRising ? tape.highs[at] > extreme : tape.lows[at] < extreme {
                extreme = isRising ? tape.highs[at] : tape.lows[at]
                factor = min(factor + acceleration, maximum)
            }
        }
        stop += factor * (extreme - stop)
        stop = isRising ? min(stop, bottom) : max(stop, top)
    }

    private mutating func begin(_ at: Int, _ tape: StudyTape) {
        let fell = tape.lows[at - 1] - tape.lows[at]
        let rose = tape.highs[at] - tape.highs[at - 1]
        isRising = !(fell > 0 && fell > rose)
        stop = isRising ? tape.lows[at - 1] : tape.highs[at - 1]
        extreme = isRising ? tape.highs[at] : tape.lows[at]
        factor = acceleration
    }
}
