internal import MarketModel

/// Decides when candles go to a chart: at most so often, and then all that changed since.
///
/// Within a frame the latest state of a bar wins, **per bar**: a bar that was closed between two frames keeps its final
/// value beside the forming one. Time is an argument.
struct UpdatePacer: Sendable {
    /// More bars than this at once are no live updates; they go through without waiting.
    static let maxBars = 1024

    /// Seconds between two deliveries.
    let interval: Double
    /// Nothing is delivered until `resume`.
    private(set) var isPaused = false
    /// The latest state of each bar that changed, ascending.
    private(set) var pending: [Candle] = []
    private var lastDelivery = -Double.infinity
    /// Updates that a later one of the same bar replaced before they were shown.
    private(set) var replaced = 0

    init(interval: Double) { self.interval = interval > 0 ? min(interval, 3600) : 0 }

    /// - Returns: when to deliver what is pending, `now` or later; `nil` while paused.
    mutating func queue(_ candle: Candle, now: Double) -> Double? {
        var at = pending.count
        while at > 0, pending[at - 1].timestamp > candle.timestamp { at -= 1 }
        if at > 0, pending[at - 1].timestamp == candle.timestamp {
            pending[at - 1] = candle
            replaced += 1
        } else {
            pending.insert(candle, at: at)
        }
        return due(now: now)
    }

    /// What is pending, ascending; from now on the next interval counts.
    mutating func drain(now: Double) -> [Candle] {
        defer { pending.removeAll(keepingCapacity: true) }
        lastDelivery = now
        return pending
    }

    mutating func drop() { pending.removeAll(keepingCapacity: true) }

    mutating func pause() { isPaused = true }

    /// - Returns: when to deliver what came meanwhile.
    mutating func resume(now: Double) -> Double? {
        isPaused = false
        return pending.isEmpty ? nil : due(now: now)
    }

    private func due(now: Double) -> Double? {
        if pending.count >= UpdatePacer.maxBars { return now }
        if isPaused { return nil }
        return max(now, lastDelivery + interval)
    }
}
