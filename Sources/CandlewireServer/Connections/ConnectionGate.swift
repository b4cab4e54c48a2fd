import NIOCore
import Synchronization
import WebSocketTransport

/// Counts the server's connections and decides which may come in: one for all event loops.
final class ConnectionGate: Sendable {
    /// Why a connection only gets answers about the server's health, and refusals.
    enum Shortage: Sendable {
        case address
        case total
        case descriptors
    }

    let limit: WebSocketConnectionLimit
    let proxies: TrustedProxies
    private let counted = Mutex(ConnectionCounts())
    /// Accepted while file descriptors were short.
    private let spare = Mutex(Set<ObjectIdentifier>())

    init(limits: ServerLimits, proxies: TrustedProxies) {
        self.proxies = proxies
        limit = WebSocketConnectionLimit(
            webSockets: .init(perAddress: limits.connectionsPerAddress, total: limits.connections),
            http: .init(
                perAddress: limits.httpConnectionsPerAddress, total: limits.httpConnections, spare: 16,
                sparePerAddress: 2))
    }

    func change(_ body: (inout ConnectionCounts) -> Void) { counted.withLock { body(&$0) } }

    var counts: ConnectionCounts {
        var counts = counted.withLock { $0 }
        counts.openHTTP = limit.open(.http)
        counts.openWebSockets = limit.open(.webSocket)
        return counts
    }

    func markSpare(_ channel: any Channel) { _ = spare.withLock { $0.insert(ObjectIdentifier(channel)) } }

    /// One connection's place among all.
    struct Place: Sendable {
        /// nil: not counted by address, as a trusted proxy's connection.
        var address: IPAddress?
        var shortage: Shortage?
    }

    /// Counts a new connection; `leave` takes it back.
    /// - Returns: nil where it must be closed at once.
    func enter(_ channel: any Channel) -> Place? {
        let isSpare = spare.withLock { $0.remove(ObjectIdentifier(channel)) } != nil
        let peer = IPAddress(channel.remoteAddress)
        var place = Place(address: proxies.trusts(peer) ? nil : peer)
        guard let shortage = enter(place.address) else { return nil }
        place.shortage = isSpare ? .descriptors : shortage
        return place
    }

    func leave(_ place: Place) { limit.leave(.http, place.address) }

    /// Counts the client behind a proxy's connection, for a request or as long as the connection is its alone.
    /// - Returns: whether there is room; only then `leave` takes it back.
    func enterClient(_ address: IPAddress) -> Bool {
        switch limit.enter(.http, address, countsInTotal: false) {
        case .admitted: return true
        case .spare: limit.leave(.http, address, countsInTotal: false)
        case .refused: break
        }
        change { $0.refusedByAddress += 1 }
        return false
    }

    func leaveClient(_ address: IPAddress) { limit.leave(.http, address, countsInTotal: false) }

    /// - Returns: nil where it is refused; else what is short, nil for nothing.
    private func enter(_ address: IPAddress?) -> Shortage?? {
        switch limit.enter(.http, address) {
        case .admitted:
            change { $0.accepted += 1 }
            return .some(nil)
        case .spare(.address):
            change { $0.refusedByAddress += 1 }
            return .address
        case .spare(.total):
            change { $0.refusedInAll += 1 }
            return .total
        case .refused(.address):
            change { $0.refusedByAddress += 1 }
            return nil
        case .refused(.total):
            change { $0.refusedInAll += 1 }
            return nil
        }
    }
}
