/// A stretch of time without a change of the clocks.
public struct ZoneSpan: Sendable {
    /// Its first moment, seconds since 1970 UTC; minus infinity for the first one.
    public let start: Double
    /// Its end (exclusive), when clocks change; infinity for the last one.
    public let end: Double
    /// Seconds ahead of UTC.
    public let offset: Double
    /// `EST`, `CEST`; empty where people say the distance from UTC.
    let name: StaticString

    public func contains(_ time: Double) -> Bool {
        time >= start && time < end
    }

    /// Writes what the clock is called, `EDT`, or where it has no name its distance from UTC, `+05:30`.
    public func appendAbbreviation(to utf8: inout [UInt8]) {
        guard name.utf8CodeUnitCount == 0 else {
            name.withUTF8Buffer { utf8.append(contentsOf: $0) }
            return
        }
        let minutes = Int(offset.magnitude / 60)
        utf8.append(offset < 0 ? 0x2D : 0x2B)
        for number in [minutes / 600, minutes / 60 % 10] { utf8.append(0x30 + UInt8(number)) }
        utf8.append(0x3A)
        for number in [minutes % 60 / 10, minutes % 10] { utf8.append(0x30 + UInt8(number)) }
    }
}
