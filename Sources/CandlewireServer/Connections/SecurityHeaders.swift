import NIOHTTP1

/// Headers of every answer, errors too, that keep browsers from what this server does not mean: to guess types, to frame the
/// page elsewhere, to name its addresses to others, or to load its answers into foreign pages.
enum SecurityHeaders {
    /// - Parameters:
    ///   - host: the request's `Host`.
    ///   - isSecure: whether the client came by HTTPS, as far as we or a trusted proxy know.
    static func add(to headers: inout HTTPHeaders, host: String?, isSecure: Bool) {
        headers.replaceOrAdd(name: "Content-Security-Policy", value: policy(host: host, isSecure: isSecure))
        headers.replaceOrAdd(name: "X-Content-Type-Options", value: "nosniff")
        headers.replaceOrAdd(name: "Referrer-Policy", value: "no-referrer")
        headers.replaceOrAdd(name: "Cross-Origin-Resource-Policy", value: "same-origin")
        // A year (RFC 6797).
        if isSecure { headers.replaceOrAdd(name: "Strict-Transport-Security", value: "max-age=31536000") }
    }

    private static func policy(host: String?, isSecure: Bool) -> String {
        // Older browsers do not count a page's own WebSockets to its origin.
        let socket = host.flatMap { isAuthority($0) ? " \(isSecure ? "wss" : "ws")://\($0)" : nil } ?? ""
        return "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
            + "img-src 'self' data: blob:; connect-src 'self'\(socket); form-action 'self'; frame-ancestors 'self'; "
            + "base-uri 'none'; object-src 'none'"
    }

    /// Whether nothing but a name or address and a port is in it, so that it cannot add to the policy.
    private static func isAuthority(_ host: String) -> Bool {
        !host.isEmpty && host.utf8.count <= 255
            && host.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"),
                    UInt8(ascii: "["), UInt8(ascii: "]"):
                    true
                default: false
                }
            }
    }
}
