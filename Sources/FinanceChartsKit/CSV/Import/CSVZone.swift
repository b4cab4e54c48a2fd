package import MarketModel

/// The clock of a file's times: a zone with its daylight saving time, or a fixed distance from UTC.
package enum CSVZone: Sendable, Equatable {
    case rules(TimeZoneRules)
    /// Seconds east of UTC.
    case fixed(Double)

    package static let utc = CSVZone.fixed(0)

    package static let allowed =
        "a zone is a name such as America/New_York, UTC, or a distance from it such as -05:00 or +09:00"

    /// - Parameter text: `America/New_York`, `UTC`, `-05:00`, `+0530` or `UTC-5`.
    /// - Returns: `nil` for an unknown zone.
    package init?(_ text: String) {
        if let rules = TimeZoneRules(text) {
            self = rules == .utc ? .utc : .rules(rules)
            return
        }
        var rest = Substring(text)
        for prefix in ["UTC", "GMT"] where rest.uppercased().hasPrefix(prefix) { rest = rest.dropFirst(3) }
        guard let sign = rest.first, sign == "+" || sign == "-" else { return nil }
        let parts = rest.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ $0.utf8.allSatisfy { $0 >= 48 && $0 <= 57 } }) else {
            return nil
        }
        let isJoined = parts.count == 1 && parts[0].count == 4
        guard let hours = Int(isJoined ? parts[0].prefix(2) : parts[0]),
            let minutes = parts.count == 2 ? Int(parts[1]) : isJoined ? Int(parts[0].suffix(2)) : 0,
            hours < 24, minutes < 60
        else { return nil }
        self = .fixed(Double((sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)))
    }

    /// What this clock shows at `time`, as if that were UTC.
    package func wall(at time: Double) -> Double {
        switch self {
        case .rules(let rules): rules.wall(at: time)
        case .fixed(let offset): time + offset
        }
    }

    /// When this clock shows `wall`.
    package func utc(ofWall wall: Double) -> WallTime {
        switch self {
        case .rules(let rules): rules.utc(ofWall: wall)
        case .fixed(let offset): .once(wall - offset)
        }
    }

    /// The distance from UTC at `time`, seconds.
    package func offset(at time: Double) -> Double { wall(at: time) - time }

    package var name: String {
        switch self {
        case .rules(let rules): "\(rules.identifier)"
        case .fixed(0): "UTC"
        case .fixed(let offset): "UTC" + CSVTimePattern.distance(offset)
        }
    }
}
