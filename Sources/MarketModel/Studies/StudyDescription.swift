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

/// A number that a study can be set by.
public struct StudyParameter: Sendable {
    /// What a settings form calls it: "Period".
    public let name: StaticString
    /// The values it may take; others are clamped into it.
    public let range: ClosedRange<Double>
    /// The usual value.
    public let standard: Double
    /// Whether it counts something (bars, minutes) and is rounded to a whole number.
    public let isWhole: Bool

    /// The longest window, in bars.
    static let longest = 1000.0

    /// A number of bars.
    static func bars(_ name: StaticString, _ standard: Double, from least: Double = 1) -> StudyParameter {
        StudyParameter(name: name, range: least...longest, standard: standard, isWhole: true)
    }

    static func factor(
        _ name: StaticString, _ standard: Double, in range: ClosedRange<Double>
    ) -> StudyParameter {
        StudyParameter(name: name, range: range, standard: standard, isWhole: false)
    }

    /// The value nearest to `value` that the parameter can take; the usual one for NaN.
    public func clamped(_ value: Double) -> Double {
        guard !value.isNaN else { return standard }
        let inside = min(max(value, range.lowerBound), range.upperBound)
        return isWhole ? inside.rounded() : inside
    }
}

/// One of the value columns of a study.
public struct StudyOutput: Sendable {
    /// How its values are drawn.
    public enum Form: UInt8, Sendable {
        case line
        /// Columns from zero.
        case histogram
        /// A dot a bar, unconnected.
        case dots
        /// A line that bounds a band; the next output that is a band edge bounds the other side.
        case bandEdge
        /// Like a band edge, and the area between the two is coloured by which is above.
        case cloudEdge
    }

    /// "Signal"
    public let name: StaticString
    public let form: Form
    /// The direction in which the values are drawn away from their bars: 1 to the right (into the future), -1 to the
    /// left, 0 not at all. How far is in the settings, see `StudySettings.shift(ofOutput:)`.
    public let shiftDirection: Int

    init(_ name: StaticString, _ form: Form = .line, shiftDirection: Int = 0) {
        self.name = name
        self.form = form
        self.shiftDirection = shiftDirection
    }
}
