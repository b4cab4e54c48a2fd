/// The parts of a `ws://` or `wss://` URL that a connection needs (RFC 6455 section 3).
package struct WebSocketURL: Sendable, Hashable {
    package var isSecure: Bool
    /// A name or an address; IPv6 without its brackets.
    package var host: String
    package var port: Int
    /// Path and query as they stand in the request line, at least "/".
    package var target: String

    /// - Throws: `WebSocketConnectError` with code `badURL` and what is wrong. A fragment (`#`) and a user name are
    ///   refused: the first is illegal here, the second would be dropped silently. Characters beyond ASCII and spaces
    ///   must be percent-encoded; nothing else is changed or checked in the target.
    package init(_ text: String) throws {
        func bad(_ why: String) -> WebSocketConnectError {
            WebSocketConnectError(.badURL, "not a WebSocket URL (\(why)): \(Self.redacted(text))")
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw bad("spaces, control characters and non-ASCII must be percent-encoded")
        }
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
            throw bad("it must start with ws:// or wss://")
        }
        switch text[..<colon].lowercased() {
        case "ws": isSecure = false
        case "wss": isSecure = true
        case let scheme: throw bad("the scheme is \(scheme), it must be ws or wss")
        }
        guard !text.contains("#") else { throw bad("a fragment is not allowed") }

        let rest = text[text.index(colon, offsetBy: 3)...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let authority = rest[..<end]
        target = rest[end...].hasPrefix("/") ? String(rest[end...]) : "/" + rest[end...]
        guard !authority.contains("@") else { throw bad("a user name is not allowed, send a header instead") }

        let portText: Substring?
        if authority.hasPrefix("[") {
            guard let bracket = authority.firstIndex(of: "]") else { throw bad("a bracket is not closed") }
            host = String(authority[authority.index(after: authority.startIndex)..<bracket])
            let after = authority[authority.index(after: bracket)...]
            guard after.isEmpty || after.hasPrefix(":") else { throw bad("something follows the address") }
            portText = after.isEmpty ? nil : after.dropFirst()
        } else if let separator = authority.firstIndex(of: ":") {
            host = String(authority[..<separator])
            portText = authority[authority.index(after: separator)...]
        } else {
            host = String(authority)
            portText = nil
        }
        guard !host.isEmpty else { throw bad("the host is missing") }
        port = isSecure ? 443 : 80
        if let portText, !portText.isEmpty {
            guard let number = Int(portText), portText.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
                (1...65535).contains(number)
            else { throw bad("the port is not a number from 1 to 65535") }
            port = number
        }
    }

    /// What belongs into the `Host` header: the port only where it is not the scheme's own.
    package var hostHeader: String { port == (isSecure ? 443 : 80) ? bracketedHost : hostAndPort }

    /// For people, who need not know the schemes' ports.
    var hostAndPort: String { "\(bracketedHost):\(port)" }

    private var bracketedHost: String { host.contains(":") ? "[\(host)]" : host }
}

extension WebSocketURL: CustomStringConvertible {
    /// The URL without the values in its query, which may be tokens.
    package var description: String { Self.redacted("\(isSecure ? "wss" : "ws")://\(hostHeader)\(target)") }

    /// Any URL as it may stand in a log: without user name and password, without the values of its query and without
    /// its fragment. The path stays.
    package static func redacted(_ text: String) -> String {
        var rest = Substring(text)
        var result = ""
        if let range = rest.firstRange(of: "://") {
            result += rest[..<range.upperBound]
            rest = rest[range.upperBound...]
            let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            if let at = authority.lastIndex(of: "@") {
                result += "…@"
                rest = rest[rest.index(after: at)...]
            }
        }
        let path = rest.prefix { $0 != "?" && $0 != "#" }
        result += path
        rest = rest[path.endIndex...]
        if rest.first == "?" {
            let query = rest.dropFirst().prefix { $0 != "#" }
            let fields = query.split(separator: "&", omittingEmptySubsequences: false).map { field in
                guard let equals = field.firstIndex(of: "=") else { return field.isEmpty ? "" : "…" }
                return field[...equals] + "…"
            }
            result += "?" + fields.joined(separator: "&")
            rest = rest[query.endIndex...]
        }
        return rest.isEmpty ? result : result + "#…"
    }
}
