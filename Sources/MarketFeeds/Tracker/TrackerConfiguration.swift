public import StreamCore

/// How the tracker behaves.
public struct TrackerConfiguration: Sendable, Equatable {
    /// Seconds from one delta of a stock to its next; those of different stocks are spread out over it.
    public var interval = 2.0
    /// The largest step of a price within two seconds, as a fraction of it.
    public var volatility = 0.02
    /// The prices that are written. For a stock that begins below, the range reaches down to a tenth of its initial
    /// price, and for one that begins above, up to ten times of it.
    public var prices = 1.0...10_000.0
    /// Seconds that a changed price stands out.
    public var flash = 1.0
    /// Each stock on a connection of its own, and not all on one.
    public var connectsPerStock = false
    public var connection = TrackerConfiguration.connection(keepsTrying: false)

    public init() {}

    /// Most connections that `connectsPerStock` opens.
    public static let mostConnections = 100

    /// Ten seconds to connect; after a loss three retries, at most 1, 2 and 4 seconds apart, and then it has failed
    /// (start again), or, for those that nobody sits before, a retry every five seconds.
    ///
    /// Each pause is drawn between nothing and those seconds: what lost one server together should not come back in step.
    public static func connection(keepsTrying: Bool) -> ConnectionConfiguration {
        var configuration = ConnectionConfiguration()
        configuration.connectTimeout = 10
        configuration.backoff = Backoff.Configuration(
            base: 0.5, cap: 5, attempts: 3, slowRetry: keepsTrying ? 5 : nil)
        return configuration
    }
}
