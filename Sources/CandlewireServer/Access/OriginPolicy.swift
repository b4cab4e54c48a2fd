import Synchronization

/// Origins as browsers send them (`https://desk.example.com`) whose pages may use a server, besides the server's own; `*`
/// allows every page. They may change while the server runs.
public final class AllowedOrigins: Sendable, ExpressibleByArrayLiteral {
    private let current: Mutex<[String]>

    public init(_ origins: [String]) { current = Mutex(origins) }

    public convenience init(arrayLiteral origins: String...) { self.init(origins) }

    public var list: [String] { current.withLock { $0 } }

    /// From now on these alone are allowed. Streams that are open stay.
    public func replace(with origins: [String]) { current.withLock { $0 = origins } }
}

/// Which web pages may open a stream from a browser or change something, and under which names a server answers.
///
/// A browser lets any page open a WebSocket to any server, with the visitor's network position and cookies, and gives
/// the server the page's origin (RFC 6455 section 10.2). Other programs send no `Origin` and are not meant.
struct OriginPolicy: Sendable {
    var allowed: AllowedOrigins = []
    /// Whether pages of the machine itself may, whatever their port: for those who develop one.
    var allowsLoopback: Bool

    static let hostRefusal =
        "This server answers to localhost and 127.0.0.1; --allow-origin names others, as that of a proxy in front of it."

    /// - Parameters:
    ///   - origin: the request's `Origin`; `nil` where it has none.
    ///   - host: the request's `Host`: a page that came from this very server has it in its origin.
    func allows(origin: String?, host: String?) -> Bool {
        if trusts(origin: origin, host: host) { return true }
        guard allowsLoopback, let page = origin.flatMap({ Self.authority(ofOrigin: $0.lowercased()) }) else {
            return false
        }
        return Self.isLoopback(page)
    }

    /// The same without pages of other ports of this machine: whether a page is this server's own or allowed by name.
    func trusts(origin: String?, host: String?) -> Bool {
        guard let origin = origin?.lowercased() else { return true }
        if allowed.list.contains(where: { $0 == "*" || $0.lowercased() == origin }) { return true }
        guard let page = Self.authority(ofOrigin: origin), let host = host?.lowercased() else { return false }
        return page == Self.withoutDefaultPort(host, scheme: origin)
    }

    /// Whether a request for this name is meant for this server.
    ///
    /// One that only the machine itself reaches is never reached under a foreign name, save from a page whose owner pointed
    /// its name at 127.0.0.1 after it was loaded (DNS rebinding): for the browser that page is this server's own. A proxy in
    /// front that passes its name on has it among the allowed origins. Other servers cannot know their names: all are right.
    /// - Parameter host: the request's `Host`; `nil` where it has none, as no browser's does.
    func answers(toHost host: String?) -> Bool {
        guard allowsLoopback, let host = host?.lowercased() else { return true }
        return Self.isLoopback(host)
            || allowed.list.contains { origin in
                let origin = origin.lowercased()
                return origin == "*"
                    || Self.authority(ofOrigin: origin) == Self.withoutDefaultPort(host, scheme: origin)
            }
    }

    /// `host` or `host:port` of `scheme://host:port`, without the scheme's own port. `null` and the like have none.
    private static func authority(ofOrigin origin: String) -> String? {
        for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
            return withoutDefaultPort(String(origin.dropFirst(scheme.count)), scheme: origin)
        }
        return nil
    }

    private static func withoutDefaultPort(_ authority: String, scheme: String) -> String {
        let port = scheme.hasPrefix("https:") ? ":443" : ":80"
        return authority.hasSuffix(port) ? String(authority.dropLast(port.count)) : authority
    }

    private static func isLoopback(_ authority: String) -> Bool {
        let host =
            authority.hasPrefix("[")
            ? authority.prefix { $0 != "]" }.dropFirst() : authority.prefix { $0 != ":" }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isIPv4 = parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
        return host == "localhost" || host == "::1" || isIPv4
    }
}
