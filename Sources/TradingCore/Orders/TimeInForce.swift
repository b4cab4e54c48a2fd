/// How long an order waits.
public enum TimeInForce: OpenEnum {
    /// Good till cancelled.
    case gtc
    /// Immediate or cancel: fills what it can at once; the rest is cancelled.
    case ioc
    /// Fill or kill: all at once, or nothing.
    case fok
    /// Until the end of the day, 00:00 UTC.
    case day
    /// A word of a later version.
    case unknown(String)

    public static let known: [TimeInForce] = [.gtc, .ioc, .fok, .day]

    public var rawValue: String {
        switch self {
        case .gtc: "gtc"
        case .ioc: "ioc"
        case .fok: "fok"
        case .day: "day"
        case .unknown(let word): word
        }
    }
}
