import StreamCore
import TradingCore

/// The last events, oldest first; bounded.
struct EventLog: Sendable {
    static let capacity = 10_000

    struct Filter: Sendable {
        var kinds: Set<TradingEvent.Kind>?
        var symbol: String?
        /// Its own events, and those about no account; `nil`: all.
        var account: String?
        /// The accounts that the reader may see.
        var visible = AccessAccounts.all
        var limit = 100
        /// Only events older than the one with this id.
        var before: String?

        func includes(_ event: TradingEvent) -> Bool {
            kinds?.contains(event.kind) != false && (symbol == nil || event.symbol == symbol)
                && (account == nil || event.account == nil || event.account == account) && shows(event)
        }

        func shows(_ event: TradingEvent) -> Bool { event.account.map(visible.contains) ?? true }
    }

    private let capacity: Int
    /// Some that are too old are at its beginning.
    private var events: [TradingEvent] = []

    init(capacity: Int = EventLog.capacity) { self.capacity = max(1, capacity) }

    /// An account's events that come from its ledger, oldest first: what a start would have to read its entries for.
    func ofLedger(_ account: String) -> [TradingEvent] {
        let prefix = account + "-e"
        return events.suffix(capacity).filter { $0.account == account && $0.isOfLedger(prefix) }
    }

    var count: Int { min(events.count, capacity) }

    mutating func append(_ event: TradingEvent) {
        // Dropped by halves: each costs one move.
        if events.count >= 2 * capacity { events.removeFirst(capacity) }
        events.append(event)
    }

    /// Newest first; `nil` where `before` names no event that is still here.
    func newest(_ filter: Filter) -> [TradingEvent]? {
        var kept = events.suffix(capacity)
        if let before = filter.before {
            guard let index = kept.lastIndex(where: { $0.id == before && filter.shows($0) }) else { return nil }
            kept = kept[..<index]
        }
        return Array(kept.reversed().lazy.filter(filter.includes).prefix(filter.limit))
    }
}

/// Something that happened, as a sentence.
struct TradingEvent: JSONObjectDocument, Sendable, Equatable {
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

    /// What an event says. Of an entry it is written when it is read: most events never are.
    private enum Content: Sendable {
        case written(id: String, message: String, metadata: [String: String])
        case entry(EntryEvent)
    }

    var kind: Kind
    /// `nil`: about no account.
    var account: String?
    var symbol: String?
    /// Seconds since 1970 UTC.
    var timestamp: Double
    private var content: Content

    init(
        id: String, kind: Kind, account: String?, symbol: String?, message: String, timestamp: Double,
        metadata: [String: String] = [:]
    ) {
        (self.kind, self.account, self.symbol, self.timestamp) = (kind, account, symbol, timestamp)
        content = .written(id: id, message: message, metadata: metadata)
    }

    init(_ event: EntryEvent, _ kind: Kind, _ symbol: String?) {
        (self.kind, self.symbol) = (kind, symbol)
        (account, timestamp) = (event.entry.account.description, event.entry.time)
        content = .entry(event)
    }

    /// Unique; the same after a restart where the event comes from a ledger.
    var id: String {
        switch content {
        case .written(let id, _, _): id
        case .entry(let event): event.id
        }
    }

    /// - Parameter prefix: of the ids of an account's events.
    fileprivate func isOfLedger(_ prefix: String) -> Bool {
        switch content {
        case .written(let id, _, _): id.hasPrefix(prefix)
        case .entry: true
        }
    }

    private var text: (message: String, metadata: [String: String]) {
        switch content {
        case .written(_, let message, let metadata): (message, metadata)
        case .entry(let event): event.text(kind)
        }
    }

    var message: String { text.message }
    var metadata: [String: String] { text.metadata }

    static func == (left: TradingEvent, right: TradingEvent) -> Bool {
        left.kind == right.kind && left.account == right.account && left.symbol == right.symbol
            && left.timestamp == right.timestamp && left.id == right.id && left.text == right.text
    }

    func writeMembers(into sink: inout [UInt8]) {
        sink.fields("id", id, "type", kind.rawValue, "account", account, "symbol", symbol)
        let (message, all) = text
        sink.fields("message", message, "timestamp", timestamp)
        let metadata = all.isEmpty ? nil : JSONValue.object(all.mapValues { .string($0) })
        sink.field("metadata", metadata)
    }
}

extension TradingEvent {
    /// An event as it was written.
    private init?(_ value: JSONValue) {
        guard let id = value.text("id"), let word = value.text("type"), let kind = Kind(rawValue: word),
            let message = value.text("message"), let timestamp = value["timestamp"]?.number
        else { return nil }
        self.init(
            id: id, kind: kind, account: value.text("account"), symbol: value.text("symbol"), message: message,
            timestamp: timestamp, metadata: value["metadata"]?.members?.compactMapValues(\.text) ?? [:])
    }

    /// Events as a snapshot of their account has them.
    static func bytes(_ events: [TradingEvent]) -> [UInt8] {
        var sink: [UInt8] = []
        sink.object { $0.list("events", events) }
        return sink
    }

    static func events(_ bytes: [UInt8]) -> [TradingEvent]? {
        guard let value = try? bytes.withUnsafeBytes({ try JSONValue(parsing: $0) }) else { return nil }
        let elements = value["events"]?.elements ?? []
        let events = elements.compactMap { TradingEvent($0) }
        return events.count == elements.count ? events : nil
    }
}
