import StreamCore

/// The last events, oldest first; bounded.
struct EventLog: Sendable {
    static let capacity = 10_000

    struct Filter: Sendable {
        var kinds: Set<TradingEvent.Kind>?
        var symbol: String?
        /// Its own events, and those about no account; `nil`: all.
        var account: String?
        var limit = 100
        /// Only events older than the one with this id.
        var before: String?

        func includes(_ event: TradingEvent) -> Bool {
            if let kinds, !kinds.contains(event.kind) { return false }
            if let symbol, event.symbol != symbol { return false }
            if let account, let owner = event.account, owner != account { return false }
            return true
        }
    }

    private let capacity: Int
    private var events: [TradingEvent] = []
    /// Where the oldest one is, once the ring is full.
    private var start = 0

    init(capacity: Int = EventLog.capacity) {
        self.capacity = max(1, capacity)
    }

    var count: Int { events.count }

    mutating func append(_ event: TradingEvent) {
        if events.count < capacity {
            events.append(event)
        } else {
            events[start] = event
            start = (start + 1) % capacity
        }
    }

    /// Newest first; `nil` where `before` names no event that is still here.
    func newest(_ filter: Filter) -> [TradingEvent]? {
        var found: [TradingEvent] = []
        var isReached = filter.before == nil
        for step in stride(from: events.count - 1, through: 0, by: -1) {
            let event = events[(start + step) % events.count]
            if isReached {
                guard found.count < filter.limit else { break }
                if filter.includes(event) { found.append(event) }
            } else if event.id == filter.before {
                isReached = true
            }
        }
        return isReached ? found : nil
    }
}

/// Something that happened, as a sentence.
struct TradingEvent: JSONDocument, Sendable, Equatable {
    enum Kind: String, Sendable, CaseIterable {
        case signal
        case orderPlaced = "order_placed"
        case orderFilled = "order_filled"
        case orderCancelled = "order_cancelled"
        case positionOpened = "position_opened"
        case positionClosed = "position_closed"
        case risk, system

        static var allowedNames: String { allCases.map(\.rawValue).joined(separator: ", ") }
    }

    /// Unique; the same after a restart where the event comes from a ledger.
    var id: String
    var kind: Kind
    /// `nil`: about no account.
    var account: String?
    var symbol: String?
    var message: String
    /// Seconds since 1970 UTC.
    var timestamp: Double
    var metadata: [String: String] = [:]

    func write(into sink: inout [UInt8]) {
        sink.object { sink in
            sink.field("id", id)
            sink.field("type", kind.rawValue)
            sink.field("account", account)
            sink.field("symbol", symbol)
            sink.field("message", message)
            sink.field("timestamp", timestamp)
            let metadata = metadata.isEmpty ? nil : JSONValue.object(metadata.mapValues { .string($0) })
            sink.field("metadata", metadata)
        }
    }
}
