import MarketFeeds

/// `HOST:PORT` as a flag says it.
struct NetworkAddress: Equatable {
    var host: String
    var port: Int

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

    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
