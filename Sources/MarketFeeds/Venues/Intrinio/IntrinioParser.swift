import MarketModel
import StreamCore

/// Reads Intrinio's legacy stream: Phoenix channels, `{"topic":..,"event":..,"payload":{..},"ref":..}`. `quote` is
/// three things by its `type`: `last` is a trade, `bid` and `ask` are one side of the best prices. `price_update`
/// (currencies) and `ticker` (cryptocurrencies) are both sides, where null means unchanged. Trades have neither number
/// nor side. Source: readmes of the realtime SDKs of 2018 to 2020; no recorded session was found. The fields of a
/// cryptocurrency's `trade` are those that its other messages have.
enum IntrinioParser: VenueParser {
    static func parseAnyLayout(_ bytes: Bytes, into batch: inout VenueBatch) throws(ParseError) -> VenueMessageKind {
        var event: JSONText?
        var topic: JSONText?
        var payload: JSONScanner?
        var scanner = VenueScanner(bytes)
        try scanner.eachMember { (key, scanner) throws(JSONError) in
            switch key {
            case "event": event = try scanner.json.string()
            case "topic": if try scanner.isNext(.string) { topic = try scanner.json.string() }
            case "payload": if let object = try scanner.skip(.object) { payload = object }
            default: try scanner.json.skipValue()
            }
        }
        guard let event else { throw .missingField("event") }
        if event.equals("phx_error") || event.equals("phx_close") { return .status }
        if event.equals("book_update") { return .book }
        guard
            event.equals("quote") || event.equals("price_update") || event.equals("ticker") || event.equals("trade")
                || event.equals("phx_reply")
        else { return .other }
        guard let payload else { throw .missingField("payload") }
        scanner.json = payload
        var fields = IntrinioPayload()
        do throws(JSONError) { try fields.read(&scanner) } catch { throw .json(error) }
        if event.equals("phx_reply") {
            guard fields.isOK else { return .refusal }
            return topic?.equals("phoenix") == true ? .heartbeat : .acknowledgement
        }
        if event.equals("trade") || event.equals("quote") && fields.type == .last {
            batch.trades.append(try fields.trade())
            return .trades
        }
        if event.equals("quote") {
            guard let quote = try fields.oneSidedQuote() else { return .other }
            batch.quotes.append(quote)
        } else {
            batch.quotes.append(try fields.quote())
        }
        return .quotes
    }

    /// The layout in which the readmes have the last price of a security.
    @inline(__always)
    static func parseLayout(_ bytes: Bytes, into batch: inout VenueBatch) -> Bool {
        guard var reader = LayoutReader(bytes), reader.match("{\"topic\":\""), reader.skipString(),
            reader.match(",\"event\":\"quote\",\"payload\":{\"type\":\"last\",\"timestamp\":"),
            let time = reader.decimal(), reader.match(",\"ticker\":\""), let symbol = reader.string(),
            reader.match(",\"size\":"), let size = reader.decimal(), reader.match(",\"price\":"),
            let price = reader.decimal(), reader.match("},\"ref\":null}"), reader.isAtEnd
        else { return false }
        batch.trades.append(VenueTrade(symbol, at: time.value, price: price, volume: size, side: .unknown))
        return true
    }
}

/// A `payload` while its fields are read: those of all events, whose names do not clash. Null is as good as missing.
struct IntrinioPayload {
    enum QuoteType { case last, bid, ask, other }

    var type: QuoteType?
    var isOK = false
    private var symbol: VenueText?
    private var price: VenueDecimal?
    private var size: VenueDecimal?
    private var time: Double?
    private var bid: Double?
    private var ask: Double?
    private var side = VenueTrade.Side.unknown

    mutating func read(_ scanner: inout VenueScanner) throws(JSONError) {
        try scanner.json.beginObject()
        while let key = try scanner.json.nextKey() {
            if try scanner.json.skipNull() { continue }
            switch key {
            case "ticker", "code", "pair_code": symbol = try scanner.text()
            case "price": price = try scanner.decimal()
            case "size": size = try scanner.decimal()
            case "timestamp":
                // Seconds with a fraction.
                time = try scanner.json.decimalString()
            case "time", "last_updated": time = try scanner.time()
            case "type": type = Self.type(try scanner.json.string())
            case "status": isOK = try scanner.json.string().equals("ok")
            case "bid_price", "bid": bid = try scanner.json.decimalString()
            case "ask_price", "ask": ask = try scanner.json.decimalString()
            case "side": side = try scanner.side()
            default: try scanner.json.skipValue()
            }
        }
    }

    private static func type(_ text: JSONText) -> QuoteType {
        if text.equals("last") { return .last }
        if text.equals("bid") { return .bid }
        return text.equals("ask") ? .ask : .other
    }

    func trade() throws(ParseError) -> VenueTrade {
        try VenueTrade(
            symbol.required("ticker"), at: time.required("timestamp"), price: price.required("price"),
            volume: size.required("size"), side: side)
    }

    /// `nil` where it is neither a bid nor an ask.
    func oneSidedQuote() throws(ParseError) -> VenueQuote? {
        let type = try type.required("type")
        guard type == .bid || type == .ask else { return nil }
        let (symbol, price) = (try symbol.required("ticker"), try price.required("price").value)
        return VenueQuote(
            bid: type == .bid ? price : nil, ask: type == .ask ? price : nil, timestamp: time, symbol: symbol)
    }

    func quote() throws(ParseError) -> VenueQuote {
        VenueQuote(bid: bid, ask: ask, timestamp: time, symbol: try symbol.required("code"))
    }
}
