/// Ichimoku kinko hyo: middles of ranges over three lengths, two of them drawn ahead, and the close drawn behind.
///
///     middle(n) = (highest high + lowest low of the last n bars) / 2
///     conversion (tenkan) = middle(a);   base (kijun) = middle(b)
///     span A = (conversion + base) / 2;   span B = middle(c);   lagging (chikou) = close
///
/// Every value stands at the bar it is computed from; spans A and B, the edges of the cloud, are drawn d bars to the
/// right of it and the lagging line d bars to the left (`StudySettings.shift(ofOutput:)`). In units of price; from the
/// a-th, b-th, later of the two, c-th and first bar on. Source: G. Hosoda, "Ichimoku kinko hyo" (1969).
struct IchimokuCloud: StudyMachine {
    private var conversion: RollingRange
    private var base: RollingRange
    private var span: RollingRange

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        conversion = RollingRange(settings.bars(0), &plan)
        base = RollingRange(settings.bars(1), &plan)
        span = RollingRange(settings.bars(2), &plan)
    }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        func middle(_ rows: (top: Int, bottom: Int)?) -> Double {
            rows.map { (tape.highs[$0.top] + tape.lows[$0.bottom]) / 2 } ?? .nan
        }
        let tenkan = middle(conversion.step(at, tape))
        let kijun = middle(base.step(at, tape))
        tape.set(0, at, tenkan)
        tape.set(1, at, kijun)
        tape.set(2, at, (tenkan + kijun) / 2)
        tape.set(3, at, middle(span.step(at, tape)))
        tape.set(4, at, tape.closes[at])
    }
}
