/// Which way a position gains.
public enum PositionSide: OpenEnum {
    /// Gains when the price rises.
    case long
    /// Gains when the price falls.
    case short
    /// A word of a later version.
    case unknown(String)

    public static let known: [PositionSide] = [.long, .short]

    public var rawValue: String {
        switch self {
        case .long: "long"
        case .short: "short"
        case .unknown(let word): word
        }
    }

    /// The order side that makes the position larger; `nil` for a word we do not know.
    public var opening: Side? {
        switch self {
        case .long: .buy
        case .short: .sell
        case .unknown: nil
        }
    }
}
