import MarketModel

/// The lines of a text with comma, semicolon or tab between its fields (RFC 4180 with those three separators).
///
/// Blank lines and those that start with `#` are left out but counted. A quoted field may hold separators and doubled
/// quotes; a line break inside quotes is not supported: no export of candles has one.
struct CSVLines {
    struct Line {
        /// 1 for the first line of the file.
        let number: Int
        let fields: [String]
    }

    private let splitter: CSVFields
    private let bytes: [UInt8]
    private var position: Int
    private var number = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        position = bytes.starts(with: mark) ? mark.count : 0
        splitter = CSVFields(beginning: bytes)
    }

    mutating func next() -> Line? {
        while position < bytes.count {
            let end = bytes[position...].firstIndex { $0 == 10 || $0 == 13 } ?? bytes.count
            let range = position..<end
            number += 1
            position = end + 1
            // CR LF is one line break.
            if end + 1 < bytes.count, bytes[end] == 13, bytes[end + 1] == 10 { position += 1 }
            let line = bytes[range]
            guard !CSVFields.isBlankOrComment(line) else { continue }
            return Line(number: number, fields: splitter.fields(of: line))
        }
        return nil
    }
}

/// Which column holds what.
struct CSVColumns: Equatable {
    var time: Int
    /// The time of day where `time` holds only the date.
    var timeOfDay: Int?
    var open: Int
    var high: Int
    var low: Int
    var close: Int
    var volume: Int?

    static let allowed =
        "a header names timestamp (or date, time, datetime), open, high, low, close and may name volume, in any order"

    /// The order of a file without a header: time, open, high, low, close, and volume where there is a sixth column.
    static func headerless(count: Int) -> CSVColumns? {
        guard count >= 5 else { return nil }
        return CSVColumns(time: 0, open: 1, high: 2, low: 3, close: 4, volume: count > 5 ? 5 : nil)
    }

    /// Whether a line is meant as a header: it names at least one of the prices.
    static func isHeader(_ fields: [String]) -> Bool {
        let prices: Set<String> = ["open", "high", "low", "close"]
        return fields.contains { prices.contains($0.lowercased()) }
    }

    /// - Returns: `nil` and the names that are missing, or the columns; unknown ones are passed over.
    static func header(_ fields: [String]) -> Result<CSVColumns, Missing> {
        let names = fields.map { $0.lowercased() }
        func find(_ name: String) -> Int? { names.firstIndex(of: name) }
        // Where there are several, a number or a whole date and time is better than a date alone.
        let time = find("timestamp") ?? find("datetime") ?? find("unix") ?? find("date") ?? find("time")
        let prices = ["open", "high", "low", "close"].map(find)
        guard let time, let open = prices[0], let high = prices[1], let low = prices[2], let close = prices[3] else {
            var missing = time == nil ? ["timestamp"] : []
            missing += zip(["open", "high", "low", "close"], prices).filter { $0.1 == nil }.map(\.0)
            return .failure(Missing(names: missing))
        }
        return .success(
            CSVColumns(
                time: time, timeOfDay: names[time] == "date" ? find("time") : nil, open: open, high: high, low: low,
                close: close, volume: find("volume")))
    }

    struct Missing: Error, Equatable {
        var names: [String]
    }
}

/// What a time field can say.
enum CSVTime: Equatable {
    /// Seconds since 1970 UTC.
    case instant(Double)
    /// What a clock showed, as if that were UTC: which clock it was, the text does not say.
    case wall(Double)
    /// A number below 86,400,000: milliseconds since a midnight that the file name gives (QuantConnect LEAN writes
    /// such files), or seconds of the years before 1973.
    case smallNumber(Double)

    static let allowed =
        "a time is a Unix time in s, ms, us or ns, YYYY-MM-DD, YYYY-MM-DD HH:MM[:SS], YYYYMMDD HH:MM or RFC 3339; "
        + "without an offset it is UTC"

    init?(_ text: String) {
        var scanner = CSVTimeScanner(text.utf8[...])
        if let date = scanner.date() {
            guard let time = scanner.timeOfDay(), scanner.isAtEnd else { return nil }
            let wall = Double(date.daysSince1970) * 86_400 + time.seconds
            self = time.offset.map { .instant(wall - Double($0)) } ?? .wall(wall)
            return
        }
        guard text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 || $0 == 46 }), let number = Double(text) else { return nil }
        switch number {
        // The bounds lie in the years 1972 and 5138 of each unit, so real market data never meets them.
        case ..<86_400_000: self = .smallNumber(number)
        case ..<1e11: self = .instant(number)
        case ..<1e14: self = .instant(number / 1e3)
        case ..<1e17: self = .instant(number / 1e6)
        case ..<1e20: self = .instant(number / 1e9)
        default: return nil
        }
    }
}
