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

    mutating func step(_ at: Int, _ tape: StudyTape) {
        tape.set(0, at, sum.step(at, tape) { tape.price($0) } / Double(sum.length))
    }
}

/// EMA: an average in which the weight of a price falls by the same share with each bar.
///
///     k = 2 / (n + 1)
///     EMA = EMA[-1] + k * (p - EMA[-1]),   the first one the SMA of the first n prices
///
/// In units of price; from the n-th bar on. Source: J. J. Murphy, "Technical Analysis of the Financial Markets" (1999),
/// ch. 9; the seed is that of TA-Lib's EMA.
///
/// RMA, Wilder's moving average, is the same with k = 1 / n. Source: J. W. Wilder, "New Concepts in Technical Trading
/// Systems" (1978), where it smooths RSI, ATR and ADX.
struct ExponentialMovingAverage: StudyMachine {
    private var average: ExponentialAverage

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        let length = settings.bars(0)
        average = settings.kind == .rma ? .wilder(length) : ExponentialAverage(length)
    }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        tape.set(0, at, average.step(tape.price(at)))
    }
}

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

    mutating func step(_ at: Int, _ tape: StudyTape) {
        tape.set(0, at, sum.step(at, tape) { tape.price($0) } / weights)
    }
}

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

    mutating func step(_ at: Int, _ tape: StudyTape) {
        let price = tape.price(at)
        let distance = fast.step(price) - slow.step(price)
        let average = signal.step(distance)
        tape.set(0, at, distance)
        tape.set(1, at, average)
        tape.set(2, at, distance - average)
    }
}
