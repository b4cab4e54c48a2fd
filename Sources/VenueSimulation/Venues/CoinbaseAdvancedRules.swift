import MarketModel

/// Coinbase Advanced Trade: every frame is numbered on its connection, a subscription's snapshots come before its ack, and
/// the ack names everything that is subscribed to.
struct CoinbaseAdvancedRules: VenueRules {
    static let facts = VenueFacts(paths: ["/"], subscriptionDeadline: 5, heartbeatInterval: 1)

    private static let channels = [
        "market_trades", "ticker", "ticker_batch", "candles", "level2", "status", "heartbeats",
    ]

    private let market: VenueMarket
    private var subscribed = CoinbaseSubscriptions()
    private var heartbeatCount = 0
    private var sequence = 0

    init(_ market: VenueMarket, connection: Int) { self.market = market }

    static func sort(_ message: [UInt8]) -> RecordedPart {
        guard let channel = peek(message, "channel"), channel != "subscriptions", channel != "heartbeats",
            let product = product(message)
        else { return .own }
        let topic = VenueTopic(channel == "l2_data" ? "level2" : channel, product)
        let type = peek(message, "events", "0", "type")
        return type == "snapshot" ? .first(topic) : .data([topic])
    }

    private static func product(_ message: [UInt8]) -> String? {
        let lists = ["trades", "tickers", "candles"].lazy
        return peek(message, "events", "0", "product_id")
            ?? lists.compactMap { peek(message, "events", "0", $0, "0", "product_id") }.first
    }

    static func trades(in message: [UInt8], _ part: RecordedPart, of session: RecordedSession) -> [RecordedTrade] {
        guard peek(message, "channel") == "market_trades", let events = VenueJSON(message)?["events"]?.array
        else { return [] }
        return events.flatMap { $0["trades"]?.array ?? [] }.compactMap { RecordedTrade($0, members) }
    }

    /// The side is that of the order that waited.
    static let members: RecordedTrade.Members? = .init(
        symbol: "product_id", number: "trade_id", price: "price", size: "size", time: "time", side: "side", buy: "SELL")

    mutating func received(_ json: VenueJSON?, at moment: VenueMoment) -> [VenueReply] {
        let type = json?["type"]?.string ?? ""
        guard type == "subscribe" || type == "unsubscribe" else {
            return [.answer(#"{"type":"error","message":"type has to be subscribe or unsubscribe"}"#)]
        }
        guard let channel = json?["channel"]?.string, Self.channels.contains(channel) else {
            return [.answer(#"{"type":"error","message":"channel is not valid"}"#)]
        }
        let products = json?["product_ids"]?.strings ?? []
        if let unknown = products.first(where: { !market.symbols.contains($0) }) {
            return [.answer(#"{"type":"error","message":\#(quoted("\(unknown) is not a valid product"))}"#)]
        }
        _ = type == "subscribe" ? subscribed.add(channel, products) : subscribed.remove(channel, products)
        // Heartbeats are of no product, and a subscription all the same.
        let named = products.isEmpty && channel == "heartbeats" ? [""] : products
        let changes = named.map { product -> VenueReply in
            let topic = VenueTopic(channel, product)
            return type == "subscribe" ? .subscribe(topic) : .unsubscribe(topic)
        }
        return changes + [subscriptions(moment)]
    }

    private func subscriptions(_ moment: VenueMoment) -> VenueReply {
        let members = subscribed.channels.map { "\(quoted($0.name)):\(VenueJSON.list($0.products))" }
        return .answer(envelope("subscriptions", moment, #"{"subscriptions":{\#(members.joined(separator: ","))}}"#))
    }

    private func envelope(_ channel: String, _ moment: VenueMoment, _ event: String) -> String {
        #"{"channel":"\#(channel)","timestamp":"\#(VenueTime.rfc3339(moment.time, digits: 9))","sequence_num":0,"#
            + #""events":[\#(event)]}"#
    }

    mutating func heartbeat(isQuiet: Bool, at moment: VenueMoment) -> [VenueReply] {
        guard subscribed.channels.contains(where: { $0.name == "heartbeats" }) else { return [] }
        heartbeatCount += 1
        let civil = VenueTime.rfc3339(moment.time, digits: 9).dropLast().split(separator: "T").joined(separator: " ")
        return [
            .send(
                envelope(
                    "heartbeats", moment,
                    #"{"current_time":"\#(civil) +0000 UTC m=+\#(heartbeatCount).0","#
                        + #""heartbeat_counter":\#(heartbeatCount)}"#))
        ]
    }

    /// The number of the frame on this connection.
    mutating func stamp(_ message: [UInt8]) -> [UInt8] {
        let name = Array(#""sequence_num":"#.utf8)
        guard let start = message.firstRange(of: name)?.upperBound else { return message }
        let end = message[start...].firstIndex { $0 &- 0x30 >= 10 } ?? message.endIndex
        defer { sequence += 1 }
        return Array(message[..<start]) + Array(String(sequence).utf8) + Array(message[end...])
    }
}

/// Coinbase Advanced Trade: newest first, objects of texts, nothing for a quiet interval.
enum CoinbaseAdvancedREST: VenueREST {
    private static let granularities: [String: Timeframe] = [
        "ONE_MINUTE": .m1, "FIVE_MINUTE": .m5, "FIFTEEN_MINUTE": .m15, "THIRTY_MINUTE": .m30, "ONE_HOUR": .h1,
        "TWO_HOUR": .h2, "SIX_HOUR": .h6, "ONE_DAY": .d1,
    ]

    static func answer(_ request: VenueRequest, _ book: VenueBook) -> VenueResponse? {
        let base = "/api/v3/brokerage/market/products"
        guard request.path.hasPrefix(base) else { return nil }
        let parts = request.path.dropFirst(base.count).split(separator: "/").map(String.init)
        if parts.isEmpty { return products(book) }
        guard parts.count == 2, parts[1] == "candles" else { return nil }
        guard book.symbols.contains(parts[0]) else { return error(404, "NOT_FOUND", "ProductID is invalid") }
        guard let timeframe = granularities[request.query["granularity"] ?? ""] else {
            return error(400, "INVALID_ARGUMENT", "invalid value for enum field granularity")
        }
        guard let from = request.query["start"].flatMap(Double.init), let to = request.query["end"].flatMap(Double.init)
        else { return error(400, "INVALID_ARGUMENT", "start and end are required") }
        guard (to - from) / timeframe.seconds < 350 else {
            return error(400, "INVALID_ARGUMENT", "number of candles requested should be less than 350 ")
        }
        let rows = request.rows(book.candles(parts[0], timeframe))
        let texts = rows.suffix(request.limit(350, max: 350)).reversed().map { object($0.candle, start: "start") }
        return VenueResponse(body: #"{"candles":\#(list(texts))}"#)
    }

    private static func products(_ book: VenueBook) -> VenueResponse {
        let texts = book.symbols.map { symbol in
            let (base, quote) = currencies(symbol)
            return #"{"product_id":\#(quoted(symbol)),"base_currency_id":\#(quoted(base)),"#
                + #""quote_currency_id":\#(quoted(quote)),"price_increment":"\#(book.step(symbol))","status":"online"}"#
        }
        return VenueResponse(body: #"{"products":\#(list(texts)),"num_products":\#(texts.count)}"#)
    }

    private static func error(_ status: Int, _ code: String, _ message: String) -> VenueResponse {
        VenueResponse(status: status, body: #"{"error":"\#(code)","error_details":"","message":\#(quoted(message))}"#)
    }
}
