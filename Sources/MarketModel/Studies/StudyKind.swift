/// A technical study: numbers computed from bars, one row a bar.
///
/// The raw values are those of the page's engine and of saved layouts: they never change, new kinds are appended.
public enum StudyKind: UInt8, CaseIterable, Sendable {
    // Drawn over the price.
    case sma = 0
    case ema = 1
    case wma = 2
    case rma = 3
    case vwap = 4
    case bollinger = 5
    case keltner = 6
    case donchian = 7
    case ichimoku = 8
    case parabolicSAR = 9
    case supertrend = 10

    // Drawn in a pane of their own.
    case rsi = 11
    case macd = 12
    case stochastic = 13
    case stochasticRSI = 14
    case atr = 15
    case adx = 16
    case cci = 17
    case obv = 18
    case mfi = 19
    case williamsR = 20
    case roc = 21
    case aroon = 22
    case cmf = 23
}

/// What the values of a study are drawn over.
public enum StudyPlacement: UInt8, Sendable {
    /// The values are prices, so they belong over the candles.
    case price
    /// The values have a scale of their own.
    case pane
}

extension StudyKind {
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
        for kind in StudyKind.allCases where kind.identifier.isSpelled(identifier) {
            self = kind
            return
        }
        return nil
    }
}

extension StaticString {
    /// Whether it has exactly the UTF-8 bytes of `text`.
    func isSpelled(_ text: some StringProtocol) -> Bool {
        withUTF8Buffer { $0.elementsEqual(text.utf8) }
    }
}
