internal import StreamCore

/// Waits for the answer to a `sync`: until it comes, events out of order are dropped, because they will come again.
///
/// A server that refuses because of too many requests knows `sync`: the request is repeated after a pause. One that does
/// not answer does not know it.
struct SyncWait {
    private enum State {
        case idle
        /// `refusals` counts those in a row before.
        case requested(id: String, since: Double, refusals: Int)
        case paused(until: Double, refusals: Int)
    }

    enum Due {
        case request
        /// There was no answer within the timeout.
        case giveUp
    }

    /// Before a request that the server refused for now is repeated.
    static let pauses = Backoff.Configuration(first: 1, cap: 60)

    private var state = State.idle

    /// Whether there is nothing to wait for.
    var isOver: Bool { if case .idle = state { true } else { false } }

    mutating func requested(_ id: String, now: Double) {
        if case .paused(_, let refusals) = state {
            state = .requested(id: id, since: now, refusals: refusals)
        } else {
            state = .requested(id: id, since: now, refusals: 0)
        }
    }

    /// The answer is here, or will not come on this connection.
    mutating func end() { state = .idle }

    /// - Parameter retryAfter: seconds that the server requests. From the second refusal in a row on it is at least
    ///   two seconds, then four, up to the longest pause.
    /// - Returns: whether the refusal is about this request.
    mutating func refused(_ id: String, retryAfter: Double?, now: Double) -> Bool {
        guard case .requested(id, _, let refusals) = state else { return false }
        let pause = Self.pauses.wait(before: refusals + 1, requested: retryAfter)
        state = .paused(until: now + pause, refusals: refusals + 1)
        return true
    }

    func deadline(answerTimeout: Double) -> Double? {
        switch state {
        case .idle: nil
        case .requested(_, let since, _): since + answerTimeout
        case .paused(let until, _): until
        }
    }

    mutating func due(answerTimeout: Double, now: Double) -> Due? {
        guard let deadline = deadline(answerTimeout: answerTimeout), now >= deadline else { return nil }
        guard case .requested = state else { return .request }
        state = .idle
        return .giveUp
    }
}
