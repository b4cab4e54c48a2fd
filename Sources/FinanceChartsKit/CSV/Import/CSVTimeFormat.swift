import MarketModel

/// How a file writes its times.
package struct CSVTimeFormat: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        case automatic
        /// A Unix time, in units of this many a second.
        case unix(unitsPerSecond: Double)
        case millisecondsOfDay
        case pattern(CSVTimePattern)
    }

    let kind: Kind
    /// As it was requested.
    package let name: String

    /// Whatever `CSVTime` knows, row by row.
    package static let automatic = CSVTimeFormat(kind: .automatic, name: "auto")
    /// Unix seconds.
    package static let seconds = CSVTimeFormat(kind: .unix(unitsPerSecond: 1), name: "s")
    static let millisecondsOfDay = CSVTimeFormat(kind: .millisecondsOfDay, name: "ms-of-day")

    package static let allowed =
        "a time format is auto, s, ms, us or ns (since 1970), ms-of-day, rfc3339, or a pattern such as "
        + "\"YYYYMMDD HH:MM\", \"M/D/YYYY H:MM\" or \"YYYY-MM-DD hh:MM AM\""

    private init(kind: Kind, name: String) {
        self.kind = kind
        self.name = name
    }

    /// - Returns: `nil` for what is neither a name nor a pattern with year, month and day.
    package init?(_ text: String) {
        switch text {
        case "auto": self = .automatic
        case "s": self = .seconds
        case "ms": self.init(kind: .unix(unitsPerSecond: 1e3), name: text)
        case "us", "µs": self.init(kind: .unix(unitsPerSecond: 1e6), name: text)
        case "ns": self.init(kind: .unix(unitsPerSecond: 1e9), name: text)
        case "ms-of-day": self = .millisecondsOfDay
        case "rfc3339":
            guard let pattern = CSVTimePattern("YYYY-MM-DDTHH:MM:SSZ") else { return nil }
            self.init(kind: .pattern(pattern), name: text)
        default:
            guard let pattern = CSVTimePattern(text) else { return nil }
            self.init(kind: .pattern(pattern), name: text)
        }
    }

    /// Whether times can be written so: only where the text alone says when it was.
    package var canWrite: Bool {
        switch kind {
        case .automatic, .millisecondsOfDay: false
        case .unix, .pattern: true
        }
    }

    /// The moment that a text on a command line means: a Unix time, or a date with or without a time of day.
    /// - Parameter zone: the clock of a text that does not say its own; of two moments the first, of none the next.
    package static func time(_ text: String, zone: CSVZone = .utc) -> Double? {
        switch automatic.read(text) {
        case .instant(let time)?: time
        case .wall(let wall)?: zone.utc(ofWall: wall).first
        case .smallNumber, nil: nil
        }
    }

    /// A small number is milliseconds since a midnight that stands elsewhere.
    func read(_ text: String) -> CSVTime? {
        switch kind {
        case .automatic: return CSVTime(text)
        case .unix(let units): return CSVTimeFormat.number(text).map { .instant($0 / units) }
        case .millisecondsOfDay:
            guard let number = CSVTimeFormat.number(text), number >= 0, number < 86_400_000 else { return nil }
            return .smallNumber(number)
        case .pattern(let pattern): return pattern.read(text)
        }
    }

    private static func number(_ text: String) -> Double? {
        guard text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 || $0 == 46 || $0 == 45 }), let number = Double(text),
            number.isFinite
        else { return nil }
        return number
    }

    /// `time`, seconds since 1970 UTC, as the clocks of `zone` show it. Unix times know no zone.
    package func write(_ time: Double, zone: CSVZone = .utc) -> String {
        switch kind {
        case .unix(1): return StudyNotation.plain(time)
        case .unix(let units): return Int64(exactly: (time * units).rounded()).map { "\($0)" } ?? "\(time * units)"
        case .pattern(let pattern):
            let offset = zone.offset(at: time)
            return pattern.write(wall: time + offset, offset: offset)
        case .automatic, .millisecondsOfDay: return StudyNotation.plain(time)
        }
    }
}
