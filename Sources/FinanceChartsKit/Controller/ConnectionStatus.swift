/// What a chart says about the connection behind it.
public enum ConnectionStatus: String, Sendable, CaseIterable {
    /// Not set; nothing is shown.
    case unknown = ""
    case live = "LIVE"
    case reconnecting = "RECONNECTING..."

    /// `LIVE`, `RECONNECTING...`, or nothing.
    public var text: String { rawValue }
}
