/// ATR: how far a bar moves, smoothed.
///
///     TR = max(high, close[-1]) - min(low, close[-1]);   ATR = (ATR[-1] * (n-1) + TR) / n
///
/// The first bar has no true range, as it has no close before it; the first ATR is the mean of the next n. In units of
/// price; from bar n + 1 on. Source: J. W. Wilder, "New Concepts in Technical Trading Systems" (1978).
struct AverageTrueRange: StudyMachine {
    private var average: ExponentialAverage

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        average = .wilder(settings.bars(0))
        plan.reads(1)
    }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        tape.set(0, at, average.step(tape.trueRange(at)))
    }
}

/// ADX and DMI: how much of the movement goes one way, and how strongly either way prevails.
///
///     up = high - high[-1];   down = low[-1] - low
///     +DM = up where up > down and up > 0, else 0;   -DM = down where down > up and down > 0, else 0
///     +DI = 100 * W(+DM) / W(TR);   -DI = 100 * W(-DM) / W(TR)   over n bars
///     DX = 100 * |+DI - -DI| / (+DI + -DI);   ADX = W(DX)   over m bars
///
/// W is Wilder's average, whose first value is the mean of the first n. Without any range the DI are 0, and without
/// either of them DX is 0. From 0 to 100; DI from bar n + 1 on, ADX m - 1 bars later. Source: J. W. Wilder, "New Concepts
/// in Technical Trading Systems" (1978).
struct AverageDirectionalIndex: StudyMachine {
    private var rises: ExponentialAverage
    private var falls: ExponentialAverage
    private var ranges: ExponentialAverage
    private var index: ExponentialAverage

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        rises = .wilder(settings.bars(0))
        falls = .wilder(settings.bars(0))
        ranges = .wilder(settings.bars(0))
        index = .wilder(settings.bars(1))
        plan.reads(1)
    }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        var (adx, plus, minus) = (Double.nan, Double.nan, Double.nan)
        if tape.age(at) > 0 {
            let up = tape.highs[at] - tape.highs[at - 1]
            let down = tape.lows[at - 1] - tape.lows[at]
            let rise = rises.step(up > down && up > 0 ? up : 0)
            let fall = falls.step(down > up && down > 0 ? down : 0)
            let range = ranges.step(tape.trueRange(at))
            plus = range == 0 ? 0 : 100 * (rise / range)
            minus = range == 0 ? 0 : 100 * (fall / range)
            let both = plus + minus
            adx = index.step(both == 0 ? 0 : 100 * ((plus - minus).magnitude / both))
        }
        tape.set(0, at, adx)
        tape.set(1, at, plus)
        tape.set(2, at, minus)
    }
}

/// Aroon: how lately the highest high and the lowest low of the last n bars were.
///
///     up = 100 * (n - bars since the highest high) / n;   down = 100 * (n - bars since the lowest low) / n
///
/// They are sought in the bar itself and the n before it; of equal ones the newest counts. From 0 to 100; from bar n + 1
/// on. Source: T. S. Chande, "A Time Price Oscillator", Stocks & Commodities 13 (1995).
struct Aroon: StudyMachine {
    private var range: RollingRange
    private let length: Int

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        length = settings.bars(0)
        range = RollingRange(length + 1, &plan)
    }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        func share(_ row: Int?) -> Double {
            row.map { 100 * Double(length - (at - $0)) / Double(length) } ?? .nan
        }
        let rows = range.step(at, tape)
        tape.set(0, at, share(rows?.top))
        tape.set(1, at, share(rows?.bottom))
    }
}

/// Supertrend: a stop at a distance of average true ranges, which only comes nearer while the trend lasts.
///
///     upper = (high + low) / 2 + k * ATR(n);   lower = (high + low) / 2 - k * ATR(n)
///     the upper line falls but does not rise unless the close before was above it; the lower line the other way round
///
/// A falling trend, which is assumed at first, follows the upper line until a close above it; a rising one the lower
/// line until a close below it. Each has an output of its own, without a value while the other holds. In units of price;
/// from bar n + 1 on. Source: O. Seban's indicator (2000s), after the published formula of its common form.
struct Supertrend: StudyMachine {
    private var range: ExponentialAverage
    private let factor: Double
    private var upper = Double.nan
    private var lower = Double.nan
    private var isRising = false

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        range = .wilder(settings.bars(0))
        factor = settings[1]
        plan.reads(1)
    }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        tape.set(0, at, .nan)
        tape.set(1, at, .nan)
        let distance = factor * range.step(tape.trueRange(at))
        guard distance.isFinite else { return }
        let middle = (tape.highs[at] + tape.lows[at]) / 2
        let before = tape.closes[at - 1]
        // The first lines are NaN, which no comparison holds back.
        if !(middle + distance >= upper) || before > upper || upper.isNaN { upper = middle + distance }
        if !(middle - distance <= lower) || before < lower || lower.isNaN { lower = middle - distance }
        isRising = isRising ? tape.closes[at] >= lower : tape.closes[at] > upper
        tape.set(isRising ? 0 : 1, at, isRising ? lower : upper)
    }
}
