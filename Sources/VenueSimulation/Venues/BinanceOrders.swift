import MarketModel
import StreamCore
import WebSocketTransport

/// Binance's order entry for one account, with parameters in the query. Its documents:
/// https://developers.binance.com/docs/binance-spot-api-docs/rest-api/request-security (signatures, `recvWindow`),
/// `/rest-api/trading-endpoints` (orders, client order ids) and `/errors`.
///
/// Orders fill whole: market orders at the market's last price, limit orders at their limit as soon as a request comes
/// when the market is there. The fee is a tenth of a percent, in the quote currency.
struct BinanceOrders: VenueOrders {
    /// The account's only key.
    static let key = "demo"
    static let secret = "simulated-secret"

    private static let greatestWindow: Int64 = 60_000
    private static let maxOrders = 10_000

    private struct Entry: Sendable {
        var number: Int
        var clientID: String
        var symbol: String
        var side: String
        var type: String
        var timeInForce: String
        /// As they were requested.
        var price: String
        var quantity: String
        var status = "NEW"
        /// What it was filled at.
        var fillPrice: Double?
        /// Milliseconds since 1970.
        var time: Int64
        var updated: Int64
        /// Whether it waited in the market.
        var isMaker = false

        var isOpen: Bool { status == "NEW" }
        var isBuy: Bool { side == "BUY" }
        var amount: Double { Double(quantity) ?? 0 }
    }

    private var entries: [Entry] = []
    private(set) var changes = 0

    mutating func answer(_ request: VenueRequest, price: (String) -> Double?, now: Int64) -> VenueResponse? {
        let paths = ["/api/v3/order", "/api/v3/openOrders", "/api/v3/allOrders", "/api/v3/myTrades"]
        if request.path == "/api/v3/time" { return VenueResponse(body: #"{"serverTime":\#(now)}"#) }
        guard paths.contains(request.path) else { return nil }
        if let refusal = Self.refusal(of: request, now) { return refusal }
        guard let symbol = request.query["symbol"] else {
            return Self.error(-1102, "Mandatory parameter 'symbol' was not sent, was empty/null, or malformed.")
        }
        guard let last = price(symbol) else { return Self.error(-1121, "Invalid symbol.") }
        match(symbol, last, now)
        switch (request.method, request.path) {
        case ("POST", "/api/v3/order"): return place(request.query, symbol, last, now)
        case ("GET", "/api/v3/order"):
            return index(request.query, symbol).map { VenueResponse(body: Self.document(entries[$0])) }
                ?? Self.error(-2013, "Order does not exist.")
        case ("DELETE", "/api/v3/order"): return cancel(request.query, symbol, now)
        case ("GET", "/api/v3/openOrders"):
            return VenueResponse(body: list(entries.filter { $0.isOpen && $0.symbol == symbol }.map(Self.document)))
        case ("GET", "/api/v3/allOrders"):
            return VenueResponse(body: list(entries.filter { $0.symbol == symbol }.map(Self.document)))
        case ("GET", "/api/v3/myTrades"):
            let first = request.query["fromId"].flatMap { Int($0) } ?? 0
            let filled = entries.filter { $0.fillPrice != nil && $0.symbol == symbol && $0.number >= first }
            return VenueResponse(body: list(filled.map(Self.trade)))
        default: return VenueResponse(status: 404, body: #"{"code":-1100,"msg":"Unknown method."}"#)
        }
    }

    // MARK: Signatures

    private static func refusal(of request: VenueRequest, _ now: Int64) -> VenueResponse? {
        guard request.headers["x-mbx-apikey"] == key else {
            return error(-2015, "Invalid API-key, IP, or permissions for action.", status: 401)
        }
        guard let timestamp = request.query["timestamp"].flatMap({ Int64($0) }), timestamp > 0 else {
            return error(-1102, "Mandatory parameter 'timestamp' was not sent, was empty/null, or malformed.")
        }
        let window = request.query["recvWindow"].flatMap { Int64($0) } ?? 5000
        guard (1...greatestWindow).contains(window) else { return error(-1131, "recvWindow must be less than 60000.") }
        guard timestamp < now + 1000 else {
            return error(-1021, "Timestamp for this request was 1000ms ahead of the server's time.")
        }
        guard now - timestamp <= window else {
            return error(-1021, "Timestamp for this request is outside of the recvWindow.")
        }
        let query = request.target.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        let signed = query.split(separator: "&").filter { !$0.hasPrefix("signature=") }.joined(separator: "&")
        let expected = hmac(Array(signed.utf8), key: Array(secret.utf8))
        guard request.query["signature"]?.lowercased() == expected else {
            return error(-1022, "Signature for this request is not valid.")
        }
        return nil
    }

    /// HMAC-SHA256 (RFC 2104) in hexadecimal digits; the key is shorter than a block.
    static func hmac(_ message: [UInt8], key: [UInt8]) -> String {
        let block = key + [UInt8](repeating: 0, count: max(0, 64 - key.count))
        let inner = SHA256.hash(block.map { $0 ^ 0x36 } + message)
        let digits = Array("0123456789abcdef".utf8)
        let bytes = SHA256.hash(block.map { $0 ^ 0x5C } + inner)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    // MARK: Orders

    private mutating func place(
        _ query: [String: String], _ symbol: String, _ last: Double, _ now: Int64
    ) -> VenueResponse {
        guard let side = query["side"], ["BUY", "SELL"].contains(side) else {
            return Self.error(-1117, "Invalid side.")
        }
        guard let type = query["type"], ["MARKET", "LIMIT"].contains(type) else {
            return Self.error(-1116, "Invalid orderType.")
        }
        guard let quantity = query["quantity"], let amount = Double(quantity), amount > 0, amount < 1e9 else {
            return Self.error(-1013, "Filter failure: LOT_SIZE")
        }
        let price = query["price"] ?? "0"
        guard let limit = Double(price), type == "MARKET" || (limit > 0 && limit < 1e12) else {
            return Self.error(-1013, "Filter failure: PRICE_FILTER")
        }
        let number = entries.count + 1
        let clientID = query["newClientOrderId"] ?? "venue-\(number)"
        guard clientID.utf8.count <= 36 else { return Self.error(-1100, "Illegal characters found in a parameter.") }
        guard !entries.contains(where: { $0.isOpen && $0.clientID == clientID }) else {
            return Self.error(-2010, "Duplicate order sent.")
        }
        guard entries.count < Self.maxOrders else { return Self.error(-1015, "Too many new orders.", status: 429) }
        changes += 1
        var entry = Entry(
            number: number, clientID: clientID, symbol: symbol, side: side, type: type,
            timeInForce: query["timeInForce"] ?? "GTC", price: price, quantity: quantity, time: now, updated: now)
        let isWithin = entry.isBuy ? last <= limit : last >= limit
        if type == "MARKET" || isWithin {
            (entry.status, entry.fillPrice) = ("FILLED", last)
        } else if entry.timeInForce != "GTC" {
            entry.status = "EXPIRED"
        }
        entries.append(entry)
        return VenueResponse(body: Self.document(entry))
    }

    private mutating func cancel(_ query: [String: String], _ symbol: String, _ now: Int64) -> VenueResponse {
        guard let index = index(query, symbol), entries[index].isOpen else {
            return Self.error(-2011, "Unknown order sent.")
        }
        changes += 1
        (entries[index].status, entries[index].updated) = ("CANCELED", now)
        return VenueResponse(body: Self.document(entries[index]))
    }

    private mutating func match(_ symbol: String, _ last: Double, _ now: Int64) {
        for index in entries.indices where entries[index].isOpen && entries[index].symbol == symbol {
            guard let limit = Double(entries[index].price), entries[index].isBuy ? last <= limit : last >= limit else {
                continue
            }
            (entries[index].status, entries[index].fillPrice) = ("FILLED", limit)
            (entries[index].updated, entries[index].isMaker) = (now, true)
        }
    }

    /// The newest one of a client order id: an older one that is done may have the same.
    private func index(_ query: [String: String], _ symbol: String) -> Int? {
        entries.lastIndex { entry in
            entry.symbol == symbol
                && (query["orderId"].map { $0 == "\(entry.number)" } ?? (entry.clientID == query["origClientOrderId"]))
        }
    }

    // MARK: Documents

    private static func document(_ entry: Entry) -> String {
        let cost = entry.fillPrice.map { $0 * entry.amount } ?? 0
        let executed = entry.fillPrice == nil ? "0" : entry.quantity
        return #"{"symbol":\#(quoted(entry.symbol)),"orderId":\#(entry.number),"#
            + #""clientOrderId":\#(quoted(entry.clientID)),"price":\#(quoted(entry.price)),"#
            + #""origQty":\#(quoted(entry.quantity)),"executedQty":\#(quoted(executed)),"#
            + #""cummulativeQuoteQty":\#(quoted(cost)),"status":"\#(entry.status)","#
            + #""timeInForce":\#(quoted(entry.timeInForce)),"type":"\#(entry.type)","side":"\#(entry.side)","#
            + #""time":\#(entry.time),"updateTime":\#(entry.updated),"transactTime":\#(entry.updated)}"#
    }

    private static func trade(_ entry: Entry) -> String {
        let price = entry.fillPrice ?? 0
        return #"{"symbol":\#(quoted(entry.symbol)),"id":\#(entry.number),"orderId":\#(entry.number),"#
            + #""price":\#(quoted(price)),"qty":\#(quoted(entry.quantity)),"quoteQty":\#(quoted(price * entry.amount)),"#
            + #""commission":\#(quoted(price * entry.amount * 0.001)),"#
            + #""commissionAsset":\#(quoted(currencies(entry.symbol).quote)),"time":\#(entry.updated),"#
            + #""isBuyer":\#(entry.isBuy),"isMaker":\#(entry.isMaker)}"#
    }

    private static func error(_ code: Int, _ message: String, status: Int = 400) -> VenueResponse {
        VenueResponse(status: status, body: #"{"code":\#(code),"msg":\#(quoted(message))}"#)
    }
}
