import StreamCore

/// Something that happened, told in a sentence (HEAN-21, HEAN-28).
struct TradingEvent: Sendable, Equatable {
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

    func write(into sink: inout some ByteSink) {
        sink.json("{\"id\":")
        sink.string(id)
        sink.field("type", kind.rawValue)
        sink.field("account", account)
        sink.field("symbol", symbol)
        sink.field("message", message)
        sink.field("timestamp", timestamp)
        if !metadata.isEmpty {
            sink.json(",\"metadata\":{")
            for (index, (key, value)) in metadata.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { sink.json(",") }
                sink.string(key)
                sink.json(":")
                sink.string(value)
            }
            sink.json("}")
        }
        sink.json("}")
    }
}
