import NIOHTTP1
import WebSocketTransport

/// The proxies in front of the server whose word about their clients is believed.
///
/// One header names the client, and only that one is read: a proxy passes the headers that it does not know on as its client
/// sent them, so that a second one would be the client's to fill in.
public struct TrustedProxies: Sendable, Equatable {
    /// Which header the proxies write.
    public enum Header: String, Sendable, CaseIterable {
        /// `X-Forwarded-For`, and `X-Forwarded-Proto` for the scheme.
        case xForwardedFor = "x-forwarded-for"
        /// RFC 7239.
        case forwarded
    }

    private(set) var ranges: [AddressRange] = []
    public var header = Header.xForwardedFor
    /// Whether their connections begin with a PROXY header, version 2.
    public var sendProxyHeader = false

    public init() {}

    public var isEmpty: Bool { ranges.isEmpty }

    /// Trusts the addresses of a range, as `10.0.0.0/8` or `::1`.
    /// - Returns: false where the text is no range.
    public mutating func add(_ text: String) -> Bool {
        guard let range = AddressRange(text) else { return false }
        ranges.append(range)
        return true
    }

    func trusts(_ address: IPAddress?) -> Bool {
        guard let address else { return false }
        return ranges.contains { $0.contains(address) }
    }

    /// What a request's connection and head say about its client.
    struct Client: Equatable {
        /// nil: unknown, as behind a Unix socket.
        var address: IPAddress?
        /// Whether the address was named by a trusted proxy.
        var isForwarded = false
        /// Whether the client reached the proxy by HTTPS.
        var isSecure = false
    }

    /// The right-most address that is not a trusted proxy's: what stands left of it, the client may have written itself.
    /// - Parameter peer: where the connection comes from.
    func client(of headers: HTTPHeaders, peer: IPAddress?) -> Client {
        guard let peer, trusts(peer) else { return Client(address: peer) }
        let hops: [ForwardedHop]
        var scheme: String?
        switch header {
        case .xForwardedFor:
            hops = ForwardedHop.xForwardedFor(headers["x-forwarded-for"])
            let last = headers["x-forwarded-proto"].last?.split(separator: ",").last
            scheme = last.map { $0.filter { $0 != " " && $0 != "\t" } }
        case .forwarded:
            hops = ForwardedHop.forwarded(headers["forwarded"])
            scheme = hops.last?.scheme
        }
        var client = Client(address: peer, isSecure: scheme?.lowercased() == "https")
        for hop in hops.reversed() {
            // What comes before something unreadable is not to be believed either.
            guard let address = hop.address else { break }
            client.address = address
            client.isForwarded = true
            if !trusts(address) { break }
        }
        return client
    }
}
