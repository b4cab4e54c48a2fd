/// Intrinio's legacy stream: Phoenix channels behind a token, replies, and the end for those who send no heartbeat.
struct IntrinioRules: VenueRules {
    static let facts = VenueFacts(paths: ["/socket/websocket"], clientHeartbeat: 20)
    private static let prefix = "iex:securities:"

    private let market: VenueMarket
    private var joined: Set<String> = []

    init(_ market: VenueMarket, connection: Int) { self.market = market }
    static func refusal(of target: String) -> Int? { IntrinioDesk.refusal(of: target) }
    static func answer(_ request: VenueRequest, _ market: VenueMarket, shift: Int64, now: Double) -> VenueResponse? {
        IntrinioDesk.answer(request, market, shift: shift)
    }

    static func sort(_ message: [UInt8]) -> RecordedPart {
        guard peek(message, "event") == "quote", let topic = peek(message, "topic"), topic.hasPrefix(prefix)
        else { return .own }
        return .data([VenueTopic("iex:securities", String(topic.dropFirst(prefix.count)))])
    }

    static func trades(in message: [UInt8], _ part: RecordedPart, of session: RecordedSession) -> [RecordedTrade] {
        guard case .data(let topics) = part, let topic = topics.first, let json = VenueJSON(message)?["payload"],
            json["type"]?.string == "last", let price = json["price"]?.digits, let size = json["size"]?.digits,
            let time = json["timestamp"]?.digits.flatMap(VenueTime.nanoseconds)
        else { return [] }
        return [RecordedTrade(symbol: topic.symbol, price: price, size: size, time: time, isBuy: true, json: json)]
    }

    mutating func received(_ json: VenueJSON?, at moment: VenueMoment) -> [VenueReply] {
        guard let topic = json?["topic"]?.string, let event = json?["event"]?.string else { return [] }
        let ref = json?["ref"]?.text ?? "null"
        if topic == "phoenix", event == "heartbeat" { return [.alive, .answer(reply(topic, ref))] }
        let symbol = topic.hasPrefix(Self.prefix) ? String(topic.dropFirst(Self.prefix.count)) : ""
        guard market.symbols.contains(symbol) else { return [unmatched(topic, ref)] }
        let about = VenueTopic("iex:securities", symbol)
        switch event {
        case "phx_join":
            joined.insert(symbol)
            return [.answer(reply(topic, ref)), .subscribe(about)]
        case "phx_leave":
            guard joined.remove(symbol) != nil else { return [unmatched(topic, ref)] }
            return [
                .unsubscribe(about), .answer(reply(topic, ref)),
                .send(#"{"topic":\#(quoted(topic)),"event":"phx_close","payload":{},"ref":null}"#),
            ]
        default: return [unmatched(topic, ref)]
        }
    }

    private func unmatched(_ topic: String, _ ref: String) -> VenueReply {
        .answer(reply(topic, ref, #"{"status":"error","response":{"reason":"unmatched topic"}}"#))
    }

    /// - Parameter ref: as JSON, returned as it came.
    private func reply(_ topic: String, _ ref: String, _ payload: String = #"{"status":"ok","response":{}}"#) -> String
    {
        #"{"topic":\#(quoted(topic)),"event":"phx_reply","payload":\#(payload),"ref":\#(ref)}"#
    }
}
