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
        case .wma: .wma
        case .rma: .rma
        case .vwap: .vwap
        case .bollinger: .bollinger
        case .keltner: .keltner
        case .donchian: .donchian
        case .ichimoku: .ichimoku
        case .parabolicSAR: .parabolicSAR
        case .supertrend: .supertrend
        case .rsi: .rsi
        case .macd: .macd
        case .stochastic: .stochastic
        case .stochasticRSI: .stochasticRSI
        case .atr: .atr
        case .adx: .adx
        case .cci: .cci
        case .obv: .obv
        case .mfi: .mfi
        case .williamsR: .williamsR
        case .roc: .roc
        case .aroon: .aroon
        case .cmf: .cmf
        }
    }
}
