public import StreamCore

/// How often a connection was tried again, and how often it came back.
///
/// The replacement of a connection that grows old is neither: nothing was lost.
public struct ReconnectCounts: Sendable, Equatable {
    /// Attempts after one that failed, or after the loss of an open connection.
    public private(set) var attempts = 0
    /// Lost connections that were open again.
    public private(set) var returns = 0
    /// The last attempt, or the connection, has failed.
    private var hasFailed = false
    /// It was open, and is not any more.
    private var isLost = false
    private var isOpen = false

    public init() {}

    /// Counts each state of the connection, in their order.
    public mutating func changed(to state: SessionState) {
        switch state {
        case .connecting, .authenticating:
            // Without a wait where a replacement was on its way already, or a new token is fetched first.
            if isOpen || state == .connecting && hasFailed { attempts += 1 }
            isLost = isLost || isOpen
            isOpen = false
            if state == .connecting { hasFailed = false }
        case .open:
            if isLost { returns += 1 }
            (isOpen, isLost, hasFailed) = (true, false, false)
        case .waiting, .failed:
            isLost = isLost || isOpen
            (isOpen, hasFailed) = (false, true)
        // Closed by the client: what comes then starts from zero.
        case .idle, .closed: (isOpen, isLost, hasFailed) = (false, false, false)
        }
    }

    public mutating func add(_ other: ReconnectCounts) {
        attempts += other.attempts
        returns += other.returns
    }
}
