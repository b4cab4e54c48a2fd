import MarketModel

/// A time as it stands in a JSON text.
struct TimeToken: Equatable {
    /// `2021-04-17T16:43:37.121358Z`, or with a blank instead of the `T`; otherwise digits, ten of which are the
    /// seconds.
    var isCivil = false
    /// Where it stands, without quotes.
    var range: Range<Int>
    /// Since 1970 UTC; of plain seconds without their fraction.
    var nanoseconds: Int64
    /// Of plain seconds: the nanoseconds behind the point.
    var fraction: Int64 = 0
}

/// Finds what reads as a time in a JSON text: whole numbers of 10, 13, 16 or 19 digits, 10 digits with a fraction, and
/// RFC 3339 in UTC, as values on their own, in quotes or not. Whether it is a time of this recording is for the caller
/// to say: ids have as many digits.
enum TimeTokens {
    static func forEach(in bytes: [UInt8], _ body: (TimeToken) -> Void) {
        bytes.withUnsafeBufferPointer { buffer in
            var at = 0
            let count = buffer.count
            while at < count {
                let byte = buffer[at]
                if byte == 0x22 {
                    let start = at + 1
                    at = start
                    while at < count, buffer[at] != 0x22 { at += buffer[at] == 0x5C ? 2 : 1 }
                    let end = min(at, count)
                    if let token = token(buffer, start..<end, allowsCivil: true) { body(token) }
                    at += 1
                } else if byte &- 0x30 < 10 || byte == 0x2D {
                    let start = at
                    while at < count, isOfNumber(buffer[at]) { at += 1 }
                    if let token = token(buffer, start..<at, allowsCivil: false) { body(token) }
                } else {
                    at += 1
                }
            }
        }
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || byte == 0x2E || byte == 0x2D || byte == 0x2B || byte | 0x20 == 0x65
    }

    private static func token(
        _ buffer: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, allowsCivil: Bool
    ) -> TimeToken? {
        guard range.count >= 10, range.count <= 40 else { return nil }
        if let value = number(buffer, range) { return value }
        return allowsCivil ? civil(buffer, range) : nil
    }

    private static func number(_ buffer: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> TimeToken? {
        var end = range.lowerBound
        var value: Int64 = 0
        while end < range.upperBound, buffer[end] &- 0x30 < 10, end - range.lowerBound < 19 {
            let (high, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = high.addingReportingOverflow(Int64(buffer[end] &- 0x30))
            guard !overflow, !carry else { return nil }
            value = sum
            end += 1
        }
        let digits = end - range.lowerBound
        guard digits >= 10, (digits - 10) % 3 == 0 else { return nil }
        var fraction: Int64 = 0
        if end < range.upperBound {
            // Only seconds have a fraction: 1618678142.557535
            guard digits == 10, buffer[end] == 0x2E, end + 1 < range.upperBound, range.upperBound - end <= 10 else {
                return nil
            }
            for at in end + 1..<range.upperBound {
                guard buffer[at] &- 0x30 < 10 else { return nil }
                fraction = fraction * 10 + Int64(buffer[at] &- 0x30)
            }
            for _ in range.upperBound - end - 1..<9 { fraction *= 10 }
        }
        var nanoseconds = value
        for _ in digits - 10..<9 {
            let (next, overflow) = nanoseconds.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            nanoseconds = next
        }
        return TimeToken(range: range, nanoseconds: nanoseconds, fraction: fraction)
    }

    /// `YYYY-MM-DDTHH:MM:SS[.fraction]Z`
    private static func civil(_ buffer: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> TimeToken? {
        let text = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: buffer[range]))
        // Times between 1970 and 2201: what else reads as one is not of a recording.
        guard text.count <= 30, text.last == 0x5A, let nanoseconds = RFC3339.nanoseconds(text),
            0..<7_289_654_400_000_000_000 ~= nanoseconds
        else { return nil }
        return TimeToken(isCivil: true, range: range, nanoseconds: nanoseconds)
    }
}
