import WebSocketTransport

/// One proxy's word about where a request came from, in the order in which the proxies added theirs.
struct ForwardedHop: Equatable {
    /// nil: not an address, as `unknown` or `_hidden`.
    var address: IPAddress?
    var scheme: String?

    /// More proxies stand in front of no server; further ones at the left are left out.
    private static let most = 32

    /// - Parameter values: of the header's lines, in order. `192.0.2.1, 198.51.100.7`; some write ports.
    static func xForwardedFor(_ values: [String]) -> [ForwardedHop] {
        let elements = values.flatMap { $0.split(separator: ",", omittingEmptySubsequences: true) }
        return elements.suffix(most).map { ForwardedHop(address: address(trimmed($0))) }
    }

    /// - Parameter values: of the header's lines, in order. `for=192.0.2.1;proto=https, for="[2001:db8::1]:4711"`
    ///   (RFC 7239, section 4).
    static func forwarded(_ values: [String]) -> [ForwardedHop] {
        let elements = values.flatMap { split($0[...], at: ",") }
        return elements.suffix(most).map { element in
            var hop = ForwardedHop()
            for pair in split(element, at: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2 else { continue }
                let value = unquoted(trimmed(parts[1]))
                switch trimmed(parts[0]).lowercased() {
                case "for": hop.address = address(value[...])
                case "proto": hop.scheme = value
                default: break
                }
            }
            return hop
        }
    }

    /// `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]`, `[2001:db8::1]:80`.
    private static func address(_ text: Substring) -> IPAddress? {
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]"), isPort(text[text.index(after: end)...]) else { return nil }
            return IPAddress(String(text[text.index(after: text.startIndex)..<end]))
        }
        if let colon = text.firstIndex(of: ":"), colon == text.lastIndex(of: ":") {
            guard isPort(text[colon...]) else { return nil }
            return IPAddress(String(text[..<colon]))
        }
        return IPAddress(String(text))
    }

    /// Nothing, or a colon and a number; some obfuscate it (`_abc`).
    private static func isPort(_ text: Substring) -> Bool {
        guard text.first == ":" else { return text.isEmpty }
        let port = text.dropFirst()
        return !port.isEmpty && port.utf8.count <= 32
            && port.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == ".") }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " || $0 == "\t" }
        guard let end = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return start[...end]
    }

    private static func unquoted(_ text: Substring) -> String {
        guard text.count >= 2, text.first == "\"", text.last == "\"" else { return String(text) }
        var (value, isEscaped) = ("", false)
        for character in text.dropFirst().dropLast() {
            if !isEscaped, character == "\\" {
                isEscaped = true
            } else {
                value.append(character)
                isEscaped = false
            }
        }
        return value
    }

    /// Splits where the mark is not in quotes.
    private static func split(_ text: Substring, at mark: Character) -> [Substring] {
        var (parts, start) = ([Substring](), text.startIndex)
        var (isQuoted, isEscaped) = (false, false)
        for index in text.indices {
            let character = text[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if !isQuoted, character == mark {
                parts.append(text[start..<index])
                start = text.index(after: index)
            }
        }
        parts.append(text[start...])
        return parts.filter { !trimmed($0).isEmpty }
    }
}
