/// A technical study: numbers computed from bars, one row a bar.
///
/// The raw values are those of the page's engine and of saved layouts: they never change, new kinds are appended.
public enum StudyKind: UInt8, CaseIterable, Sendable {
    // Drawn over the price.
    case sma = 0
    case ema, wma, rma, vwap, bollinger, keltner, donchian, ichimoku, parabolicSAR, supertrend

    // Drawn in a pane of their own.
    case rsi = 11
    case macd, stochastic, stochasticRSI, atr, adx, cci, obv, mfi, williamsR, roc, aroon, cmf
}

/// What the values of a study are drawn over.
public enum StudyPlacement: UInt8, Sendable {
    /// The values are prices, so they belong over the candles.
    case price
    /// The values have a scale of their own.
    case pane
}

extension StudyKind {
    var description: StudyDescription { StudyDescription.all[Int(rawValue)] }

    /// How a legend calls it: "RSI".
    public var name: StaticString { description.name }
    /// The full name: "Relative Strength Index".
    public var title: StaticString { description.title }
    /// How commands and documents call it: "rsi".
    public var identifier: StaticString { description.identifier }
    /// Where it is drawn.
    public var placement: StudyPlacement { description.placement }
    /// Its parameters, four at most, in the order of `StudySettings`.
    public var parameters: [StudyParameter] { description.parameters }
    /// Its outputs, five at most, in the order of `StudyColumns`.
    public var outputs: [StudyOutput] { description.outputs }
    /// Levels that are drawn across its pane, such as 70 and 30; the highest first.
    public var guides: [Double] { description.guides }
    /// The range the values cannot leave, such as 0...100; nil where it depends on the data.
    public var fixedRange: ClosedRange<Double>? { description.fixedRange }
    /// The price it is computed from unless the settings say another; nil where its formula leaves no choice.
    public var defaultSource: PriceSource? { description.source }

    /// The kind that commands and documents call `identifier`.
    public init?(identifier: some StringProtocol) {
        guard let kind = StudyKind.allCases.first(where: { $0.identifier.isSpelled(identifier) }) else { return nil }
        self = kind
    }
}

extension StaticString {
    /// Whether it has exactly the UTF-8 bytes of `text`.
    func isSpelled(_ text: some StringProtocol) -> Bool {
        withUTF8Buffer { $0.elementsEqual(text.utf8) }
    }
}
