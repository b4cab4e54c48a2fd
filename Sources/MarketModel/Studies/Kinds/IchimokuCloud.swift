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
    private var conversion: Middle
    private var base: Middle
    private var span: Middle

    private struct Middle: Sendable {
        var highest: RollingExtreme
        var lowest: RollingExtreme

        init(_ length: Int, _ plan: inout ScratchPlan) {
            highest = RollingExtreme(.highest, length, &plan)
            lowest = RollingExtreme(.lowest, length, &plan)
        }

        @inline(__always) mutating func step(_ at: Int, _ tape: StudyTape) -> Double {
            let top = highest.step(at, tape, tape.highs)
            let bottom = lowest.step(at, tape, tape.lows)
            guard let top, let bottom else { return .nan }
            return (tape.highs[top] + tape.lows[bottom]) / 2
        }
    }

    let reach: Int

    init(_ settings: StudySettings, _ plan: inout ScratchPlan) {
        conversion = Middle(settings.bars(0), &plan)
        base = Middle(settings.bars(1), &plan)
        span = Middle(settings.bars(2), &plan)
        reach = max(settings.bars(0), settings.bars(1), settings.bars(2))
    }

    mutating func step(_ at: Int, _ tape: StudyTape) {
        let tenkan = conversion.step(at, tape)
        let kijun = base.step(at, tape)
        tape.set(0, at, tenkan)
        tape.set(1, at, kijun)
        tape.set(2, at, (tenkan + kijun) / 2)
        tape.set(3, at, span.step(at, tape))
        tape.set(4, at, tape.closes[at])
    }
}

extension StudyDescription {
    static let ichimoku = StudyDescription(
        identifier: "ichimoku", name: "Ichimoku", title: "Ichimoku Cloud", placement: .price,
        parameters: [
            .bars("Conversion", 9), .bars("Base", 26), .bars("Span B", 52), .bars("Displacement", 26),
        ],
        outputs: [
            StudyOutput("Conversion"), StudyOutput("Base"), StudyOutput("Span A", .cloudEdge, shiftDirection: 1),
            StudyOutput("Span B", .cloudEdge, shiftDirection: 1), StudyOutput("Lagging", shiftDirection: -1),
        ])
}
