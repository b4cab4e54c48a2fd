/// The parts of ASN.1's encoding DER (ITU-T X.690) that keys and signatures need.
enum DER {
    static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        // A length up to 127 is one byte; before a longer one stands how many bytes it has.
        guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
        let length = withUnsafeBytes(of: UInt64(content.count).bigEndian) { Array($0.drop { $0 == 0 }) }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }

    static func sequence(_ parts: [UInt8]...) -> [UInt8] { value(0x30, Array(parts.joined())) }

    /// - Parameter digits: base 256, the highest first.
    static func integer(_ digits: some Sequence<UInt8>) -> [UInt8] {
        var digits = Array(digits.drop { $0 == 0 })
        // Its highest bit is the sign.
        if digits.first ?? 0x80 >= 0x80 { digits.insert(0, at: 0) }
        return value(0x02, digits)
    }

    /// A key as it stands between the lines of a PEM file, SubjectPublicKeyInfo (RFC 5280 section 4.1).
    /// - Parameter algorithm: its name, an object identifier, and what belongs to it.
    static func publicKey(_ algorithm: [UInt8], _ key: [UInt8]) -> [UInt8] {
        // No bit of the last byte is unused.
        sequence(value(0x30, algorithm), value(0x03, [0] + key))
    }
}
