public import TradingCore

/// Something that a user should know: a signal, a change of an order or a position, a risk, the system.
public struct ServiceEvent: Codable, Hashable, Sendable, Identifiable {
    /// Unique within its service; ascending where ids are numbers.
    public var id: String
    public var type: ServiceEventType
    /// The market it is about; nil: none in particular.
    public var symbol: String?
    /// A sentence for people.
    public var message: String
    /// Seconds since 1970 UTC.
    public var timestamp: Double
    public var metadata: [String: String]?

    public init(
        id: String, type: ServiceEventType, symbol: String? = nil, message: String, timestamp: Double,
        metadata: [String: String]? = nil
    ) {
        self.id = id
        self.type = type
        self.symbol = symbol
        self.message = message
        self.timestamp = timestamp
        self.metadata = metadata
    }
}

/// What a `ServiceEvent` is about.
public enum ServiceEventType: OpenEnum {
    /// A long or short signal was detected.
    case signal
    case orderPlaced
    case orderFilled
    case orderCancelled
    case positionOpened
    case positionClosed
    case risk
    case system
    /// A word of a later version.
    case unknown(String)

    /// Those that this version knows.
    public static let known: [ServiceEventType] = [
        .signal, .orderPlaced, .orderFilled, .orderCancelled, .positionOpened, .positionClosed, .risk, .system,
    ]

    public var rawValue: String {
        switch self {
        case .signal: "signal"
        case .orderPlaced: "order_placed"
        case .orderFilled: "order_filled"
        case .orderCancelled: "order_cancelled"
        case .positionOpened: "position_opened"
        case .positionClosed: "position_closed"
        case .risk: "risk"
        case .system: "system"
        case .unknown(let word): word
        }
    }
}

/// How the connection behind the services is doing. Published every second.
public struct ServiceHealth: Hashable, Sendable {
    /// Where a connection stands. Services that need none are `connected` from `connect` to `disconnect`.
    public enum Connection: String, Sendable, CaseIterable {
        case disconnected
        /// Also while it waits for its next attempt.
        case connecting
        case connected
        case disconnecting
    }

    public var connection: Connection
    /// The smoothed round-trip time in seconds; nil: not measured.
    public var latency: Double?
    /// Attempts since the connection was last stable.
    public var reconnectAttempts: Int
    /// Messages received since the start.
    public var messages: Int
    /// The state of the server's source of ticks, for example `live`; nil: not known yet.
    public var feed: String?
    /// Whether orders can be recorded: `ok`, or the server's word for the problem.
    public var ledger: String?
    /// The last thing that went wrong, in words, without secrets; nil: nothing so far.
    public var problem: String?
    /// When this was so, seconds since 1970 UTC.
    public var timestamp: Double

    public init(
        connection: Connection, latency: Double? = nil, reconnectAttempts: Int = 0, messages: Int = 0,
        feed: String? = nil, ledger: String? = nil, problem: String? = nil, timestamp: Double
    ) {
        self.connection = connection
        self.latency = latency
        self.reconnectAttempts = reconnectAttempts
        self.messages = messages
        self.feed = feed
        self.ledger = ledger
        self.problem = problem
        self.timestamp = timestamp
    }
}
