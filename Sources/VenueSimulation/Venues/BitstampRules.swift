import MarketModel

/// Bitstamp's WebSocket interface, version 2: one ack a channel, no snapshot, no heartbeat unless the client requests
/// one. As the recording shows it; errors and `bts:request_reconnect` as the venue documents them.
struct BitstampRules: VenueRules {
    static let facts = VenueFacts(paths: ["/"])

    private static let channels = ["live_trades", "live_orders", "order_book", "detail_order_book", "diff_order_book"]

    private let market: VenueMarket

    init(_ market: VenueMarket, connection: Int) { self.market = market }

    static func sort(_ message: [UInt8]) -> RecordedPart {
        guard let event = peek(message, "event"), !event.hasPrefix("bts:"),
            let topic = peek(message, "channel").flatMap(topic)
        else { return .own }
        return .data([topic])
    }

    /// `live_trades_ethusd`
    private static func topic(_ channel: String) -> VenueTopic? {
        guard let end = channel.lastIndex(of: "_") else { return nil }
        return VenueTopic(String(channel[..<end]), String(channel[channel.index(after: end)...]))
    }

    static func trades(in message: [UInt8], _ part: RecordedPart, of session: RecordedSession) -> [RecordedTrade] {
        guard peek(message, "event") == "trade", case .data(let topics) = part, let topic = topics.first,
            let json = VenueJSON(message)?["data"]
        else { return [] }
        return [RecordedTrade(json, members, symbol: topic.symbol)].compactMap { $0 }
    }

    static let members: RecordedTrade.Members? = .init(
        number: "id", price: "price_str", size: "amount_str", time: "microtimestamp", side: "type", buy: "0")

    mutating func received(_ json: VenueJSON?, at moment: VenueMoment) -> [VenueReply] {
        let channel = json?["data"]?["channel"]?.string ?? ""
        switch json?["event"]?.string {
        case "bts:subscribe":
            guard let topic = Self.topic(channel), Self.channels.contains(topic.channel),
                market.symbols.contains(topic.symbol)
            else { return [error("Bad subscription string.")] }
            return [answer("bts:subscription_succeeded", channel), .subscribe(topic)]
        case "bts:unsubscribe":
            guard let topic = Self.topic(channel) else { return [error("Bad subscription string.")] }
            return [.unsubscribe(topic), answer("bts:unsubscription_succeeded", channel)]
        case "bts:heartbeat": return [.answer(#"{"event":"bts:heartbeat","channel":"","data":{"status":"success"}}"#)]
        default: return [error("Incorrect JSON format.")]
        }
    }

    private func answer(_ event: String, _ channel: String) -> VenueReply {
        .answer(#"{"event":"\#(event)","channel":\#(quoted(channel)),"data":{}}"#)
    }

    private func error(_ message: String) -> VenueReply {
        .answer(#"{"event":"bts:error","channel":"","data":{"code":null,"message":"\#(message)"}}"#)
    }

    mutating func farewell(at moment: VenueMoment) -> [VenueReply] {
        [.send(#"{"event":"bts:request_reconnect","channel":"","data":""}"#)]
    }
}

/// Bitstamp: `data.ohlc`, objects of texts, oldest first.
enum BitstampREST: VenueREST {
    private static let steps: [String: Timeframe] = [
        "60": .m1, "180": .m3, "300": .m5, "900": .m15, "1800": .m30, "3600": .h1, "7200": .h2, "14400": .h4,
        "21600": .h6, "43200": .h12, "86400": .d1,
    ]

    static func answer(_ request: VenueRequest, _ book: VenueBook) -> VenueResponse? {
        let parts = request.path.split(separator: "/").map(String.init)
        guard parts.count == 4, parts[0...2] == ["api", "v2", "ohlc"] else { return nil }
        guard book.symbols.contains(parts[3]) else {
            return VenueResponse(status: 404, body: #"{"code":"404","errors":[{"message":"Not Found"}]}"#)
        }
        let limit = request.query["limit"].flatMap { Int($0) } ?? 1000
        guard let timeframe = steps[request.query["step"] ?? ""], (1...1000).contains(limit) else {
            return VenueResponse(status: 400, body: #"{"code":"400","message":"Invalid step or limit."}"#)
        }
        let rows = request.rows(book.candles(parts[3], timeframe))
        let texts = rows.suffix(limit).map { object($0.candle, start: "timestamp") }
        return VenueResponse(body: #"{"data":{"pair":\#(quoted(parts[3])),"ohlc":\#(list(texts))}}"#)
    }
}
