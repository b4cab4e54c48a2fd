internal import MarketModel

extension TextBuffer {
    /// The zone's city as people write it: `New York`, `UTC`.
    mutating func append(city zone: TimeZoneRules) {
        let start = bytes.count
        zone.identifier.withUTF8Buffer { name in
            for byte in name {
                if byte == 0x2F {
                    truncate(to: start)
                } else {
                    append(byte: byte == 0x5F ? 0x20 : byte)
                }
            }
        }
    }

    /// What the zone's clock is called at a time: `EDT`, `+05:30`.
    mutating func append(abbreviation zone: TimeZoneRules, at time: Double) {
        var utf8: [UInt8] = []
        zone.span(at: time).appendAbbreviation(to: &utf8)
        append(utf8: utf8)
    }
}
