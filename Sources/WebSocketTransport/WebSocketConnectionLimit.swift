import NIOCore
import NIOHTTP1
import Synchronization

/// Counts the WebSocket connections of each address and of all, so that one peer cannot use them all up.
///
/// ```swift
/// upgrade.connectionLimit = WebSocketConnectionLimit(perAddress: 64)
/// ```
/// One object for all upgrades of a server. IPv6 addresses count by their /64, which is what one subscriber has. Behind
/// a proxy every connection has the proxy's address: leave the limit to the proxy there, or let it share the machine,
/// for connections from the machine itself are not counted unless configured.
public final class WebSocketConnectionLimit: Sendable {
    public let perAddress: Int
    /// Connections of all addresses, the machine's own among them; others are refused with 503.
    public let total: Int
    public let countsLoopback: Bool
    /// How long a refused client is to wait.
    public let retryAfterSeconds: Int

    private struct Counts {
        var addresses: [Key: Int] = [:]
        var all = 0
        var refusals = Refusals()
    }

    /// How many connections were refused so far, and why.
    public struct Refusals: Sendable, Equatable {
        /// Their address had its share.
        public var address = 0
        /// The server was full.
        public var total = 0

        public init() {}
    }

    private let counts = Mutex(Counts())

    public init(perAddress: Int, total: Int = .max, countsLoopback: Bool = false, retryAfterSeconds: Int = 10) {
        self.perAddress = max(1, perAddress)
        self.total = max(1, total)
        self.countsLoopback = countsLoopback
        self.retryAfterSeconds = max(1, retryAfterSeconds)
    }

    public var refusals: Refusals { counts.withLock(\.refusals) }

    /// How many addresses have connections.
    public var addressCount: Int { counts.withLock(\.addresses.count) }

    /// Counts one more connection, until `channel` closes.
    /// - Returns: the answer where there is no room for it.
    func admit(_ channel: any Channel) -> UpgradeRefusal? {
        var key = Key(channel.remoteAddress)
        if !countsLoopback, key?.isLoopback == true { key = nil }
        let counted = key
        let refusal = counts.withLock { counts -> UpgradeRefusal? in
            guard counts.all < total else {
                counts.refusals.total += 1
                return refuse(.serviceUnavailable, "The server has as many connections as it allows.")
            }
            if let counted {
                guard counts.addresses[counted, default: 0] < perAddress else {
                    counts.refusals.address += 1
                    return refuse(.tooManyRequests, "This address has too many connections.")
                }
                counts.addresses[counted, default: 0] += 1
            }
            counts.all += 1
            return nil
        }
        if refusal == nil { channel.closeFuture.whenComplete { _ in self.leave(counted) } }
        return refusal
    }

    private func refuse(_ status: HTTPResponseStatus, _ message: String) -> UpgradeRefusal {
        UpgradeRefusal(status: status, headers: ["Retry-After": "\(retryAfterSeconds)"], message: message)
    }

    private func leave(_ key: Key?) {
        counts.withLock { counts in
            counts.all -= 1
            guard let key else { return }
            let left = counts.addresses[key, default: 1] - 1
            counts.addresses[key] = left > 0 ? left : nil
        }
    }

    /// The bytes of an address that one peer has to itself.
    struct Key: Hashable {
        let bytes: [UInt8]

        /// - Returns: nil where there is no IP address (a Unix socket).
        init?(_ address: SocketAddress?) {
            switch address {
            case .v4(let address):
                // Behind family and port, on Linux as on Apple's systems.
                bytes = withUnsafeBytes(of: address.address) { Array($0[4..<8]) }
            case .v6(let address):
                // Behind family, port and flow information.
                let all = withUnsafeBytes(of: address.address) { Array($0[8..<24]) }
                let isMapped = all[..<10].allSatisfy { $0 == 0 } && all[10] == 0xFF && all[11] == 0xFF
                let isLoopback = all[..<15].allSatisfy { $0 == 0 } && all[15] == 1
                bytes = isMapped ? Array(all[12...]) : isLoopback ? all : Array(all[..<8])
            case .unixDomainSocket, nil: return nil
            }
        }

        var isLoopback: Bool { bytes.count == 16 || bytes.count == 4 && bytes[0] == 127 }
    }
}
