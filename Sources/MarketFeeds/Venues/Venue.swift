/// A venue whose messages can be read.
public enum Venue: String, Sendable, CaseIterable {
    case binance
    case coinbase
    /// Another candlewire server: what `candlewire record` wrote of its stream.
    case candlewire

    /// All names, for error messages.
    public static var allowedNames: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
