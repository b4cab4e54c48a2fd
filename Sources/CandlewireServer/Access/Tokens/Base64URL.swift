/// Base64 as tokens have it: RFC 4648 section 5, without padding.
enum Base64URL {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }()

    static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var (held, bits) = (UInt32(0), 0)
        for byte in bytes {
            held = held << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(letters[Int(held >> UInt32(bits) & 63)])
            }
        }
        if bits > 0 { text.append(letters[Int(held << UInt32(6 - bits) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// - Returns: `nil` where another character is in it, its length is none, or the last one has bits that mean nothing:
    ///   one text for the same bytes, so that no token has a second form.
    static func bytes(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (held, bits) = (UInt32(0), 0)
        for letter in text {
            let value = values[Int(letter)]
            guard value < 64 else { return nil }
            held = held << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: held >> UInt32(bits)))
            }
        }
        guard bits < 6, held & (1 << UInt32(bits) - 1) == 0 else { return nil }
        return bytes
    }
}
