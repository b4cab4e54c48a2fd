import MarketModel
import StreamCore

/// Reads Bitstamp's WebSocket interface, version 2: `{"event":..,"channel":..,"data":{..}}`. The market is the end of
/// the channel's name (`live_trades_btcusd`). Prices and amounts come as numbers and as strings, which have all digits
/// and are read. Numbers of trades grow over all markets together: a missing one cannot be seen. `type` 0 is a purchase
/// by the taker, 1 a sale. Source: bitstamp.net, WebSocket API v2, "Live ticker", and a recorded session.
enum BitstampParser: VenueParser {
    static func parseAnyLayout(_ bytes: Bytes, into batch: inout VenueBatch) throws(ParseError) -> VenueMessageKind {
        var event: JSONText?
        var channel: JSONText?
        var data: JSONScanner?
        var scanner = VenueScanner(bytes)
        try scanner.eachMember { (key, scanner) throws(JSONError) in
            switch key {
            case "event": event = try scanner.json.string()
            case "channel": channel = try scanner.json.string()
            case "data": if let object = try scanner.skip(.object) { data = object }
            default: try scanner.json.skipValue()
            }
        }
        guard let event else { throw .missingField("event") }
        if event.equals("trade") {
            let channel = try channel.required("channel")
            scanner.json = try data.required("data")
            batch.trades.append(try trade(&scanner, channel))
            return .trades
        }
        if event.equals("data") { return .book }
        if event.equals("bts:heartbeat") { return .heartbeat }
        if event.equals("bts:error") { return .refusal }
        if event.equals("bts:request_reconnect") { return .status }
        return event.starts("bts:") ? .acknowledgement : .other
    }

    private static func trade(_ scanner: inout VenueScanner, _ channel: JSONText) throws(ParseError) -> VenueTrade {
        var fields = TradeFields()
        if channel.starts(channelPrefix) {
            fields.symbol = VenueText(channel, from: scanner.base).dropFirst(channelPrefix.utf8CodeUnitCount)
        }
        do throws(JSONError) {
            try scanner.members { (key, scanner) throws(JSONError) in
                switch key {
                case "id": fields.id = try scanner.unsigned()
                case "amount_str": fields.volume = try scanner.decimal()
                case "price_str": fields.price = try scanner.decimal()
                case "microtimestamp": fields.time = try scanner.json.decimalString() / 1_000_000
                case "type": fields.side = side(try scanner.unsigned().value)
                default: try scanner.json.skipValue()
                }
            }
        } catch { throw .json(error) }
        return try fields.trade(names)
    }

    private static func side(_ type: UInt64) -> VenueTrade.Side { type == 0 ? .buy : type == 1 ? .sell : .unknown }

    static let channelPrefix: StaticString = "live_trades_"
    private static let names = TradeFields.Names(
        symbol: "channel", price: "price_str", volume: "amount_str", time: "microtimestamp", id: "id")

    @inline(__always)
    static func parseLayout(_ bytes: Bytes, into batch: inout VenueBatch) -> Bool {
        guard var reader = LayoutReader(bytes), reader.match("{\"data\":{\"id\":"), let id = reader.unsigned(),
            reader.match(",\"timestamp\":\""), reader.skipString(), reader.match(",\"amount\":"),
            reader.decimal() != nil, reader.match(",\"amount_str\":\""), let amount = reader.quotedDecimal(),
            reader.match(",\"price\":"), reader.decimal() != nil, reader.match(",\"price_str\":\""),
            let price = reader.quotedDecimal(), reader.match(",\"type\":"), let type = reader.unsigned(),
            reader.match(",\"microtimestamp\":\""), let time = reader.quotedDecimal(),
            reader.match(",\"buy_order_id\":"), reader.unsigned() != nil, reader.match(",\"sell_order_id\":"),
            reader.unsigned() != nil, reader.match("},\"channel\":\"live_trades_"), let symbol = reader.string(),
            reader.match(",\"event\":\"trade\"}"), reader.isAtEnd
        else { return false }
        batch.trades.append(
            VenueTrade(
                symbol, at: time.value / 1_000_000, price: price, volume: amount, side: side(type.value), id: id))
        return true
    }
}
