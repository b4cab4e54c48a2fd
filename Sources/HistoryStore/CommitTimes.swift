package import MarketModel

/// How long the transactions of a store took that succeeded.
package struct CommitTimes: Sendable, Equatable {
    /// All of each, the commit included.
    package private(set) var transactions = DurationHistogram(DurationHistogram.requestBounds)
    /// The COMMIT alone: writing the log and, where each commit is synced, waiting for the disk.
    package private(set) var commits = DurationHistogram(DurationHistogram.requestBounds)

    package init() {}

    /// - Parameter commit: when the COMMIT began; `nil` where that is not known.
    mutating func add(
        from start: ContinuousClock.Instant, commit: ContinuousClock.Instant?, to end: ContinuousClock.Instant
    ) {
        transactions.add(Self.seconds(start.duration(to: end)))
        if let commit { commits.add(Self.seconds(commit.duration(to: end))) }
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }
}
