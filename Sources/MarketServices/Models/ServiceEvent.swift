public import TradingCore

/// Something that a user wants to know: a signal, a change of an order or a position, a risk, the system.
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
