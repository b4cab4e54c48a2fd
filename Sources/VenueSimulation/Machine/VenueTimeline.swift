internal import MarketModel

/// When each message of a recording is due, and by how much its times are moved.
///
/// ```
/// wall clock   |--------- round 0 ---------|   |--------- round 1 ---
/// recording    times + shift, at the pace      a whole number of minutes later
/// ```
struct VenueTimeline: Sendable, Equatable {
    struct Place: Sendable, Equatable {
        var round: Int
        var index: Int
    }

    private let times: [Int64]
    private let duration: Double
    private let movedPeriod: Double
    private let pace: VenueSettings.Pace
    private let movesTimes: Bool
    private let loops: Bool
    /// Of the round it began with, seconds by the simulation's clock.
    private var startedAt: Double
    private var firstRound: Int
    /// Seconds, of the first round.
    private var firstShift: Int64

    /// Begins to play.
    /// - Parameter previous: what was played before, which the times must not go back behind.
    init(_ session: RecordedSession, _ settings: VenueSettings, now: Double, after previous: VenueTimeline? = nil) {
        times = session.times
        duration = session.duration
        movedPeriod = Double(session.period)
        pace = settings.pace
        movesTimes = settings.times == .now
        loops = settings.loops
        firstRound = 0
        firstShift = 0
        startedAt = now
        guard movesTimes, let first = times.first else {
            if let previous { firstRound = previous.firstRound + 1 }
            return
        }
        let lead = Self.lead(duration: session.duration, pace: pace)
        let start = Double(first) / 1e9
        firstShift = Int64(((now - lead - start) / 60).rounded(.down)) * 60
        if let previous {
            firstRound = previous.firstRound + 1
            let earliest = previous.shift(previous.firstRound) + Int64(previous.period)
            if earliest > firstShift {
                // Not before its times are there.
                startedAt = max(now, start + Double(earliest) + lead)
                firstShift = earliest
            }
        }
    }

    /// How far behind the clock a recording must begin, so that its times do not overtake it. Seconds.
    static func lead(duration: Double, pace: VenueSettings.Pace) -> Double {
        switch pace {
        case .recorded(let factor): factor > 1 ? duration * (1 - 1 / factor) : 0
        case .asFastAsRead: duration
        }
    }

    /// How far behind the clock its times are at worst, up to the minute that they are rounded by. Seconds.
    static func lag(duration: Double, pace: VenueSettings.Pace) -> Double {
        if case .recorded(let factor) = pace, factor < 1 { return duration * (1 / factor - 1) }
        return lead(duration: duration, pace: pace)
    }

    /// From the beginning of one round to that of the next, seconds. As recorded and as fast as it is read, a round
    /// begins when the one before is read, but at most once a second: a reader who needs none of it would be offered it
    /// without end.
    private var period: Double {
        if movesTimes { return movedPeriod }
        return switch pace {
        case .recorded(let factor): max(duration / factor, 1)
        case .asFastAsRead: 1
        }
    }

    /// When a message is due; `nil` past the end.
    func due(_ place: Place) -> Double? {
        guard !times.isEmpty, loops || place.round == firstRound, place.index < times.count else { return nil }
        let start = startedAt + Double(place.round - firstRound) * period
        switch pace {
        case .recorded(let factor): return start + Double(times[place.index] - times[0]) / 1e9 / factor
        case .asFastAsRead: return start
        }
    }

    var beginning: Place { Place(round: firstRound, index: 0) }

    /// The message after this one.
    func next(_ place: Place) -> Place {
        guard loops, place.index + 1 >= times.count else { return Place(round: place.round, index: place.index + 1) }
        return Place(round: place.round + 1, index: 0)
    }

    /// The first message that is not due yet.
    func place(at now: Double) -> Place {
        var round = firstRound
        if loops, period > 0 { round += max(0, Int((now - startedAt) / period)) }
        let index = times.indices.partitioningIndex { due(Place(round: round, index: $0)).map { $0 > now } ?? false }
        if index == times.count, loops { return Place(round: round + 1, index: 0) }
        return Place(round: round, index: index)
    }

    /// The time of the recording, moved, that is played at `now`, seconds since 1970: never ahead of it. At the end it goes on.
    func recordingTime(at now: Double) -> Double {
        let round = place(at: now).round
        let passed = max(0, now - startedAt - Double(round - firstRound) * period)
        let played =
            switch pace {
            case .recorded(let factor): passed * factor
            case .asFastAsRead: duration + passed
            }
        let time = Double(times.first ?? 0) / 1e9 + Double(shift(round)) + played
        return movesTimes ? min(now, time) : time
    }

    func isOver(at now: Double) -> Bool {
        guard !loops, !times.isEmpty else { return times.isEmpty }
        guard let last = due(Place(round: firstRound, index: times.count - 1)) else { return true }
        return last <= now
    }

    /// Seconds that times are moved by in a round.
    func shift(_ round: Int) -> Int64 { movesTimes ? firstShift + Int64(round - firstRound) * Int64(period) : 0 }

    /// The venue's clock, nanoseconds since 1970: the present where times are moved, else the recording's.
    func clock(at now: Double) -> Int64 {
        guard !movesTimes, let first = times.first, let last = times.last else { return Int64(now * 1e9) }
        let factor = if case .recorded(let factor) = pace { factor } else { 1.0 }
        let played = max(0, now - startedAt) * factor
        return min(last, first + Int64(min(played, 1e9) * 1e9))
    }
}
