/// Whether an order waited in the market or came to it.
public enum Liquidity: OpenEnum {
    /// It waited, and the trade came to it.
    case maker
    /// It came to what was there.
    case taker
    /// A word of a later version.
    case unknown(String)

    public init(rawValue: String) {
        self =
            switch rawValue {
            case "maker": .maker
            case "taker": .taker
            default: .unknown(rawValue)
            }
    }

    public var rawValue: String {
        switch self {
        case .maker: "maker"
        case .taker: "taker"
        case .unknown(let word): word
        }
    }
}
