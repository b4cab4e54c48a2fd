/// Gemini's market data, version 2: no acks; a market begins with its book and its last trades; a heartbeat every five
/// seconds. The wording of errors is not documented.
struct GeminiRules: VenueRules {
    static let facts = VenueFacts(paths: ["/v2/marketdata", "/v2/marketdata/"], heartbeatInterval: 5)

    private let market: VenueMarket
    private var hasSubscribed = false

    init(_ market: VenueMarket, connection: Int) { self.market = market }

    static func sort(_ message: [UInt8]) -> RecordedPart {
        guard let type = peek(message, "type"), let symbol = peek(message, "symbol") else { return .own }
        switch type {
        case "l2_updates":
            let topic = VenueTopic("l2", symbol)
            // Only the first one has the trades before it.
            return peek(message, "trades") != nil ? .first(topic) : .data([topic])
        case "trade": return .data([VenueTopic("l2", symbol)])
        default:
            guard type.hasSuffix("_updates") else { return .own }
            return .data([VenueTopic(String(type.dropLast("_updates".count)), symbol)])
        }
    }

    static func trades(in message: [UInt8], _ part: RecordedPart, of session: RecordedSession) -> [RecordedTrade] {
        switch peek(message, "type") {
        case "trade": return VenueJSON(message).flatMap { RecordedTrade($0, members) }.map { [$0] } ?? []
        case "l2_updates":
            guard case .first = part, let rows = VenueJSON(message)?["trades"]?.array else { return [] }
            return rows.compactMap { RecordedTrade($0, members) }
        default: return []
        }
    }

    static let members: RecordedTrade.Members? = .init(
        symbol: "symbol", number: "event_id", price: "price", size: "quantity", time: "timestamp", side: "side",
        buy: "buy")

    mutating func received(_ json: VenueJSON?, at moment: VenueMoment) -> [VenueReply] {
        guard let type = json?["type"]?.string, type == "subscribe" || type == "unsubscribe",
            let entries = json?["subscriptions"]?.array
        else { return [error("InvalidJson", "subscribe or unsubscribe with subscriptions is expected")] }
        var replies: [VenueReply] = []
        for entry in entries {
            guard let name = entry["name"]?.string, name == "l2" || name.hasPrefix("candles_") else {
                return [error("InvalidSubscription", "the name of a subscription is l2 or candles_1m")]
            }
            for symbol in entry["symbols"]?.strings ?? [] {
                guard market.symbols.contains(symbol) else {
                    return [error("InvalidSymbol", "\(symbol) is not a symbol")]
                }
                let topic = VenueTopic(name, symbol)
                replies.append(type == "subscribe" ? .subscribe(topic) : .unsubscribe(topic))
            }
        }
        hasSubscribed = true
        return replies
    }

    private func error(_ reason: String, _ message: String) -> VenueReply {
        .answer(#"{"result":"error","reason":"\#(reason)","message":\#(quoted(message))}"#)
    }

    mutating func heartbeat(isQuiet: Bool, at moment: VenueMoment) -> [VenueReply] {
        hasSubscribed ? [.send(#"{"type":"heartbeat","timestamp":\#(moment.time / 1_000_000)}"#)] : []
    }
}
