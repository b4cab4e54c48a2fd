/// The second step of the slow-reader ladder: how often a reader gets the latest of each stream.
///
/// What the network has already taken cannot be replaced by anything newer. A reader that is merely conflated therefore
/// reads the past, as much of it as the buffers between hold. So a reader that spends half of its time behind is written
/// to less often: a sixteenth of a second between two sendings of a stream, doubled each second up to one second, and
/// halved each second in which it kept up.
struct ReaderPace {
    static let shortest = 1.0 / 16
    static let longest = 1.0

    /// Seconds between two sendings of a stream; 0: no limit.
    private(set) var interval = 0.0
    /// When the network stopped taking, while it does not.
    private var blockedSince: Double?
    /// Seconds blocked since `windowStart`.
    private var blocked = 0.0
    private var windowStart: Double?

    mutating func block(now: Double) {
        if windowStart == nil { windowStart = now }
        if blockedSince == nil { blockedSince = now }
    }

    mutating func unblock(now: Double) {
        guard let since = blockedSince else { return }
        blocked += max(0, now - since)
        blockedSince = nil
    }

    /// Judges the time since the last verdict; at least a second must have passed.
    mutating func turn(now: Double) {
        // A reader that never made us wait costs nothing here.
        guard let start = windowStart, now - start >= 1 else { return }
        if let since = blockedSince {
            blocked += max(0, now - since)
            blockedSince = now
        }
        let share = blocked / (now - start)
        if share >= 0.5 {
            interval = min(max(interval * 2, Self.shortest), Self.longest)
        } else if share <= 0.05 {
            interval = interval <= Self.shortest ? 0 : interval / 2
        }
        blocked = 0
        windowStart = interval == 0 && blockedSince == nil ? nil : now
    }
}
