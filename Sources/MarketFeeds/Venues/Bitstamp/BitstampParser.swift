import MarketModel
import StreamCore

/// Reads Bitstamp's WebSocket interface, version 2: `{"event":..,"channel":..,"data":{..}}`.
///
/// The market is the end of the channel's name (`live_trades_btcusd`). Prices and amounts come twice, as numbers and as
/// strings; the strings have all digits and are read. Numbers of trades grow over all markets together, so that a missing
/// one cannot be seen. `type` 0 is a purchase of the one who came second, 1 a sale.
/// Source: bitstamp.net, WebSocket API v2, "Live ticker", and a recorded session.
enum BitstampParser {
    static func parse(
        _ bytes: UnsafeRawBufferPointer, into batch: inout VenueBatch
    ) throws(VenueParseError) -> VenueMessageKind {
        if let trade = BitstampTradeLayout.parse(bytes) {
            batch.trades.append(trade)
            return .trades
        }
        return try parseAnyLayout(bytes, into: &batch)
    }

    static func parseAnyLayout(
        _ bytes: UnsafeRawBufferPointer, into batch: inout VenueBatch
    ) throws(VenueParseError) -> VenueMessageKind {
        var event: JSONText?
        var channel: JSONText?
        var data: JSONScanner?
        var scanner = VenueScanner(bytes)
        do throws(JSONError) {
            try scanner.json.beginObject()
            while let key = try scanner.json.nextKey() {
                if key.equals("event") {
                    event = try scanner.json.string()
                } else if key.equals("channel") {
                    channel = try scanner.json.string()
                } else if key.equals("data"), try scanner.json.kind() == .object {
                    data = scanner.json
                    try scanner.json.skipValue()
                } else {
                    try scanner.json.skipValue()
                }
            }
            try scanner.json.end()
        } catch {
            throw .json(error)
        }
        guard let event else { throw .missingField("event") }
        if event.equals("trade") {
            guard let channel else { throw .missingField("channel") }
            guard let data else { throw .missingField("data") }
            scanner.json = data
            batch.trades.append(try trade(&scanner, channel))
            return .trades
        }
        if event.equals("data") { return .book }
        if event.equals("bts:heartbeat") { return .heartbeat }
        if event.equals("bts:error") { return .refusal }
        if event.equals("bts:request_reconnect") { return .status }
        return event.starts("bts:") ? .acknowledgement : .other
    }

    private static func trade(
        _ scanner: inout VenueScanner, _ channel: JSONText
    ) throws(VenueParseError) -> VenueTrade {
        var fields = TradeFields()
        if channel.starts(channelPrefix) {
            fields.symbol = VenueText(channel, from: scanner.base).dropFirst(channelPrefix.utf8CodeUnitCount)
        }
        do throws(JSONError) {
            try scanner.json.beginObject()
            while let key = try scanner.json.nextKey() {
                if key.equals("id") {
                    fields.id = try scanner.unsigned()
                } else if key.equals("amount_str") {
                    fields.volume = try scanner.decimal()
                } else if key.equals("price_str") {
                    fields.price = try scanner.decimal()
                } else if key.equals("microtimestamp") {
                    fields.time = try scanner.json.decimalString() / 1_000_000
                } else if key.equals("type") {
                    let type = try scanner.unsigned().value
                    fields.side = type == 0 ? .buy : type == 1 ? .sell : .unknown
                } else {
                    try scanner.json.skipValue()
                }
            }
        } catch {
            throw .json(error)
        }
        return try fields.trade(names)
    }

    static let channelPrefix: StaticString = "live_trades_"
    private static let names = TradeFields.Names(
        symbol: "channel", price: "price_str", volume: "amount_str", time: "microtimestamp", id: "id")
}
