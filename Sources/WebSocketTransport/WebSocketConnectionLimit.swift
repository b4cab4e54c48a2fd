import NIOCore
import NIOHTTP1
import Synchronization

/// Counts the connections of each address and of all, so that one peer cannot use them all up.
///
/// ```swift
/// upgrade.connectionLimit = WebSocketConnectionLimit(perAddress: 64)
/// ```
/// One object for all upgrades of a server. IPv6 addresses count by their /64, which is what one subscriber has. Connections
/// from the machine itself are not counted by address unless configured.
public final class WebSocketConnectionLimit: Sendable {
    public let perAddress: Int
    /// Connections of all addresses, the machine's own among them; others are refused with 503.
    public let total: Int
    public let countsLoopback: Bool
    /// How long a refused client is to wait.
    public let retryAfterSeconds: Int

    private struct State {
        var table: ConnectionTable
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

    private let state: Mutex<State>

    public convenience init(
        perAddress: Int, total: Int = .max, countsLoopback: Bool = false, retryAfterSeconds: Int = 10
    ) {
        self.init(
            webSockets: ConnectionTable.Limits(perAddress: perAddress, total: total),
            http: ConnectionTable.Limits(perAddress: .max, total: .max), countsLoopback: countsLoopback,
            retryAfterSeconds: retryAfterSeconds)
    }

    /// - Parameter http: of the connections that are no WebSockets, or not yet; see `enter`.
    package init(
        webSockets: ConnectionTable.Limits, http: ConnectionTable.Limits, countsLoopback: Bool = false,
        retryAfterSeconds: Int = 10
    ) {
        perAddress = webSockets.perAddress
        total = webSockets.total
        self.countsLoopback = countsLoopback
        self.retryAfterSeconds = max(1, retryAfterSeconds)
        state = Mutex(State(table: ConnectionTable(http: http, webSocket: webSockets)))
    }

    /// Of WebSockets.
    public var refusals: Refusals { state.withLock(\.refusals) }

    /// How many addresses have connections.
    public var addressCount: Int { state.withLock(\.table.addressCount) }

    package func open(_ kind: ConnectionTable.Kind) -> Int { state.withLock { $0.table.total(kind) } }

    /// What an address is counted as; nil: not at all.
    package func counted(_ address: IPAddress?) -> IPAddress? {
        guard let address, countsLoopback || !address.isLoopback else { return nil }
        return address.subscriber
    }

    /// Counts one more; `leave` with the same arguments takes it back, unless it was refused.
    package func enter(
        _ kind: ConnectionTable.Kind, _ address: IPAddress?, countsInTotal: Bool = true
    ) -> ConnectionTable.Admission {
        state.withLock { $0.table.enter(kind, counted(address), countsInTotal: countsInTotal) }
    }

    package func leave(_ kind: ConnectionTable.Kind, _ address: IPAddress?, countsInTotal: Bool = true) {
        state.withLock { $0.table.leave(kind, counted(address), countsInTotal: countsInTotal) }
    }

    /// Counts one more WebSocket, until `channel` closes.
    /// - Returns: the answer where there is no room for it.
    func admit(_ channel: any Channel, address: IPAddress?) -> UpgradeRefusal? {
        switch enter(.webSocket, address) {
        case .admitted:
            channel.closeFuture.whenComplete { _ in self.leave(.webSocket, address) }
            return nil
        case .refused(.total), .spare(.total):
            state.withLock { $0.refusals.total += 1 }
            return refuse(.serviceUnavailable, "The server has as many connections as it allows.")
        case .refused(.address), .spare(.address):
            state.withLock { $0.refusals.address += 1 }
            return refuse(.tooManyRequests, "This address has too many connections.")
        }
    }

    private func refuse(_ status: HTTPResponseStatus, _ message: String) -> UpgradeRefusal {
        UpgradeRefusal(status: status, headers: ["Retry-After": "\(retryAfterSeconds)"], message: message)
    }
}
