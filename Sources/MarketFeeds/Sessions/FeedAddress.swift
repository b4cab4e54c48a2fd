/// Addresses made of a stream's address.
package enum FeedAddress {
    /// `http://host:port` for `ws://host:port/path`, `https` for `wss`.
    package static func rest(_ url: String) -> String {
        let isSecure = url.hasPrefix("wss://")
        let host = url.dropFirst(isSecure ? 6 : 5).prefix { $0 != "/" && $0 != "?" }
        return (isSecure ? "https://" : "http://") + host
    }

    /// What is shown of an address that cannot be read.
    static let unreadable = "(not shown: it cannot be read)"

    /// Scheme, host, port and path of an address: nothing that may be a secret, but for the path, which is shown though
    /// some providers put keys there. Of what does not read as one without a
    /// doubt nothing is shown: in `ws://name:pa/ss@host` a password looks like a port and a path.
    package static func shown(_ url: String) -> String {
        guard let mark = url.firstRange(of: "://") else { return unreadable }
        let scheme = url[..<mark.lowerBound]
        let authority = url[mark.upperBound...].prefix { !"/?#".contains($0) }
        let rest = url[authority.endIndex...]
        let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        guard isScheme(scheme), isPlace(place), !rest.contains("@"), !rest.contains("\\") else { return unreadable }
        return "\(scheme)://\(place)\(rest.prefix { $0 != "?" && $0 != "#" })"
    }

    private static func isScheme(_ text: Substring) -> Bool {
        text.first?.isLetter == true && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || "+-.".utf8.contains($0) }
    }

    /// A host, and maybe a port.
    private static func isPlace(_ text: Substring) -> Bool {
        var host = text
        var port: Substring?
        if let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") {
            host = text[..<colon]
            port = text[text.index(after: colon)...]
        }
        if let port, UInt16(port) == nil || !port.utf8.allSatisfy({ 48...57 ~= $0 }) { return false }
        if host.hasPrefix("["), host.hasSuffix("]") {
            return host.dropFirst().dropLast().utf8.allSatisfy { $0.isASCIILetterOrDigit || ":.".utf8.contains($0) }
        }
        return !host.isEmpty && host.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-._".utf8.contains($0) }
    }

    /// Another server's address as a venue's own goes on, where it has no path of its own: `ws://127.0.0.1:9000` is
    /// `ws://127.0.0.1:9000/v2` to whom the venue is `wss://ws.kraken.com/v2`. `/` is no path; `/?` requests the root. What
    /// is filled in later, as a token, stays with the venue, and so does a query.
    static func completed(_ url: String, like endpoint: String) -> String {
        func end(_ url: String) -> Substring? {
            url.firstRange(of: "://").map { mark in url[mark.upperBound...].drop { !"/?#".contains($0) } }
        }
        guard let own = end(url), own.isEmpty || own == "/",
            let path = end(endpoint)?.prefix(while: { $0 != "?" && $0 != "#" }), !path.isEmpty, !path.contains("{")
        else { return url }
        return "\(url.dropLast(own.count))\(path)"
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

extension UInt8 {
    fileprivate var isASCIILetterOrDigit: Bool { 48...57 ~= self || 65...90 ~= self || 97...122 ~= self }
}
