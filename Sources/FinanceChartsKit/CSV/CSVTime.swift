import MarketModel

/// What a time field can say.
enum CSVTime: Equatable {
    /// Seconds since 1970 UTC.
    case instant(Double)
    /// What a clock showed, as if that were UTC: which clock it was, the text does not say.
    case wall(Double)
    /// A number below 86,400,000: milliseconds since a midnight that the file name tells (QuantConnect LEAN writes
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
