import MarketModel

/// A way to write dates and times, as a sample of letters: `YYYYMMDD HH:MM`, `M/D/YYYY h:MM AM`.
///
/// `MM` is the month before an hour and the minute after one. A letter that stands twice is written with two digits;
/// it is read with one or two, unless another number follows at once. A fraction may follow the seconds.
struct CSVTimePattern: Sendable, Equatable {
    enum Piece: Sendable, Equatable {
        case year, shortYear
        case month(digits: Int), day(digits: Int), hour(digits: Int), minute(digits: Int), second(digits: Int)
        /// AM or PM: the hours are those of a 12-hour clock.
        case half
        /// `Z` or a distance from UTC.
        case offset
        case literal(UInt8)

        var isNumber: Bool {
            switch self {
            case .half, .offset, .literal: false
            default: true
            }
        }
    }

    let pieces: [Piece]

    /// - Returns: `nil` where a letter means nothing, or year, month and day are not all there.
    init?(_ text: String) {
        var pieces: [Piece] = []
        var rest = Array(text.utf8)[...]
        var hasHour = false
        while let letter = rest.first {
            let run = rest.prefix { $0 == letter }
            rest = rest.dropFirst(run.count)
            switch (letter, run.count) {
            case (UInt8(ascii: "Y"), 4): pieces.append(.year)
            case (UInt8(ascii: "Y"), 2): pieces.append(.shortYear)
            case (UInt8(ascii: "M"), 1...2):
                pieces.append(hasHour ? .minute(digits: run.count) : .month(digits: run.count))
            case (UInt8(ascii: "D"), 1...2): pieces.append(.day(digits: run.count))
            case (UInt8(ascii: "H"), 1...2), (UInt8(ascii: "h"), 1...2):
                pieces.append(.hour(digits: run.count))
                hasHour = true
            case (UInt8(ascii: "m"), 1...2): pieces.append(.minute(digits: run.count))
            case (UInt8(ascii: "S"), 1...2), (UInt8(ascii: "s"), 1...2): pieces.append(.second(digits: run.count))
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
        func has(_ isIt: (Piece) -> Bool) -> Bool { pieces.contains(where: isIt) }
        guard has({ $0 == .year || $0 == .shortYear }), has({ if case .month = $0 { true } else { false } }),
            has({ if case .day = $0 { true } else { false } })
        else { return nil }
        self.pieces = pieces
    }

    /// - Returns: `nil` where the text is written otherwise, or names no day of the calendar.
    func read(_ text: String) -> CSVTimeFormat.Reading? {
        var scanner = CSVTimeScanner(text.utf8[...])
        var (year, month, day, hour, minute, second) = (0, 1, 1, 0, 0, 0.0)
        var isAfternoon: Bool?
        var offset: Int?
        for (index, piece) in pieces.enumerated() {
            let isTight = index + 1 < pieces.count && pieces[index + 1].isNumber
            func number() -> Int? { scanner.digits(2, atLeast: isTight ? 2 : 1) }
            switch piece {
            case .year:
                guard let value = scanner.digits(4) else { return nil }
                year = value
            case .shortYear:
                guard let value = scanner.digits(2) else { return nil }
                year = value < 70 ? 2000 + value : 1900 + value
            case .month:
                guard let value = number() else { return nil }
                month = value
            case .day:
                guard let value = number() else { return nil }
                day = value
            case .hour:
                guard let value = number(), value < 24 else { return nil }
                hour = value
            case .minute:
                guard let value = number(), value < 60 else { return nil }
                minute = value
            case .second:
                guard let value = number(), value <= 60, let fraction = isTight ? 0 : scanner.fraction() else {
                    return nil
                }
                second = Double(value) + fraction
            case .half:
                guard let letter = scanner.consume([65, 80, 97, 112]), scanner.consume([77, 109]) != nil else {
                    return nil
                }
                isAfternoon = letter == 80 || letter == 112
            case .offset:
                guard !scanner.isAtEnd, let value = scanner.offset() else { return nil }
                offset = value
            case .literal(let byte):
                guard scanner.consume([byte]) != nil else { return nil }
            }
        }
        guard scanner.isAtEnd, let date = CSVTimeScanner.date(year, month, day) else { return nil }
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
        func padded(_ number: Int, _ digits: Int) -> String {
            let plain = "\(number)"
            return String(repeating: "0", count: max(0, digits - plain.utf8.count)) + plain
        }
        for piece in pieces {
            switch piece {
            case .year: text += padded(date.year, 4)
            case .shortYear: text += padded(date.year % 100, 2)
            case .month(let digits): text += padded(date.month, digits)
            case .day(let digits): text += padded(date.day, digits)
            case .hour(let digits):
                let hour = seconds / 3600
                text += padded(isHalf ? (hour + 11) % 12 + 1 : hour, digits)
            case .minute(let digits): text += padded(seconds / 60 % 60, digits)
            case .second(let digits): text += padded(seconds % 60, digits) + Self.fraction(ofDay)
            case .half: text += seconds < 43_200 ? "AM" : "PM"
            case .offset: text += Self.distance(offset)
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

    private static func distance(_ offset: Double) -> String {
        guard offset != 0 else { return "Z" }
        let minutes = Int(offset.magnitude) / 60
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(offset < 0 ? "-" : "+")\(two(minutes / 60)):\(two(minutes % 60))"
    }
}
