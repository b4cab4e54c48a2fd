/// Which way an order goes.
public enum Side: OpenEnum {
    case buy
    case sell
    /// A word of a later version.
    case unknown(String)

    public static let known: [Side] = [.buy, .sell]

    public var rawValue: String {
        switch self {
        case .buy: "buy"
        case .sell: "sell"
        case .unknown(let word): word
        }
    }

    /// The other way; `nil` for a word we do not know.
    public var opposite: Side? {
        switch self {
        case .buy: .sell
        case .sell: .buy
        case .unknown: nil
        }
    }
}
