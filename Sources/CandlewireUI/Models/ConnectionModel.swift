public import MarketServices
public import Observation

/// Where the connection stands, for a pill: a word, a symbol and a colour's meaning.
@MainActor
@Observable
public final class ConnectionModel {
    public private(set) var health: ServiceHealth?
    private let service: any EventServiceProtocol

    public init(_ service: any EventServiceProtocol) { self.service = service }

    /// Follows the reports of the service until the task is cancelled.
    public func run() async {
        for await report in service.wsHealthUpdates { health = report }
    }

    public var connection: ServiceHealth.Connection { health?.connection ?? .connecting }

    public var words: String {
        switch connection {
        case .connected: localized("Live")
        case .connecting: (health?.reconnectAttempts ?? 0) > 0 ? localized("Reconnecting…") : localized("Connecting…")
        case .disconnecting: localized("Disconnecting…")
        case .disconnected: localized("Offline")
        }
    }

    /// The name of a symbol of Apple's, so that colour is not all that says it.
    public var symbolName: String {
        switch connection {
        case .connected: "bolt.fill"
        case .connecting, .disconnecting: "arrow.triangle.2.circlepath"
        case .disconnected: "bolt.slash.fill"
        }
    }

    public var movement: Movement {
        switch connection {
        case .connected: .up
        case .connecting, .disconnecting: .flat
        case .disconnected: .down
        }
    }

    /// The round trip and the last problem, for whom wants to know.
    public var details: String {
        let latency = health?.latency.map { localized("%@ ms round trip", "\(Int(($0 * 1000).rounded()))") }
        let problem = connection == .connected ? nil : health?.problem
        return [latency, problem].compactMap(\.self).joined(separator: ". ")
    }

    /// Why no order can be sent now; `nil` where one can.
    public var orderBlockReason: String? {
        if connection == .disconnected {
            return localized("Not connected. Orders can be sent when the connection is back.")
        }
        if let ledger = health?.ledger, ledger != "ok" {
            return localized("Orders are not accepted at the moment: the ledger can’t be written.")
        }
        return nil
    }
}
