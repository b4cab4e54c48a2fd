/// All that is constant about a kind of study; each kind's file has its own beside its formula.
struct StudyDescription: Sendable {
    var identifier: StaticString
    var name: StaticString
    var title: StaticString
    var placement: StudyPlacement
    var source: PriceSource?
    var parameters: [StudyParameter]
    var outputs: [StudyOutput]
    var guides: [Double] = []
    var fixedRange: ClosedRange<Double>?
    /// Columns behind the outputs that its windows look back into.
    var hiddenColumns = 0
}

extension StudyKind {
    var description: StudyDescription {
        switch self {
        case .sma: .sma
        case .ema: .ema
        case .bollinger: .bollinger
        case .rsi: .rsi
        case .macd: .macd
        case .stochastic: .stochastic
        }
    }
}
