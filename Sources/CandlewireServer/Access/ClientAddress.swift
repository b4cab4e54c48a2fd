import Hummingbird
import NIOHTTP1
import WebSocketTransport

/// Where a client is, not a trusted proxy in between: for limits and for the audit log.
struct ClientAddress: Sendable, Hashable, CustomStringConvertible {
    /// What counts as one client: an IPv4 address, or an IPv6 network of 64 bits. `nil`: it came by no network.
    private let subscriber: IPAddress?
    let description: String
    /// Whether it is this machine. So is what comes by no network.
    let isLoopback: Bool

    init(_ head: HTTPRequestHead) { self.init(head.clientAddress) }
    init(_ request: Request) { self.init(request.clientAddress.flatMap { IPAddress($0) }) }

    init(_ address: IPAddress?) {
        subscriber = address?.subscriber
        description = address.map(\.description) ?? "local"
        isLoopback = address?.isLoopback ?? true
    }

    static func == (one: Self, other: Self) -> Bool { one.subscriber == other.subscriber }
    func hash(into hasher: inout Hasher) { hasher.combine(subscriber) }
}
