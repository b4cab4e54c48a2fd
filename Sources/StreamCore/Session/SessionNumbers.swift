/// Names one socket. Each one that a machine opens has its own number, so that what a forgotten socket still reports is
/// recognised and ignored.
public struct SocketNumber: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    @inlinable public init(rawValue: Int) {
        self.rawValue = rawValue
    }
}

/// Names one desired stream for as long as it is desired; never used again after that.
public struct SubscriptionNumber: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    @inlinable public init(rawValue: Int) {
        self.rawValue = rawValue
    }
}
