/// ROC: the change from the price n bars before.
///
///     ROC = 100 * (p / p[-n] - 1)
///
/// In percent; from bar n + 1 on. Source: J. J. Murphy, "Technical Analysis of the Financial Markets" (1999), ch. 10.
struct RateOfChange: StudyMachine {
    private let length: Int

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        length = settings.bars(0)
        plan.reads(length)
    }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        guard tape.age(at) >= length else { return tape.set(0, at, .nan) }
        let before = tape.price(at - length)
        tape.set(0, at, 100 * ((tape.price(at) - before) / before))
    }
}

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
    private var gains: ExponentialAverage
    private var losses: ExponentialAverage

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        gains = .wilder(settings.bars(0))
        losses = gains
        plan.reads(1)
    }

    mutating func step(_ at: Int, _ tape: StudyTape) { tape.set(0, at, value(at, tape)) }

    /// The index itself, for studies that are made of it.
    @inline(__always) mutating func value(_ at: Int, _ tape: StudyTape) -> Double {
        guard tape.age(at) > 0 else { return .nan }
        let change = tape.price(at) - tape.price(at - 1)
        let gain = gains.step(change > 0 ? change : 0)
        let loss = losses.step(change < 0 ? -change : 0)
        let both = gain + loss
        return both == 0 ? 50 : 100 * (gain / both)
    }
}

/// CCI: the distance of the price from its mean, in units of its usual distance.
///
///     CCI = (p - SMA(p, n)) / (0.015 * D);   D = mean of |p - SMA| over the n prices;   p = (high + low + close) / 3
///
/// Without a unit, most values between -100 and 100; 0 where the price is its mean. From the n-th bar on. Source:
/// D. Lambert, "Commodity Channel Index", Commodities magazine (October 1980).
///
/// - Complexity: O(n) a bar: with the mean all n distances change.
struct CommodityChannelIndex: StudyMachine {
    private let length: Int

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        length = settings.bars(0)
        plan.reads(length)
    }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        guard tape.age(at) >= length - 1 else { return tape.set(0, at, .nan) }
        // From the newest price, so that equal prices have a distance of exactly 0 and not two roundings' quotient.
        let price = tape.price(at)
        let rows = (at - length + 1)...at
        var sum = 0.0
        for row in rows { sum += tape.price(row) - price }
        let mean = sum / Double(length)
        var distances = 0.0
        for row in rows { distances += (tape.price(row) - price - mean).magnitude }
        tape.set(0, at, mean == 0 ? 0 : -mean / (0.015 * (distances / Double(length))))
    }
}

/// Williams %R: how far the close lies below the highest high of the last n bars, in their range.
///
///     %R = -100 * (highest high - close) / (highest high - lowest low)
///
/// From -100 to 0, and -50 where the n bars have no range, which the formula leaves open; from the n-th bar on. Source:
/// L. Williams, "How I Made One Million Dollars Last Year Trading Commodities" (1973).
struct WilliamsR: StudyMachine {
    private var range: RollingRange

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        range = RollingRange(settings.bars(0), &plan)
    }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        guard let (top, bottom) = range.step(at, tape) else { return tape.set(0, at, .nan) }
        let high = tape.highs[top]
        let range = high - tape.lows[bottom]
        tape.set(0, at, range > 0 ? -100 * ((high - tape.closes[at]) / range) : -50)
    }
}

/// Stochastic: where the close lies in the range of the last n bars.
///
///     raw = 100 * (close - lowest low) / (highest high - lowest low)   over n bars
///     %K = SMA(raw, k);   %D = SMA(%K, d)
///
/// With k = 1 it is the "fast" stochastic, with k = 3 the "slow" one. Where the n bars have no range, which the formula
/// leaves open, raw is 50. From 0 to 100; %K from bar n + k - 1 on, %D d - 1 bars later. Source: G. Lane, "Lane's
/// Stochastics", Stocks & Commodities 2 (1984).
struct StochasticOscillator: StudyMachine {
    private var range: RollingRange
    private var smooth: RollingSum
    private var signal: RollingSum

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        range = RollingRange(settings.bars(0), &plan)
        smooth = RollingSum(settings.bars(1), &plan)
        signal = RollingSum(settings.bars(2), &plan)
    }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        var raw = Double.nan
        if let (top, bottom) = range.step(at, tape) {
            let low = tape.lows[bottom]
            let range = tape.highs[top] - low
            raw = range > 0 ? 100 * ((tape.closes[at] - low) / range) : 50
        }
        tape.set(2, at, raw)
        let k = smooth.step(at, tape) { tape.value(2, $0) } / Double(smooth.length)
        tape.set(0, at, k)
        tape.set(1, at, signal.step(at, tape) { tape.value(0, $0) } / Double(signal.length))
    }
}

/// StochRSI: where the RSI lies in its own range of the last m bars.
///
///     raw = 100 * (RSI(n) - lowest RSI) / (highest RSI - lowest RSI)   over m bars
///     %K = SMA(raw, k);   %D = SMA(%K, d)
///
/// With k = 1 it is the original without smoothing. Where the RSI did not move (by more than the rounding of its own
/// sums, 1e-9) raw is 50. From 0 to 100; %K from bar n + m + k - 1 on, %D d - 1 bars later. Source: T. S. Chande and
/// S. Kroll, "The New Technical Trader" (1994), there from 0 to 1.
struct StochasticRSI: StudyMachine {
    private var strength: RelativeStrengthIndex
    private var range: RollingRange
    private var smooth: RollingSum
    private var signal: RollingSum
    /// The first bar before which there are enough RSIs.
    private let first: Int

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        strength = RelativeStrengthIndex(settings, &plan)
        range = RollingRange(settings.bars(1), &plan)
        smooth = RollingSum(settings.bars(2), &plan)
        signal = RollingSum(settings.bars(3), &plan)
        first = settings.bars(0) + settings.bars(1) - 1
    }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        let rsi = strength.value(at, tape)
        tape.set(2, at, rsi)
        let column = tape.column(2)
        let rows = range.step(at, tape, highs: column, lows: column)
        var raw = Double.nan
        if tape.age(at) >= first, let (top, bottom) = rows {
            let range = column[top] - column[bottom]
            raw = range <= 1e-9 ? 50 : 100 * ((rsi - column[bottom]) / range)
        }
        tape.set(3, at, raw)
        let k = smooth.step(at, tape) { tape.value(3, $0) } / Double(smooth.length)
        tape.set(0, at, k)
        tape.set(1, at, signal.step(at, tape) { tape.value(0, $0) } / Double(signal.length))
    }
}
