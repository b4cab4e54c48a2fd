import Foundation

/// A server as `--url` names it.
struct ServerAddress: Equatable {
    /// `http://host:port`, without a slash at its end.
    let base: String

    /// - Parameter text: `http://host[:port]`, `https://...`, or the address of its stream as `watch` takes it
    ///   (`ws://host/v1/stream`).
    init(_ text: String) throws {
        guard var components = URLComponents(string: text), let host = components.host, !host.isEmpty else {
            throw Self.refused(text)
        }
        switch components.scheme?.lowercased() {
        case "http", "https": break
        case "ws":
            components.scheme = "http"
            components.path = ""
        case "wss":
            components.scheme = "https"
            components.path = ""
        default: throw Self.refused(text)
        }
        components.query = nil
        components.fragment = nil
        while components.path.hasSuffix("/") { components.path.removeLast() }
        guard let base = components.string else { throw Self.refused(text) }
        self.base = base
    }

    private static func refused(_ text: String) -> TradingFailure {
        .usage("--url must be http://HOST[:PORT] or https://HOST[:PORT]; it is \"\(text)\".")
    }

    /// - Parameter path: its parts, which may hold any character (`BTC/USD`).
    func url(_ path: [String], _ query: [(name: String, value: String)]) -> URL? {
        var text = base
        for part in path { text += "/" + Self.encoded(part) }
        let pairs = query.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }
        if !pairs.isEmpty { text += "?" + pairs.joined(separator: "&") }
        return URL(string: text)
    }

    private static let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

    private static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            if plain.contains(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%" + (digits.count < 2 ? "0" : "") + digits
            }
        }
        return result
    }
}
