/// Addresses of REST interfaces.
enum RESTAddress {
    /// Whether candles can be requested there: `http://` or `https://` with a host, without a name, a query or a fragment.
    static func isBase(_ base: String) -> Bool {
        let host = ["http://", "https://"].first { base.lowercased().hasPrefix($0) }.map { base.dropFirst($0.count) }
        guard let first = host?.first, first != "/", first != ":" else { return false }
        return base.utf8.allSatisfy { $0 > 32 && $0 < 127 } && !base.contains(where: { "?#@\"<>\\".contains($0) })
    }
}

/// A piece of a URL's path or query, percent-encoded (RFC 3986, section 2.3: only unreserved characters stay).
func percentEncoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var encoded: [UInt8] = []
    for byte in text.utf8 {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: encoded.append(byte)
        default: encoded += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }
    return String(decoding: encoded, as: UTF8.self)
}

/// A number of seconds or milliseconds as a query has it.
func queryNumber(_ value: Double) -> String { "\(Int64(min(max(value, 0), 9e15)))" }
