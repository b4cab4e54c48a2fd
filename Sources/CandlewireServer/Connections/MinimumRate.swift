import NIOCore

/// Whether a transfer goes on: in each window of time at least so many bytes a second.
///
/// A window by itself, so that a fast beginning buys no right to stop.
struct MinimumRate: Sendable {
    let bytesPerSecond: Double
    let window: TimeAmount
    private var start: NIODeadline
    private var bytesAtStart = 0

    init(bytesPerSecond: Double, window: TimeAmount, now: NIODeadline) {
        self.bytesPerSecond = bytesPerSecond
        self.window = window
        start = now
    }

    /// - Parameter bytes: all that were transferred so far.
    mutating func isTooSlow(_ bytes: Int, now: NIODeadline) -> Bool {
        let elapsed = now - start
        guard elapsed >= window else { return false }
        let due = bytesPerSecond * Double(elapsed.nanoseconds) / 1e9
        let transferred = bytes - bytesAtStart
        restart(bytes, now: now)
        return Double(transferred) < due
    }

    /// Begins a new window: where nothing was due.
    mutating func restart(_ bytes: Int, now: NIODeadline) {
        start = now
        bytesAtStart = bytes
    }
}
