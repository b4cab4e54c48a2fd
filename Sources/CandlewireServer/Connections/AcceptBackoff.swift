import NIOCore

/// What a listener does while file descriptors are used up. A number of them is kept in reserve: given up, it lets as many
/// connections in as are needed to answer requests for the server's health and to refuse the others with a word.
struct AcceptBackoff {
    enum Action: Equatable {
        /// Close the descriptors in reserve.
        case releaseReserve
        /// Open them again, and report with `refilled`.
        case refillReserve
        case pause
        case resume
        /// Call `tick` after a while.
        case schedule
        /// The descriptors are used up: once until there are enough for a while.
        case reportExhausted
        case reportRecovered
    }

    private enum State {
        case normal
        /// The reserve is given up: connections are spare ones.
        case spare
        /// Nothing is left to accept with: until the next tick, or a spare connection ends.
        case paused
    }

    /// How long there must be descriptors before the next shortage is reported as a new one.
    static let quietTime = TimeAmount.seconds(10)

    let reserve: Int
    private var state = State.normal
    private var open = 0
    /// Since when descriptors are short, with pauses below `quietTime`.
    private var lastFailure: NIODeadline?

    init(reserve: Int) { self.reserve = reserve }

    /// A connection could not be accepted for want of a descriptor or of memory.
    mutating func failed(now: NIODeadline) -> [Action] {
        let isNew = lastFailure == nil
        lastFailure = now
        var actions: [Action] = isNew ? [.reportExhausted, .schedule] : []
        switch state {
        case .normal:
            state = .spare
            actions.append(.releaseReserve)
        case .spare, .paused:
            state = .paused
            actions.append(.pause)
        }
        return actions
    }

    /// - Returns: whether the connection is a spare one, whose end is to be reported.
    mutating func accepted() -> (isSpare: Bool, actions: [Action]) {
        switch state {
        case .normal: return (false, [])
        case .spare, .paused:
            open += 1
            guard open >= reserve else { return (true, []) }
            state = .paused
            return (true, [.pause])
        }
    }

    mutating func spareClosed() -> [Action] {
        open -= 1
        return [.refillReserve]
    }

    /// - Parameter isFull: whether all descriptors in reserve could be had.
    mutating func refilled(_ isFull: Bool) -> [Action] {
        let wasPaused = if case .paused = state { true } else { false }
        if isFull {
            state = .normal
        } else {
            guard open < reserve else { return [] }
            state = .spare
        }
        // What could be had of the reserve is what the next connections need.
        return (isFull ? [] : [.releaseReserve]) + (wasPaused ? [.resume] : [])
    }

    mutating func tick(now: NIODeadline) -> [Action] {
        guard let lastFailure else { return [] }
        switch state {
        case .spare, .paused: return [.refillReserve, .schedule]
        case .normal:
            guard now - lastFailure >= Self.quietTime else { return [.schedule] }
            self.lastFailure = nil
            return [.reportRecovered]
        }
    }
}
