/// Addresses made of a stream's address.
public enum FeedAddress {
    /// `http://host:port` for `ws://host:port/path`, `https` for `wss`.
    public static func rest(_ url: String) -> String {
        let isSecure = url.hasPrefix("wss://")
        let host = url.dropFirst(isSecure ? 6 : 5).prefix { $0 != "/" && $0 != "?" }
        return (isSecure ? "https://" : "http://") + host
    }

    /// An address without what may be a secret: a name and password, a query. Also of what only was meant to be one.
    public static func shown(_ url: String) -> String {
        let plain = url.prefix { $0 != "?" && $0 != "#" }
        let start = plain.firstRange(of: "//")?.upperBound ?? plain.startIndex
        let authority = plain[start...].prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return String(plain) }
        return String(plain[..<start] + plain[plain.index(after: at)...])
    }

    /// The address with this path where it has none, and these fields at the end of its query, percent-encoded.
    static func stream(_ base: String, path: String, query: [(name: String, value: String)]) -> String {
        var url = base
        let mark = url.firstIndex(of: "?")
        let host = url[..<(mark ?? url.endIndex)]
        let hasPath = (host.firstRange(of: "://").map { host[$0.upperBound...] } ?? host).contains("/")
        if mark == nil, !hasPath || url.hasSuffix("/") { url = (hasPath ? String(url.dropLast()) : url) + path }
        let fields = query.map { "\($0.name)=\(percentEncoded($0.value))" }.joined(separator: "&")
        return url + (mark == nil ? "?" : "&") + fields
    }
}
