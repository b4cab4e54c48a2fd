/// Which price of a bar a study is computed from.
public enum PriceSource: UInt8, CaseIterable, Sendable {
    case close = 0
    /// (high + low) / 2
    case hl2 = 1
    /// (high + low + close) / 3, the "typical price"
    case hlc3 = 2
    /// (open + high + low + close) / 4
    case ohlc4 = 3

    /// How commands and documents call it: "hlc3".
    public var identifier: StaticString {
        switch self {
        case .close: "close"
        case .hl2: "hl2"
        case .hlc3: "hlc3"
        case .ohlc4: "ohlc4"
        }
    }

    /// The source that commands and documents call `identifier`.
    public init?(identifier: some StringProtocol) {
        guard let source = Self.allCases.first(where: { $0.identifier.isSpelled(identifier) }) else { return nil }
        self = source
    }
}
