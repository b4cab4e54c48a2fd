internal import MarketModel
internal import StreamCore

/// Reads and writes times like `2021-04-17T16:43:37.121358Z` (RFC 3339, section 5.6).
enum RFC3339 {
    /// Seconds since 1970 UTC; `nil` where the text is no such time. Leap seconds count as the next second.
    static func seconds(_ text: UnsafeRawBufferPointer) -> Double? {
        guard text.count >= 20, text[4] == 0x2D, text[7] == 0x2D, text[10] | 0x20 == 0x74 || text[10] == 0x20,
            text[13] == 0x3A, text[16] == 0x3A, let year = digits(text, 0, 4), let month = digits(text, 5, 2),
            let day = digits(text, 8, 2), let hour = digits(text, 11, 2), let minute = digits(text, 14, 2),
            let second = digits(text, 17, 2), 1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second <= 60
        else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        // A day that the month does not have comes back as another one.
        guard CivilDate(daysSince1970: date.daysSince1970) == date else { return nil }

        var at = 19
        var fraction = 0
        var scale = 1
        if text[at] == 0x2E {
            at += 1
            let start = at
            while at < text.count, text[at] &- 0x30 < 10 {
                // Nine digits are kept; more would not change a double of this size.
                if at - start < 9 {
                    fraction = fraction * 10 + Int(text[at] &- 0x30)
                    scale *= 10
                }
                at += 1
            }
            guard at > start else { return nil }
        }
        guard at < text.count, let offset = zone(text, at) else { return nil }
        let whole = date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second - offset
        guard scale <= 1_000_000 else { return Double(whole) + Double(fraction) / Double(scale) }
        // One division of exact integers: the double nearest to the written time.
        return Double(whole * scale + fraction) / Double(scale)
    }

    /// Seconds east of UTC.
    private static func zone(_ text: UnsafeRawBufferPointer, _ at: Int) -> Int? {
        if text[at] | 0x20 == 0x7A { return at + 1 == text.count ? 0 : nil }
        guard text[at] == 0x2B || text[at] == 0x2D, at + 6 == text.count, text[at + 3] == 0x3A,
            let hours = digits(text, at + 1, 2), let minutes = digits(text, at + 4, 2), hours < 24, minutes < 60
        else { return nil }
        let seconds = hours * 3600 + minutes * 60
        return text[at] == 0x2D ? -seconds : seconds
    }

    private static func digits(_ text: UnsafeRawBufferPointer, _ start: Int, _ count: Int) -> Int? {
        var value = 0
        for at in start..<start + count {
            let digit = text[at] &- 0x30
            guard digit < 10 else { return nil }
            value = value * 10 + Int(digit)
        }
        return value
    }

    /// A time as `2024-08-08T05:00:00Z`. What lies outside the years 0 to 9999 is written as their end, NaN as 1970.
    /// - Parameter milliseconds: writes three decimals, `2024-08-08T05:00:00.250Z`; otherwise fractions are cut off.
    static func text(_ seconds: Double, milliseconds: Bool = false) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        write(seconds, milliseconds: milliseconds, into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The same to where it is wanted: a server writes one with each word that a model says.
    static func write(_ seconds: Double, milliseconds: Bool, into sink: inout some ByteSink) {
        let clamped = seconds.isNaN ? 0 : min(253_402_300_799, max(-62_167_219_200, seconds))
        let total = Int64((clamped * 1000).rounded(milliseconds ? .toNearestOrAwayFromZero : .down))
        let whole = (total - (total < 0 ? 999 : 0)) / 1000
        let date = CivilDate(timestamp: Double(whole))
        let ofDay = Int(whole - Int64(date.daysSince1970) * 86_400)
        write(date.year, 4, into: &sink)
        sink.json("-")
        write(date.month, 2, into: &sink)
        sink.json("-")
        write(date.day, 2, into: &sink)
        sink.json("T")
        write(ofDay / 3600, 2, into: &sink)
        sink.json(":")
        write(ofDay / 60 % 60, 2, into: &sink)
        sink.json(":")
        write(ofDay % 60, 2, into: &sink)
        if milliseconds {
            sink.json(".")
            write(Int(total - whole * 1000), 3, into: &sink)
        }
        sink.json("Z")
    }

    private static func write(_ number: Int, _ width: Int, into sink: inout some ByteSink) {
        var scale = 1
        for _ in 1..<width { scale *= 10 }
        while scale > 0 {
            sink.append(0x30 + UInt8(number / scale % 10))
            scale /= 10
        }
    }
}
