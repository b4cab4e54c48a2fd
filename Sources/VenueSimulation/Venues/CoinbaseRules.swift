import MarketModel
import StreamCore

extension SimulatedVenue {
    /// Coinbase Exchange.
    public static let coinbase = SimulatedVenue("coinbase", path: "/", CoinbaseRules.self, CoinbaseREST.self)
}

/// Coinbase Exchange, `ws-feed` and its REST interface: `feeds/coinbase.md`.
///
/// Every request is answered by one cumulative `subscriptions`, or by an `error` that changes nothing. `last_match` and
/// `snapshot` begin a subscription. Wordings of errors are not all documented; those here are of the documented shape.
struct CoinbaseRules: VenueRules {
    static let facts = VenueFacts(
        paths: ["/"], subscriptionDeadline: 5, heartbeatInterval: 1,
        clientMessages: (perSecond: 100, burst: 100, countsControls: false))

    private static let channels = [
        "ticker", "ticker_batch", "matches", "heartbeat", "level2", "level2_batch", "full", "status", "auction",
    ]

    private struct Channel {
        var name: String
        var products: [String]
    }

    private let market: VenueMarket
    private var subscribed: [Channel] = []

    init(_ market: VenueMarket, connection: Int) { self.market = market }

    // MARK: The recording

    static func sort(_ message: [UInt8]) -> RecordedPart {
        guard let type = VenuePeek.string(message, "type"), let product = VenuePeek.string(message, "product_id") else {
            return .own
        }
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

    static let tradeNumbers = ["trade_id"]

    static func trades(in message: [UInt8], _ part: RecordedPart) -> [RecordedTrade] {
        guard let type = VenuePeek.string(message, "type"), type == "match" || type == "last_match",
            let json = VenueJSON(message)
        else { return [] }
        return [RecordedTrade(json, members)].compactMap { $0 }
    }

    /// The side is that of the order that waited.
    private static let members = RecordedTrade.Members(
        symbol: "product_id", number: "trade_id", price: "price", size: "size", time: "time", side: "side", buy: "sell")

    /// A ticker has the number of its trade.
    static func repeatsTrade(_ message: [UInt8]) -> Bool { VenuePeek.string(message, "type") == "ticker" }

    // MARK: Requests

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
        var wanted: [Channel] = []
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
            wanted.append(Channel(name: name, products: products))
        }
        return type == "subscribe" ? subscribe(wanted) : unsubscribe(wanted)
    }

    private mutating func subscribe(_ wanted: [Channel]) -> [VenueReply] {
        var replies: [VenueReply] = []
        for channel in wanted {
            let place = place(of: channel.name)
            for product in channel.products {
                if !subscribed[place].products.contains(product) { subscribed[place].products.append(product) }
                replies.append(.subscribe(Self.topic(channel.name, product)))
            }
        }
        return [subscriptions()] + replies
    }

    private mutating func unsubscribe(_ wanted: [Channel]) -> [VenueReply] {
        var replies: [VenueReply] = []
        for channel in wanted {
            guard let place = subscribed.firstIndex(where: { $0.name == channel.name }) else { continue }
            // Without products the whole channel goes.
            let products = channel.products.isEmpty ? subscribed[place].products : channel.products
            subscribed[place].products.removeAll { products.contains($0) }
            if subscribed[place].products.isEmpty { subscribed.remove(at: place) }
            replies += products.map { .unsubscribe(Self.topic(channel.name, $0)) }
        }
        return replies + [subscriptions()]
    }

    /// The batched book has the book's schema.
    private static func topic(_ channel: String, _ product: String) -> VenueTopic {
        VenueTopic(channel == "level2_batch" ? "level2" : channel == "ticker_batch" ? "ticker" : channel, product)
    }

    private mutating func place(of name: String) -> Int {
        if let place = subscribed.firstIndex(where: { $0.name == name }) { return place }
        subscribed.append(Channel(name: name, products: []))
        return subscribed.count - 1
    }

    private func subscriptions() -> VenueReply {
        let channels = subscribed.map {
            #"{"name":\#(VenueJSON.quoted($0.name)),"product_ids":\#(VenueJSON.list($0.products))}"#
        }
        return .answer(#"{"type":"subscriptions","channels":["# + channels.joined(separator: ",") + "]}")
    }

    private func error(_ message: String, _ reason: String?) -> VenueReply {
        let reason = reason.map { #","reason":"# + VenueJSON.quoted($0) } ?? ""
        return .answer(#"{"type":"error","message":\#(VenueJSON.quoted(message))\#(reason)}"#)
    }

    mutating func exceededRate() -> [VenueReply] {
        [error("ErrSlowRead", nil), .close(.policyViolation, reason: "ErrSlowRead")]
    }

    // MARK: Of its own accord

    mutating func heartbeat(isQuiet: Bool, at moment: VenueMoment) -> [VenueReply] {
        guard let channel = subscribed.first(where: { $0.name == "heartbeat" }) else { return [] }
        return channel.products.map { product in
            let last = market.played(product, until: moment, newest: 1).last?.trade
            let number = market.lastNumber(product, until: moment)
            return .send(
                #"{"type":"heartbeat","sequence":\#(last?.json["sequence"]?.digits ?? "0"),"#
                    + #""last_trade_id":\#(number ?? 0),"product_id":\#(VenueJSON.quoted(product)),"#
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
            body: VenueRESTText.list(
                rows.suffix(300).reversed().map { row in
                    let candle = row.candle
                    return VenueRESTText.list(
                        [candle.timestamp, candle.low, candle.high, candle.open, candle.close, candle.volume].map(
                            VenueRESTText.number))
                }))
    }

    private static func products(_ book: VenueBook) -> VenueResponse {
        VenueResponse(
            body: VenueRESTText.list(
                book.symbols.map { symbol in
                    let (base, quote) = VenueRESTText.currencies(symbol)
                    return #"{"id":\#(VenueJSON.quoted(symbol)),"base_currency":\#(VenueJSON.quoted(base)),"#
                        + #""quote_currency":\#(VenueJSON.quoted(quote)),"quote_increment":"\#(book.step(symbol))","#
                        + #""status":"online","trading_disabled":false}"#
                }))
    }

    private static func error(_ status: Int, _ message: String) -> VenueResponse {
        VenueResponse(status: status, body: #"{"message":\#(VenueJSON.quoted(message))}"#)
    }
}
