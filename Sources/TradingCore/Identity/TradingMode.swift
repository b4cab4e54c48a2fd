/// Whether money is real. The mode is part of every account's, order's, fill's and position's type and of its id's text,
/// so nothing of one mode can be handed to the other.
public protocol TradingMode: Sendable {
    /// The first part of every id.
    static var name: String { get }
}

/// Trading on paper: against real or simulated trades, with money that is not.
public enum Paper: TradingMode {
    public static let name = "paper"
}

/// Trading at a venue.
public enum Live: TradingMode {
    public static let name = "live"
}
