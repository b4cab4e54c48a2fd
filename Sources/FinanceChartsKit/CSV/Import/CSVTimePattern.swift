import MarketModel

/// A way to write dates and times, as a sample of letters: `YYYYMMDD HH:MM`, `M/D/YYYY h:MM AM`.
///
/// `MM` is the month before an hour and the minute after one. A letter that stands twice is written with two digits;
/// it is read with one or two, unless another number follows at once. A fraction may follow the seconds.
struct CSVTimePattern: Sendable, Equatable {
    enum Unit: Sendable { case year, month, day, hour, minute, second }

    enum Piece: Sendable, Equatable {
        /// Years have two or four digits, all else one or two.
        case number(Unit, digits: Int)
        /// AM or PM: the hours are those of a 12-hour clock.
        case half
        /// `Z` or a distance from UTC.
        case offset
        case literal(UInt8)

        var isNumber: Bool { if case .number = self { true } else { false } }
    }

    let pieces: [Piece]

    /// - Returns: `nil` where a letter means nothing, or year, month and day are not all there.
    init?(_ text: String) {
        var pieces: [Piece] = []
        var rest = Array(text.utf8)[...]
        var units: Set<Unit> = []
        while let letter = rest.first {
            let run = rest.prefix { $0 == letter }
            rest = rest.dropFirst(run.count)
            let unit: Unit? =
                switch Unicode.Scalar(letter) {
                case "Y": .year
                case "M": units.contains(.hour) ? .minute : .month
                case "D": .day
                case "H", "h": .hour
                case "m": .minute
                case "S", "s": .second
                default: nil
                }
            if let unit {
                guard unit == .year ? run.count == 2 || run.count == 4 : run.count <= 2 else { return nil }
                pieces.append(.number(unit, digits: run.count))
                units.insert(unit)
                continue
            }
            switch (letter, run.count) {
            case (UInt8(ascii: "A"), 1), (UInt8(ascii: "P"), 1):
                guard rest.first == UInt8(ascii: "M") else { return nil }
                rest = rest.dropFirst()
                pieces.append(.half)
            case (UInt8(ascii: "Z"), 1): pieces.append(.offset)
            case (UInt8(ascii: "T"), 1): pieces.append(.literal(letter))
            case (65...90, _), (97...122, _), (48...57, _): return nil
            default: pieces += run.map { .literal($0) }
            }
        }
        guard units.isSuperset(of: [.year, .month, .day]) else { return nil }
        self.pieces = pieces
    }

    /// - Returns: `nil` where the text is written otherwise, or names no day of the calendar.
    func read(_ text: String) -> CSVTime? {
        var scanner = CSVTimeScanner(text.utf8[...])
        var (year, month, day, hour, minute, second) = (0, 1, 1, 0, 0, 0.0)
        var isAfternoon: Bool?
        var offset: Int?
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .number(let unit, let digits):
                let isTight = index + 1 < pieces.count && pieces[index + 1].isNumber
                let value = unit == .year ? scanner.digits(digits) : scanner.digits(2, atLeast: isTight ? 2 : 1)
                guard let value else { return nil }
                switch unit {
                case .year: year = digits == 4 ? value : value < 70 ? 2000 + value : 1900 + value
                case .month: month = value
                case .day: day = value
                case .hour: hour = value
                case .minute: minute = value
                case .second:
                    guard let fraction = isTight ? 0 : scanner.fraction() else { return nil }
                    second = Double(value) + fraction
                }
            case .half:
                guard let letter = scanner.consume([65, 80, 97, 112]), scanner.consume([77, 109]) != nil else {
                    return nil
                }
                isAfternoon = letter == 80 || letter == 112
            case .offset:
                guard !scanner.isAtEnd, let value = scanner.offset() else { return nil }
                offset = value
            case .literal(let byte): guard scanner.consume([byte]) != nil else { return nil }
            }
        }
        guard scanner.isAtEnd, hour < 24, minute < 60, second < 61,
            let date = CSVTimeScanner.date(year, month, day)
        else { return nil }
        if let isAfternoon {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (isAfternoon ? 12 : 0)
        }
        let wall = Double(date.daysSince1970) * 86_400 + Double(hour * 3600 + minute * 60) + second
        return offset.map { .instant(wall - Double($0)) } ?? .wall(wall)
    }

    /// The time on the wall written in this way; a fraction follows the seconds where there is one.
    func write(wall: Double, offset: Double) -> String {
        let date = CivilDate(timestamp: wall)
        let ofDay = wall - Double(date.daysSince1970) * 86_400
        let seconds = Int(ofDay)
        let isHalf = pieces.contains(.half)
        var text = ""
        for piece in pieces {
            switch piece {
            case .number(let unit, let digits):
                let number =
                    switch unit {
                    case .year: digits == 2 ? date.year % 100 : date.year
                    case .month: date.month
                    case .day: date.day
                    case .hour: isHalf ? (seconds / 3600 + 11) % 12 + 1 : seconds / 3600
                    case .minute: seconds / 60 % 60
                    case .second: seconds % 60
                    }
                let plain = "\(number)"
                text += String(repeating: "0", count: max(0, digits - plain.utf8.count)) + plain
                if unit == .second { text += Self.fraction(ofDay) }
            case .half: text += seconds < 43_200 ? "AM" : "PM"
            case .offset: text += offset == 0 ? "Z" : Self.distance(offset)
            case .literal(let byte): text.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return text
    }

    private static func fraction(_ seconds: Double) -> String {
        let micros = Int(((seconds - seconds.rounded(.down)) * 1e6).rounded())
        guard micros > 0, micros < 1_000_000 else { return "" }
        var digits = "\(1_000_000 + micros)".dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "." + digits
    }

    /// `+05:30`
    static func distance(_ offset: Double) -> String {
        let minutes = Int(offset.magnitude) / 60
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(offset < 0 ? "-" : "+")\(two(minutes / 60)):\(two(minutes % 60))"
    }
}
