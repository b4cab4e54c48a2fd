/// OBV: volume counted up with rising closes and down with falling ones.
///
///     OBV = OBV[-1] + volume where close > close[-1], - volume where close < close[-1];   the first one is volume
///
/// In units of volume; its level means nothing, only its changes do. From the first bar on. Source: J. Granville,
/// "Granville's New Key to Stock Market Profits" (1963); the first value as in TA-Lib's OBV.
struct OnBalanceVolume: StudyMachine {
    private var total = 0.0

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) { plan.reads(1) }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        var change = tape.volumes[at]
        if tape.age(at) > 0 {
            let (close, before) = (tape.closes[at], tape.closes[at - 1])
            change = close > before ? change : close < before ? -change : 0
        }
        // A volume that no number can hold any more must not spoil all that follow.
        if (total + change).isFinite { total += change }
        tape.set(0, at, total)
    }
}

/// CMF: volume weighed by where in its bar the close lies, as a share of all volume.
///
///     m = ((close - low) - (high - close)) / (high - low);   CMF = Σ (m * volume) / Σ volume   over n bars
///
/// m is 0 for a bar without range, and CMF is 0 where nothing was traded; both are left open by the formula. From -1 to
/// 1; from the n-th bar on. Source: M. Chaikin's oscillator (1980s), in S. B. Achelis, "Technical Analysis from A to Z"
/// (2000).
struct ChaikinMoneyFlow: StudyMachine {
    private var flows: RollingSum
    private var volumes: RollingSum

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        flows = RollingSum(settings.bars(0), &plan)
        volumes = RollingSum(settings.bars(0), &plan)
    }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        let flow = flows.step(at, tape) { row in
            let (high, low, close) = (tape.highs[row], tape.lows[row], tape.closes[row])
            let range = high - low
            return range > 0 ? ((close - low) - (high - close)) / range * tape.volumes[row] : 0
        }
        let volume = volumes.step(at, tape) { tape.volumes[$0] }
        tape.set(0, at, volume == 0 ? 0 : flow / volume)
    }
}

/// MFI: the share of money that flowed at rising prices.
///
///     p = (high + low + close) / 3;   flow = p * volume, positive where p > p[-1], negative where p < p[-1]
///     MFI = 100 * Σ positive / (Σ positive + Σ negative)   over n bars
///
/// From 0 to 100, and 50 where no money flowed either way; from bar n + 1 on. Source: G. Quong and A. Soudack,
/// "Volume-Weighted RSI: Money Flow", Stocks & Commodities 7 (1989).
struct MoneyFlowIndex: StudyMachine {
    private var rises: RollingSum
    private var falls: RollingSum

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        rises = RollingSum(settings.bars(0), &plan)
        falls = RollingSum(settings.bars(0), &plan)
        // A flow needs the bar before its own.
        plan.reads(rises.length + 1)
    }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        let rise = rises.step(at, tape) { Self.flow($0, tape, sign: 1) }
        let fall = falls.step(at, tape) { Self.flow($0, tape, sign: -1) }
        let both = rise + fall
        tape.set(0, at, both == 0 ? 50 : 100 * (rise / both))
    }

    /// The flow of one sign. The first row there is has no price before it.
    @inline(__always) private static func flow(_ at: Int, _ tape: StudyTape, sign: Double) -> Double {
        guard at > 0 else { return .nan }
        let price = tape.typical(at)
        let change = price - tape.typical(at - 1)
        // Two bars with the same sum of prices can differ in its last bits, by the order in which they were added.
        return change * sign > 1e-15 * price ? price * tape.volumes[at] : 0
    }
}

/// VWAP: the mean price of the session so far, weighed by volume.
///
///     VWAP = Σ (p * volume) / Σ volume   over the bars of the session up to this one;   p = (high + low + close) / 3
///
/// A session lasts a day and begins at a set time of the day, UTC; a bar belongs to the one in which it starts. In
/// units of price; no value while nothing was traded in the session. Source: Berkowitz, Logue and Noser, "The Total
/// Cost of Transactions on the NYSE", Journal of Finance 43 (1988), computed from bars as charts do.
struct SessionVWAP: StudyMachine {
    private let start: Double
    /// Whole days from 1970 to the session's beginning.
    private var session = -Double.infinity
    private var traded = 0.0
    private var volume = 0.0

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) { start = settings[0] * 60 }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        let session = ((tape.bars.timestamps[at] - start) / 86_400).rounded(.down)
        if session != self.session {
            self.session = session
            (traded, volume) = (0, 0)
        }
        traded += tape.price(at) * tape.volumes[at]
        volume += tape.volumes[at]
        tape.set(0, at, volume > 0 ? traded / volume : .nan)
    }
}
