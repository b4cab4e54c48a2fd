import MarketModel
import StreamCore

/// Coinbase Exchange, `ws-feed` and its REST interface: `feeds/coinbase.md`. Every request is answered by one
/// cumulative `subscriptions`, or by an `error` that changes nothing. `last_match` and `snapshot` begin a subscription.
/// Wordings of errors are not all documented; those here are of the documented shape.
struct CoinbaseRules: VenueRules {
    static let facts = VenueFacts(
        paths: ["/"], subscriptionDeadline: 5, heartbeatInterval: 1,
        clientMessages: (perSecond: 100, burst: 100, countsControls: false))

    private static let channels = [
        "ticker", "ticker_batch", "matches", "heartbeat", "level2", "level2_batch", "full", "status", "auction",
    ]

    private let market: VenueMarket
    private var subscribed = CoinbaseSubscriptions()

    init(_ market: VenueMarket, connection: Int) { self.market = market }

    static func sort(_ message: [UInt8]) -> RecordedPart {
        guard let type = peek(message, "type"), let product = peek(message, "product_id") else { return .own }
        switch type {
        case "match": return .data([VenueTopic("matches", product)])
        case "last_match": return .first(VenueTopic("matches", product))
        case "ticker": return .data([VenueTopic("ticker", product)])
        case "snapshot": return .first(VenueTopic("level2", product))
        case "l2update": return .data([VenueTopic("level2", product)])
        case "heartbeat", "error", "subscriptions": return .own
        default: return .data([VenueTopic("full", product)])
        }
    }

    static func trades(in message: [UInt8], _ part: RecordedPart, of session: RecordedSession) -> [RecordedTrade] {
        guard let type = peek(message, "type"), type == "match" || type == "last_match", let json = VenueJSON(message)
        else { return [] }
        return [RecordedTrade(json, members)].compactMap { $0 }
    }

    /// The side is that of the order that waited.
    static let members: RecordedTrade.Members? = .init(
        symbol: "product_id", number: "trade_id", price: "price", size: "size", time: "time", side: "side", buy: "sell")

    /// A ticker has the number of its trade.
    static func repeatsTrade(_ message: [UInt8]) -> Bool { peek(message, "type") == "ticker" }

    mutating func received(_ json: VenueJSON?, at moment: VenueMoment) -> [VenueReply] {
        guard let json else { return [error("Malformed JSON", nil)] }
        guard let type = json["type"]?.string else { return [error("Missing type", nil)] }
        guard type == "subscribe" || type == "unsubscribe" else {
            return [error("Invalid message", "Type has to be either subscribe or unsubscribe")]
        }
        let failure = type == "subscribe" ? "Failed to subscribe" : "Failed to unsubscribe"
        let root = json["product_ids"]?.strings ?? []
        guard let entries = json["channels"]?.array, !entries.isEmpty else {
            return [error(failure, "channels is missing")]
        }
        var wanted: [CoinbaseSubscriptions.Channel] = []
        for entry in entries {
            guard let name = entry.string ?? entry["name"]?.string else {
                return [error(failure, "channel has no name")]
            }
            guard Self.channels.contains(name) else { return [error(failure, "\(name) is not a valid channel")] }
            let products = entry["product_ids"]?.strings ?? root
            if let unknown = products.first(where: { !market.symbols.contains($0) }) {
                return [error(failure, "\(unknown) is not a valid product")]
            }
            guard type == "unsubscribe" || !products.isEmpty || name == "status" else {
                return [error(failure, "\(name) requires product_ids")]
            }
            wanted.append((name, products))
        }
        let isSubscribe = type == "subscribe"
        let changes = wanted.flatMap { name, products in
            let changed = isSubscribe ? subscribed.add(name, products) : subscribed.remove(name, products)
            return changed.map { product -> VenueReply in
                let topic = Self.topic(name, product)
                return isSubscribe ? .subscribe(topic) : .unsubscribe(topic)
            }
        }
        return isSubscribe ? [subscriptions()] + changes : changes + [subscriptions()]
    }

    /// The batched book has the book's schema.
    private static func topic(_ channel: String, _ product: String) -> VenueTopic {
        VenueTopic(channel == "level2_batch" ? "level2" : channel == "ticker_batch" ? "ticker" : channel, product)
    }

    private func subscriptions() -> VenueReply {
        let channels = subscribed.channels.map {
            #"{"name":\#(quoted($0.name)),"product_ids":\#(VenueJSON.list($0.products))}"#
        }
        return .answer(#"{"type":"subscriptions","channels":["# + channels.joined(separator: ",") + "]}")
    }

    private func error(_ message: String, _ reason: String?) -> VenueReply {
        let reason = reason.map { #","reason":"# + quoted($0) } ?? ""
        return .answer(#"{"type":"error","message":\#(quoted(message))\#(reason)}"#)
    }

    mutating func exceededRate() -> [VenueReply] {
        [error("ErrSlowRead", nil), .close(.policyViolation, reason: "ErrSlowRead")]
    }

    mutating func heartbeat(isQuiet: Bool, at moment: VenueMoment) -> [VenueReply] {
        guard let channel = subscribed.channels.first(where: { $0.name == "heartbeat" }) else { return [] }
        return channel.products.map { product in
            let last = market.played(product, until: moment, newest: 1).last?.trade
            let number = market.lastNumber(product, until: moment)
            return .send(
                #"{"type":"heartbeat","sequence":\#(last?.json["sequence"]?.digits ?? "0"),"#
                    + #""last_trade_id":\#(number ?? 0),"product_id":\#(quoted(product)),"#
                    + #""time":"\#(VenueTime.rfc3339(moment.time))"}"#)
        }
    }

    func first(_ topic: VenueTopic, at moment: VenueMoment) -> [UInt8]? {
        guard topic.channel == "matches", let last = market.played(topic.symbol, until: moment, newest: 1).last,
            case .object(var members) = last.trade.json, let type = members.firstIndex(where: { $0.key == "type" })
        else { return nil }
        members[type].value = .string("last_match")
        return market.moved(last, .object(members), at: moment)
    }
}

/// What a connection to either of Coinbase's streams has subscribed to, in the order of the requests.
struct CoinbaseSubscriptions {
    typealias Channel = (name: String, products: [String])

    private(set) var channels: [Channel] = []

    /// - Returns: the same products.
    mutating func add(_ name: String, _ products: [String]) -> [String] {
        let index = channels.firstIndex { $0.name == name } ?? channels.count
        if index == channels.count { channels.append((name, [])) }
        for product in products where !channels[index].products.contains(product) {
            channels[index].products.append(product)
        }
        return products
    }

    /// Without products the whole channel goes.
    /// - Returns: the products that go.
    mutating func remove(_ name: String, _ products: [String]) -> [String] {
        guard let index = channels.firstIndex(where: { $0.name == name }) else { return [] }
        let gone = products.isEmpty ? channels[index].products : products
        channels[index].products.removeAll { gone.contains($0) }
        if channels[index].products.isEmpty { channels.remove(at: index) }
        return gone
    }
}

/// Coinbase Exchange: `feeds/coinbase.md`. Newest first, low and high before open, nothing for a quiet interval, 300 candles
/// at most, by the stretch of time; the end is included.
enum CoinbaseREST: VenueREST {
    private static let granularities: [String: Timeframe] = [
        "60": .m1, "300": .m5, "900": .m15, "3600": .h1, "21600": .h6, "86400": .d1,
    ]

    static func answer(_ request: VenueRequest, _ book: VenueBook) -> VenueResponse? {
        let parts = request.path.split(separator: "/").map(String.init)
        guard parts.first == "products" else { return nil }
        if parts.count == 1 { return products(book) }
        guard parts.count == 3, parts[2] == "candles" else { return nil }
        guard book.symbols.contains(parts[1]) else { return error(404, "NotFound") }
        guard let timeframe = granularities[request.query["granularity"] ?? "60"] else {
            return error(400, "Unsupported granularity")
        }
        var rows = book.candles(parts[1], timeframe)
        if let start = request.query["start"], let end = request.query["end"] {
            guard let from = VenueTime.nanoseconds(start), let to = VenueTime.nanoseconds(end) else {
                return error(400, "start is not a valid date")
            }
            let (first, last) = (Double(from) / 1e9, Double(to) / 1e9)
            guard (last - first) / timeframe.seconds < 300 else {
                return error(
                    400,
                    "granularity too small for the requested time range. Count of aggregations requested exceeds 300")
            }
            rows = rows.filter { $0.candle.timestamp >= first && $0.candle.timestamp <= last }
        }
        return VenueResponse(
            body: list(
                rows.suffix(300).reversed().map { row in
                    let candle = row.candle
                    return list(
                        [candle.timestamp, candle.low, candle.high, candle.open, candle.close, candle.volume].map(
                            number))
                }))
    }

    private static func products(_ book: VenueBook) -> VenueResponse {
        VenueResponse(
            body: list(
                book.symbols.map { symbol in
                    let (base, quote) = currencies(symbol)
                    return #"{"id":\#(quoted(symbol)),"base_currency":\#(quoted(base)),"#
                        + #""quote_currency":\#(quoted(quote)),"quote_increment":"\#(book.step(symbol))","#
                        + #""status":"online","trading_disabled":false}"#
                }))
    }

    private static func error(_ status: Int, _ message: String) -> VenueResponse {
        VenueResponse(status: status, body: #"{"message":\#(quoted(message))}"#)
    }
}
