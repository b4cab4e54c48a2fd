/// Which study, and how it is set.
public struct StudySettings: Sendable, Equatable {
    public let kind: StudyKind
    /// The price it is computed from; without effect where the kind has no `defaultSource`.
    public var source: PriceSource
    private var values: [Double]

    /// The usual settings of a kind.
    public init(_ kind: StudyKind) {
        self.kind = kind
        source = kind.defaultSource ?? .close
        values = kind.parameters.map { $0.standard }
    }

    /// A kind with its first parameters set, each clamped to its range; what is left out keeps its usual value, and
    /// what the kind does not have is ignored.
    public init(_ kind: StudyKind, parameters: [Double], source: PriceSource? = nil) {
        self.init(kind)
        for index in parameters.indices { self[index] = parameters[index] }
        if let source { self.source = source }
    }

    /// How many parameters the kind has.
    public var parameterCount: Int { values.count }

    /// The value of parameter `index`, in the order of `StudyKind.parameters`. A new value is clamped to the
    /// parameter's range. An index that the kind does not have reads as NaN and accepts no value.
    public subscript(index: Int) -> Double {
        get { index >= 0 && index < parameterCount ? values[index] : .nan }
        set {
            guard index >= 0, index < parameterCount else { return }
            values[index] = kind.parameters[index].clamped(newValue)
        }
    }

    /// By how many bars output `index` is drawn away from the bars its values belong to: positive to the right.
    public func shift(ofOutput index: Int) -> Int {
        let outputs = kind.outputs
        guard outputs.indices.contains(index), outputs[index].shiftDirection != 0 else { return 0 }
        // The displacement is the last parameter of the kinds that have one.
        return outputs[index].shiftDirection * bars(parameterCount - 1)
    }

    /// A parameter that counts bars.
    func bars(_ index: Int) -> Int { Int(values[index]) }
}

/// The studies that a chart offers by one touch.
extension StudySettings {
    public static let ema20 = StudySettings(.ema, parameters: [20])
    public static let ema50 = StudySettings(.ema, parameters: [50])
    public static let sma20 = StudySettings(.sma, parameters: [20])
    public static let sma50 = StudySettings(.sma, parameters: [50])
    /// 20 bars, two standard deviations.
    public static let bollinger20 = StudySettings(.bollinger, parameters: [20, 2])
    /// Wilder's own period.
    public static let rsi14 = StudySettings(.rsi, parameters: [14])
    /// Averages of 12 and 26 bars, the signal of 9.
    public static let macd = StudySettings(.macd, parameters: [12, 26, 9])
    /// 14 bars, %K and %D smoothed over 3 each: the slow stochastic.
    public static let stochastic = StudySettings(.stochastic, parameters: [14, 3, 3])

    /// Over the price: EMA 20 and 50, SMA 20 and 50, Bollinger bands.
    public static let overlayPresets = [ema20, ema50, sma20, sma50, bollinger20]
    /// In panes of their own: RSI, MACD, Stochastic.
    public static let indicatorPresets = [rsi14, macd, stochastic]
}
