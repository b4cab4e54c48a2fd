/// Says which messages of a recording are due: a machine over an index and a clock that is given.
package struct ReplayPlayer: Sendable {
    package let speed: ReplaySpeed
    package let loops: Bool
    private let times: [Double]
    private var startedAt: Double
    /// The next message.
    package private(set) var index = 0
    /// How often it restarted.
    package private(set) var rounds = 0

    /// - Parameters:
    ///   - times: the recording's.
    ///   - now: seconds, by any clock that the later calls use too.
    package init(times: [Double], speed: ReplaySpeed, loops: Bool, now: Double) {
        self.times = times
        self.speed = speed
        self.loops = loops
        startedAt = now
    }

    package var isFinished: Bool { index >= times.count }

    /// When the next message is due, by the clock of `now`; `nil` at the end.
    package var nextDue: Double? {
        guard index < times.count else { return nil }
        switch speed {
        case .max: return startedAt
        case .times(let factor): return startedAt + (times[index] - times[0]) / factor
        }
    }

    /// The next message, if it is due, which then counts as played.
    package mutating func next(now: Double) -> Int? {
        guard let due = nextDue, due <= now else { return nil }
        defer { index += 1 }
        return index
    }

    /// Restarts, if it loops.
    package mutating func rewind(now: Double) -> Bool {
        guard loops else { return false }
        index = 0
        rounds += 1
        startedAt = now
        return true
    }
}

/// How fast a recording is played.
public enum ReplaySpeed: Sendable, Equatable {
    /// A factor of the recorded speed.
    case times(Double)
    /// As fast as the machine can.
    case max

    /// Reads `max` or a number above 0.
    public init(_ text: String) throws(FeedError) {
        if text == "max" {
            self = .max
        } else if let factor = Double(text), factor > 0, factor.isFinite {
            self = .times(factor)
        } else {
            throw FeedError(.usage, "The speed \"\(text)\" must be a number above 0, or max.")
        }
    }
}
