/// Which minutes of a market are to be fetched from its venue, and when: those before it was followed, those in which it
/// could not be, and those in which trades are known to be missing.
///
/// A value without a clock; times are seconds since 1970 UTC. A minute is asked for when it is over and the venue has had
/// the time to finish it: until then it is kept in mind.
struct HistoryPlan: Sendable {
    /// Seconds after a minute's end until it is asked for: late trades change ours until then.
    static let settling = 12.0
    /// Seconds until a request that failed is made again, at first and at most.
    static let firstRetry = 5.0
    static let lastRetry = 300.0

    /// Whole minutes, ascending, apart from one another.
    private(set) var stretches: [Range<Double>] = []
    private var notBefore = -Double.infinity
    private var failures = 0
    private var downSince: Double?

    /// Everything from `start` to the minute of `now`, and that one too: the first trades of it were not seen.
    mutating func begin(from start: Double, now: Double) { add(start, now) }

    mutating func wentDown(now: Double) { if downSince == nil { downSince = now } }

    mutating func cameUp(now: Double) {
        guard let since = downSince else { return }
        downSince = nil
        // Trades may have been lost before the loss was noticed: a silent connection ends half a minute later at most.
        add(since - 60, now)
    }

    /// Trades are missing that should have come by now.
    mutating func missed(now: Double) { add(now - 10, now) }

    /// What can be asked for now.
    func due(now: Double) -> Range<Double>? {
        guard now >= notBefore, let first = stretches.first else { return nil }
        let end = min(first.upperBound, Self.minute(now - Self.settling))
        return first.lowerBound < end ? first.lowerBound..<end : nil
    }

    /// These minutes were fetched.
    mutating func fetched(_ stretch: Range<Double>) {
        failures = 0
        notBefore = -.infinity
        var left: [Range<Double>] = []
        for one in stretches {
            if one.lowerBound < stretch.lowerBound {
                left.append(one.lowerBound..<min(one.upperBound, stretch.lowerBound))
            }
            if one.upperBound > stretch.upperBound {
                left.append(max(one.lowerBound, stretch.upperBound)..<one.upperBound)
            }
        }
        stretches = left
    }

    /// They could not be.
    mutating func failed(now: Double) {
        notBefore = now + min(Self.firstRetry * Double(1 << min(failures, 10)), Self.lastRetry)
        failures += 1
    }

    /// It makes no sense to ask again: the venue has no such market, or no history.
    mutating func giveUp() { stretches = [] }

    private mutating func add(_ start: Double, _ to: Double) {
        // A clock that was set back in between must not make a stretch that ends before it begins.
        let from = min(start, to)
        let new = Self.minute(from)..<Self.minute(to) + 60
        var merged = new
        var others: [Range<Double>] = []
        for one in stretches {
            if one.lowerBound <= merged.upperBound, merged.lowerBound <= one.upperBound {
                merged = min(one.lowerBound, merged.lowerBound)..<max(one.upperBound, merged.upperBound)
            } else {
                others.append(one)
            }
        }
        others.append(merged)
        stretches = others.sorted { $0.lowerBound < $1.lowerBound }
    }

    private static func minute(_ time: Double) -> Double { (time / 60).rounded(.down) * 60 }
}
