/// What a chart says about the connection behind it.
public enum ConnectionStatus: Sendable, Equatable, CaseIterable {
    /// Not set; nothing is shown.
    case unknown
    case live
    case reconnecting

    /// `LIVE`, `RECONNECTING...`, or nothing.
    public var text: String {
        switch self {
        case .unknown: ""
        case .live: "LIVE"
        case .reconnecting: "RECONNECTING..."
        }
    }
}
