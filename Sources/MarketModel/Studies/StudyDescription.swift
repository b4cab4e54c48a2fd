/// All that is constant about a kind of study.
struct StudyDescription: Sendable {
    let identifier, name, title: StaticString
    let placement: StudyPlacement
    let source: PriceSource?
    let parameters: [StudyParameter]
    let outputs: [StudyOutput]
    let guides: [Double]
    let fixedRange: ClosedRange<Double>?
    /// Columns behind the outputs that its windows look back into.
    let hiddenColumns: Int

    private init(
        _ identifier: StaticString, _ name: StaticString, _ title: StaticString, _ placement: StudyPlacement,
        of source: PriceSource? = nil, _ parameters: [StudyParameter], _ outputs: [StudyOutput], guides: [Double] = [],
        range: ClosedRange<Double>? = nil, hidden hiddenColumns: Int = 0
    ) {
        (self.identifier, self.name, self.title) = (identifier, name, title)
        (self.placement, self.source) = (placement, source)
        (self.parameters, self.outputs, self.hiddenColumns) = (parameters, outputs, hiddenColumns)
        (self.guides, fixedRange) = (guides, range)
    }

    /// In the order of the kinds' raw values.
    static let all: [StudyDescription] = [
        .init("sma", "SMA", "Simple Moving Average", .price, of: .close, [.bars("Period", 20)], [.init("SMA")]),
        .init("ema", "EMA", "Exponential Moving Average", .price, of: .close, [.bars("Period", 20)], [.init("EMA")]),
        .init("wma", "WMA", "Weighted Moving Average", .price, of: .close, [.bars("Period", 20)], [.init("WMA")]),
        .init("rma", "RMA", "Wilder's Moving Average", .price, of: .close, [.bars("Period", 14)], [.init("RMA")]),
        .init(
            "vwap", "VWAP", "Volume-Weighted Average Price", .price, of: .hlc3,
            [.whole("Session start (minutes after 00:00 UTC)", 0, in: 0...1439)], [.init("VWAP")]),
        .init(
            "bollinger", "BB", "Bollinger Bands", .price, of: .close,
            [.bars("Period", 20), .factor("Deviations", 2, in: 0.1...20)], StudyOutput.bands),
        .init(
            "keltner", "KC", "Keltner Channels", .price, of: .close,
            [.bars("Period", 20), .bars("ATR period", 10), .factor("ATR factor", 2, in: 0.1...20)], StudyOutput.bands),
        .init("donchian", "DC", "Donchian Channels", .price, [.bars("Period", 20)], StudyOutput.bands),
        .init(
            "ichimoku", "Ichimoku", "Ichimoku Cloud", .price,
            [.bars("Conversion", 9), .bars("Base", 26), .bars("Span B", 52), .bars("Displacement", 26)],
            [
                .init("Conversion"), .init("Base"), .init("Span A", .cloudEdge, shiftDirection: 1),
                .init("Span B", .cloudEdge, shiftDirection: 1), .init("Lagging", shiftDirection: -1),
            ]),
        .init(
            "sar", "SAR", "Parabolic SAR", .price,
            [.factor("Step", 0.02, in: 0.001...1), .factor("Maximum", 0.2, in: 0.001...1)], [.init("SAR", .dots)]),
        .init(
            "supertrend", "Supertrend", "Supertrend", .price,
            [.bars("ATR period", 10), .factor("ATR factor", 3, in: 0.1...20)], [.init("Rising"), .init("Falling")]),
        .init(
            "rsi", "RSI", "Relative Strength Index", .pane, of: .close, [.bars("Period", 14)], [.init("RSI")],
            guides: [70, 30], range: 0...100),
        .init(
            "macd", "MACD", "Moving Average Convergence/Divergence", .pane, of: .close,
            [.bars("Fast", 12), .bars("Slow", 26), .bars("Signal", 9)],
            [.init("MACD"), .init("Signal"), .init("Histogram", .histogram)], guides: [0]),
        .init(
            "stochastic", "Stoch", "Stochastic Oscillator", .pane,
            [.bars("Period", 14), .bars("Smooth %K", 3), .bars("Smooth %D", 3)], [.init("%K"), .init("%D")],
            guides: [80, 20], range: 0...100, hidden: 1),
        .init(
            "stochrsi", "StochRSI", "Stochastic RSI", .pane, of: .close,
            [.bars("RSI period", 14), .bars("Period", 14), .bars("Smooth %K", 3), .bars("Smooth %D", 3)],
            [.init("%K"), .init("%D")], guides: [80, 20], range: 0...100, hidden: 2),
        .init("atr", "ATR", "Average True Range", .pane, [.bars("Period", 14)], [.init("ATR")]),
        .init(
            "adx", "ADX", "Average Directional Index", .pane, [.bars("DI period", 14), .bars("ADX period", 14)],
            [.init("ADX"), .init("+DI"), .init("-DI")], guides: [25]),
        .init(
            "cci", "CCI", "Commodity Channel Index", .pane, of: .hlc3, [.bars("Period", 20)], [.init("CCI")],
            guides: [100, -100]),
        .init("obv", "OBV", "On-Balance Volume", .pane, [], [.init("OBV")]),
        .init(
            "mfi", "MFI", "Money Flow Index", .pane, [.bars("Period", 14)], [.init("MFI")], guides: [80, 20],
            range: 0...100),
        .init(
            "williams", "%R", "Williams %R", .pane, [.bars("Period", 14)], [.init("%R")], guides: [-20, -80],
            range: -100...0),
        .init("roc", "ROC", "Rate of Change", .pane, of: .close, [.bars("Period", 10)], [.init("ROC")], guides: [0]),
        .init(
            "aroon", "Aroon", "Aroon", .pane, [.bars("Period", 14)], [.init("Up"), .init("Down")], guides: [70, 30],
            range: 0...100),
        .init(
            "cmf", "CMF", "Chaikin Money Flow", .pane, [.bars("Period", 20)], [.init("CMF")], guides: [0], range: -1...1
        ),
    ]
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
    static let maxBars = 1000.0

    /// A number of bars.
    static func bars(_ name: StaticString, _ standard: Double) -> StudyParameter {
        whole(name, standard, in: 1...maxBars)
    }

    static func whole(_ name: StaticString, _ standard: Double, in range: ClosedRange<Double>) -> StudyParameter {
        StudyParameter(name: name, range: range, standard: standard, isWhole: true)
    }

    static func factor(_ name: StaticString, _ standard: Double, in range: ClosedRange<Double>) -> StudyParameter {
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

    static let bands: [StudyOutput] = [.init("Middle"), .init("Upper", .bandEdge), .init("Lower", .bandEdge)]
}
