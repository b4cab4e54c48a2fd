/// The answer to a `sync` that is awaited: until it is there, what does not follow is dropped, because it will come again.
///
/// A server that refuses because it was asked too often knows what was asked: it is asked again after a pause. One that
/// says nothing does not know `sync`.
struct SyncWait {
    private enum State {
        case idle
        /// The refusals in a row before.
        case asked(id: String, since: Double, refusals: Int)
        case paused(until: Double, refusals: Int)
    }

    enum Due {
        case ask
        /// There was no answer in all the patience.
        case giveUp
    }

    /// Seconds of the longest pause, whatever a server asks for.
    static let longestPause = 60.0

    private var state = State.idle

    /// Whether there is nothing to wait for.
    var isOver: Bool { if case .idle = state { true } else { false } }

    mutating func asked(_ id: String, now: Double) {
        if case .paused(_, let refusals) = state {
            state = .asked(id: id, since: now, refusals: refusals)
        } else {
            state = .asked(id: id, since: now, refusals: 0)
        }
    }

    /// The answer is here, or will not come on this connection.
    mutating func end() { state = .idle }

    /// - Parameter retryAfter: seconds that the server asks to wait. From the second refusal in a row on it is at least
    ///   two seconds, then four, up to the longest pause.
    /// - Returns: whether that is what was asked.
    mutating func refused(_ id: String, retryAfter: Double?, now: Double) -> Bool {
        guard case .asked(id, _, let refusals) = state else { return false }
        let least = Double(1 << min(refusals, 6))
        state = .paused(until: now + min(max(retryAfter ?? 0, least), Self.longestPause), refusals: refusals + 1)
        return true
    }

    func deadline(patience: Double) -> Double? {
        switch state {
        case .idle: nil
        case .asked(_, let since, _): since + patience
        case .paused(let until, _): until
        }
    }

    mutating func due(patience: Double, now: Double) -> Due? {
        guard let deadline = deadline(patience: patience), now >= deadline else { return nil }
        guard case .asked = state else { return .ask }
        state = .idle
        return .giveUp
    }
}
