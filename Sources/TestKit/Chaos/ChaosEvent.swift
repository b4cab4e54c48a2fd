/// What a `ChaosProxy` did, in the order it did it for each connection.
public enum ChaosEvent: Sendable, Equatable {
    /// Why a connection was cut.
    public enum Reason: Sendable, Equatable {
        /// `ChaosSettings.drop`.
        case drop
        /// `ChaosSettings.cutAfter`.
        case cutAfter
        /// `cutAll()` or `cutOne()`.
        case request
    }

    /// Connections are numbered from 1.
    case opened(connection: Int)
    /// `ChaosSettings.refuse`.
    case refused(connection: Int)
    /// The target did not answer; the client's side was reset.
    case unreachable(connection: Int, reason: String)
    /// Reset on both sides. Bytes are those that were forwarded, in either direction.
    case cut(connection: Int, Reason, bytes: Int)
    /// From now on silent.
    case halfOpened(connection: Int, bytes: Int)
    /// `bytes` bytes were changed, in one chunk.
    case corrupted(connection: Int, bytes: Int)
    /// Both sides are gone.
    case closed(connection: Int, bytes: Int)
}

/// What a `ChaosProxy` did so far.
public struct ChaosCounts: Sendable, Equatable {
    /// Connections that were accepted, the refused ones included.
    public var accepted = 0
    /// Connections that are open now, half-open ones included.
    public var open = 0
    public var refused = 0
    public var unreachable = 0
    public var cut = 0
    public var halfOpened = 0
    public var closed = 0
    /// Bytes forwarded from clients to the target.
    public var bytesUp = 0
    /// Bytes forwarded from the target to clients.
    public var bytesDown = 0
    /// Bytes that were accepted and never forwarded.
    public var bytesLost = 0
    public var bytesCorrupted = 0
    /// The most bytes ever held back for one direction of one connection.
    public var maxHeld = 0

    public init() {}
}
