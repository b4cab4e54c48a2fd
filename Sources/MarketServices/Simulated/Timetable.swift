internal import MarketModel

/// What the simulation does when. Its own times, not the clock's, are what things are dated with: a task that is woken
/// late changes nothing about what happens.
struct Timetable: Sendable {
    /// Those due at the same time come in this order.
    enum Job: Int, CaseIterable, Sendable {
        case markets
        case event
        case health
    }

    private var due: [Double]
    private let settings: SimulationSettings
    private var random: SeededGenerator

    init(_ settings: SimulationSettings, start: Double) {
        self.settings = settings
        random = SeededGenerator(seed: settings.seed ^ 0x7469_6d65)
        due = []
        due = Job.allCases.map { start + pause(before: $0) }
    }

    /// When something is due next.
    var next: Double { due.min() ?? .infinity }

    /// Removes the next job that is due by `now`, and schedules its next time.
    mutating func popDue(by now: Double) -> (job: Job, time: Double)? {
        let time = next
        guard time <= now, let index = due.firstIndex(of: time), let job = Job(rawValue: index) else { return nil }
        due[index] = time + pause(before: job)
        return (job, time)
    }

    /// Leaves out what was due long before `now`.
    mutating func skip(to now: Double) {
        guard now - next > settings.maximumCatchUp else { return }
        for index in due.indices { due[index] = max(due[index], now) }
    }

    /// An interval that is not above zero would never let the time go on.
    private mutating func pause(before job: Job) -> Double {
        switch job {
        case .markets: return max(0.001, settings.marketInterval)
        case .event:
            let range = settings.eventInterval
            return max(0.001, range.lowerBound + (range.upperBound - range.lowerBound) * random.unit())
        case .health: return max(0.001, settings.healthInterval)
        }
    }
}
