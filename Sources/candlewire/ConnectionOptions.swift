import ArgumentParser
import Foundation
import MarketFeeds
import WebSocketTransport

/// How a command that connects to `wss://` checks the server's certificate.
struct TLSOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Trust only the authorities in this PEM file, not the system's.", valueName: "file"))
    var ca: String?

    @Option(
        help: ArgumentHelp(
            "One of these keys must be in the server's chain: sha256/ and the base 64 of its digest; may be repeated.",
            valueName: "pin"))
    var pin: [String] = []

    @Flag(help: "Do not check the server's certificate; others on the network can then read and change everything.")
    var insecure = false

    func validate() throws {
        if insecure, ca != nil { throw ValidationError("--insecure and --ca exclude each other.") }
    }

    func resolved() throws -> WebSocketTLS {
        let trust: WebSocketTLS.Trust =
            insecure ? .insecureForDevelopment : try ca.map { try .authorities(file: $0) } ?? .system
        return WebSocketTLS(trust: trust, pins: try pin.map { try WebSocketTLS.Pin($0) })
    }
}

/// Where the keys of venues come from that want one: a file, else the environment. Never the command line, which others on
/// the machine can read.
struct CredentialsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Keys of venues that want one: {"intrinio":{"api_key":"..."}}, or "user" and "password", in a file that only \
            you can read. Without it INTRINIO_API_KEY, or INTRINIO_USER and INTRINIO_PASSWORD.
            """,
            valueName: "file"))
    var credentials: String?

    /// Those of these names that can be found.
    func found(_ names: [String]) throws(FeedError) -> [String: FeedCredentials] {
        var found: [String: FeedCredentials] = [:]
        if let credentials { found = try FeedCredentials.file(credentials) }
        let environment = ProcessInfo.processInfo.environment
        for name in names where found[name] == nil {
            found[name] = FeedCredentials.environment(environment, name: name)
        }
        return found
    }

    /// - Throws: `FeedError` with the places where they could be, where there are none.
    func required(_ name: String) throws(FeedError) -> FeedCredentials {
        guard let credentials = try found([name])[name] else { throw .needsCredentials("The venue \"\(name)\"", name) }
        return credentials
    }
}

/// `HOST:PORT` of a flag.
struct NetworkAddress: Equatable {
    var host: String
    var port: Int

    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

extension NetworkAddress {
    /// Reads `HOST:PORT`, `[v6]:PORT` and, where a default host is given, `PORT`.
    init(_ text: String, flag: String, defaultHost: String? = nil) throws(FeedError) {
        let form = defaultHost == nil ? "HOST:PORT" : "[HOST:]PORT"
        guard let colon = text.lastIndex(of: ":") else {
            guard let defaultHost, let port = Self.port(text) else {
                throw FeedError(.usage, "\(flag) must be \(form), for example 127.0.0.1:8080; it is \"\(text)\".")
            }
            self.host = defaultHost
            self.port = port
            return
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, let port = Self.port(text[text.index(after: colon)...]) else {
            throw FeedError(.usage, "\(flag) must be \(form) with a port up to 65535; it is \"\(text)\".")
        }
        self.host = String(host)
        self.port = port
    }

    private static func port(_ text: some StringProtocol) -> Int? {
        guard let port = Int(text), (0...65_535).contains(port) else { return nil }
        return port
    }
}
