import MarketModel
import StreamCore

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
            if try scanner.json.takeNull() { continue }
            if key.equals("ticker") || key.equals("code") || key.equals("pair_code") {
                symbol = try scanner.text()
            } else if key.equals("price") {
                price = try scanner.decimal()
            } else if key.equals("size") {
                size = try scanner.decimal()
            } else if key.equals("timestamp") {
                // Seconds with a fraction.
                time = try scanner.json.decimalString()
            } else if key.equals("time") || key.equals("last_updated") {
                time = try scanner.time()
            } else if key.equals("type") {
                type = Self.type(try scanner.json.string())
            } else if key.equals("status") {
                isOK = try scanner.json.string().equals("ok")
            } else if key.equals("bid_price") || key.equals("bid") {
                bid = try scanner.json.decimalString()
            } else if key.equals("ask_price") || key.equals("ask") {
                ask = try scanner.json.decimalString()
            } else if key.equals("side") {
                side = try scanner.side()
            } else {
                try scanner.json.skipValue()
            }
        }
    }

    private static func type(_ text: JSONText) -> QuoteType {
        if text.equals("last") { return .last }
        if text.equals("bid") { return .bid }
        return text.equals("ask") ? .ask : .other
    }

    func trade() throws(VenueParseError) -> VenueTrade {
        guard let symbol else { throw .missingField("ticker") }
        guard let price else { throw .missingField("price") }
        guard let size else { throw .missingField("size") }
        guard let time else { throw .missingField("timestamp") }
        return VenueTrade(
            tick: Tick(timestamp: time, price: price.value, volume: size.value), side: side, name: .none,
            price: price.text, volume: size.text, symbol: symbol, id: 0, priceDecimals: price.decimals)
    }

    /// `nil` where it is neither a bid nor an ask.
    func oneSidedQuote() throws(VenueParseError) -> VenueQuote? {
        guard let type else { throw .missingField("type") }
        guard type == .bid || type == .ask else { return nil }
        guard let symbol else { throw .missingField("ticker") }
        guard let price else { throw .missingField("price") }
        return VenueQuote(
            bid: type == .bid ? price.value : nil, ask: type == .ask ? price.value : nil, timestamp: time,
            symbol: symbol)
    }

    func quote() throws(VenueParseError) -> VenueQuote {
        guard let symbol else { throw .missingField("code") }
        return VenueQuote(bid: bid, ask: ask, timestamp: time, symbol: symbol)
    }
}
