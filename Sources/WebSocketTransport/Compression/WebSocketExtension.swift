/// One element of a `Sec-WebSocket-Extensions` header (RFC 6455 section 9.1).
struct WebSocketExtension: Equatable, Sendable {
    struct Parameter: Equatable, Sendable {
        /// In lower case.
        var name: String
        /// Without the quotes it may have had.
        var value: String?
    }

    /// In lower case.
    var name: String
    var parameters: [Parameter] = []

    /// Reads all headers of that name together, in order.
    /// - Returns: nil where one of them is malformed: then the handshake must fail. No headers give no extensions.
    static func parse(_ headers: [String]) -> [WebSocketExtension]? {
        var all: [WebSocketExtension] = []
        for header in headers {
            var scanner = ExtensionScanner(header)
            guard let extensions = scanner.list() else { return nil }
            all += extensions
        }
        return all
    }
}

/// Reads the grammar of that header.
private struct ExtensionScanner {
    private var rest: Substring.UTF8View

    init(_ header: String) { rest = header[...].utf8 }

    mutating func list() -> [WebSocketExtension]? {
        var extensions: [WebSocketExtension] = []
        while true {
            skipSpace()
            // The list rule of RFC 2616 allows for empty elements.
            if consume(",") { continue }
            if rest.isEmpty { return extensions.isEmpty ? nil : extensions }
            guard let element = element() else { return nil }
            extensions.append(element)
            guard rest.isEmpty || consume(",") else { return nil }
        }
    }

    private mutating func element() -> WebSocketExtension? {
        guard let name = token() else { return nil }
        var element = WebSocketExtension(name: name.lowercased())
        skipSpace()
        while consume(";") {
            skipSpace()
            guard let name = token() else { return nil }
            var parameter = WebSocketExtension.Parameter(name: name.lowercased())
            skipSpace()
            if consume("=") {
                skipSpace()
                guard let value = rest.first == UInt8(ascii: "\"") ? quoted() : token() else { return nil }
                parameter.value = value
                skipSpace()
            }
            element.parameters.append(parameter)
        }
        return element
    }

    private mutating func token() -> String? {
        let token = rest.prefix(while: Self.isTokenByte)
        guard !token.isEmpty else { return nil }
        rest = rest[token.endIndex...]
        return String(Substring(token))
    }

    /// A quoted string, whose content must be a token too once it is unescaped.
    private mutating func quoted() -> String? {
        rest.removeFirst()
        var bytes: [UInt8] = []
        while var byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = rest.popFirst() else { return nil }
                byte = escaped
            }
            guard Self.isTokenByte(byte) else { return nil }
            bytes.append(byte)
        }
        return nil
    }

    private mutating func consume(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func skipSpace() { rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }

    /// RFC 2616 section 2.2: visible ASCII without separators.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        guard byte > 0x20, byte < 0x7F else { return false }
        return !#"()<>@,;:\"/[]?={}"#.utf8.contains(byte)
    }
}
