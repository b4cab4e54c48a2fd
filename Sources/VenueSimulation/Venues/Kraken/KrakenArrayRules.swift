/// Kraken's WebSocket interface, version 1: events are objects, data are arrays that end with their channel and market.
struct KrakenArrayRules: VenueRules {
    static let facts = VenueFacts(
        paths: ["/"], heartbeatInterval: 1, clientMessages: (perSecond: 100, burst: 100, countsControls: false))

    private static let channels = ["ticker", "ohlc", "trade", "book", "spread"]

    private let market: VenueMarket
    private let connection: Int
    private var hasRequested = false

    init(_ market: VenueMarket, connection: Int) {
        self.market = market
        self.connection = connection
    }

    static func sort(_ message: [UInt8]) -> RecordedPart {
        guard message.first == UInt8(ascii: "["), let topic = topic(message) else { return .own }
        let isSnapshot = peek(message, "1", "as") != nil || peek(message, "1", "bs") != nil
        return isSnapshot ? .first(topic) : .data([topic])
    }

    /// The last two of `[1665,[...],"trade","XMR/USD"]`; there may be more than one payload before them.
    private static func topic(_ message: [UInt8]) -> VenueTopic? {
        let quotes = message.indices.reversed().lazy.filter { message[$0] == 0x22 }.prefix(4)
        guard quotes.count == 4 else { return nil }
        let places = Array(quotes)
        return VenueTopic(
            String(decoding: message[places[3] + 1..<places[2]], as: UTF8.self),
            String(decoding: message[places[1] + 1..<places[0]], as: UTF8.self))
    }

    static func trades(in message: [UInt8], _ part: RecordedPart, of session: RecordedSession) -> [RecordedTrade] {
        guard case .data(let topics) = part, let topic = topics.first, topic.channel == "trade",
            let rows = VenueJSON(message)?[1]?.array
        else { return [] }
        return rows.compactMap { RecordedTrade($0, members, symbol: topic.symbol) }
    }

    static let members: RecordedTrade.Members? = .init(price: "0", size: "1", time: "2", side: "3", buy: "b")

    static func channels(_ session: RecordedSession) -> [VenueTopic: Int] {
        var channels: [VenueTopic: Int] = [:]
        for message in session.messages where message.first == UInt8(ascii: "[") {
            guard let topic = topic(message), channels[topic] == nil else { continue }
            channels[topic] = peek(message, "0").flatMap { Int($0) }
        }
        return channels
    }

    mutating func opened(target: String, at moment: VenueMoment) -> [VenueReply] {
        let id = 17_843_232_920_108_168_701 + UInt64(connection)
        return [.send(#"{"connectionID":\#(id),"event":"systemStatus","status":"online","version":"1.8.3"}"#)]
    }

    mutating func received(_ json: VenueJSON?, at moment: VenueMoment) -> [VenueReply] {
        let request = json?["reqid"]?.integer.map { #","reqid":\#($0)"# } ?? ""
        switch json?["event"]?.string {
        case "ping": return [.answer(#"{"event":"pong"\#(request)}"#)]
        case "subscribe", "unsubscribe":
            hasRequested = true
            let isSubscribe = json?["event"]?.string == "subscribe"
            return (json?["pair"]?.strings ?? []).flatMap { answer($0, json?["subscription"], request, isSubscribe) }
        default: return [.answer(#"{"errorMessage":"Malformed request","event":"error"\#(request)}"#)]
        }
    }

    private func answer(
        _ pair: String, _ subscription: VenueJSON?, _ request: String, _ isSubscribe: Bool
    ) -> [VenueReply] {
        let name = subscription?["name"]?.string ?? ""
        let about = #""pair":\#(quoted(pair))\#(request)"#
        func refused(_ message: String) -> [VenueReply] {
            [
                .answer(
                    #"{"errorMessage":\#(quoted(message)),"event":"subscriptionStatus",\#(about),"#
                        + #""status":"error","subscription":{"name":\#(quoted(name))}}"#)
            ]
        }
        guard Self.channels.contains(name) else { return refused("Subscription name invalid") }
        guard market.symbols.contains(pair) else { return refused("Currency pair not supported \(pair)") }
        var channel = name
        var details = ""
        if name == "book" {
            let depth = subscription?["depth"]?.integer ?? 10
            channel += "-\(depth)"
            details = #""depth":\#(depth),"#
        }
        if name == "ohlc" {
            let interval = subscription?["interval"]?.integer ?? 1
            channel += "-\(interval)"
            details = #""interval":\#(interval),"#
        }
        let topic = VenueTopic(channel, pair)
        let answer = VenueReply.answer(
            #"{"channelID":\#(market.channels[topic] ?? 1),"channelName":"\#(channel)","event":"subscriptionStatus","#
                + #"\#(about),"status":"\#(isSubscribe ? "subscribed" : "unsubscribed")","#
                + #""subscription":{\#(details)"name":"\#(name)"}}"#)
        return isSubscribe ? [answer, .subscribe(topic)] : [.unsubscribe(topic), answer]
    }

    mutating func exceededRate() -> [VenueReply] { [.send(#"{"errorMessage":"Exceeded msg rate","event":"error"}"#)] }

    mutating func heartbeat(isQuiet: Bool, at moment: VenueMoment) -> [VenueReply] {
        hasRequested ? [.send(#"{"event":"heartbeat"}"#)] : []
    }
}
