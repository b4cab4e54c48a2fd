import MarketModel
import StreamCore

/// Reads Coinbase Advanced Trade: `{"channel":..,"timestamp":..,"sequence_num":..,"events":[..]}`.
///
/// `market_trades` collects the trades of 250 ms, newest first, as its snapshot does. `side` is that of the order that
/// waited: of 79 recorded trades 75 stood at the quote of that side. `candles` are of five minutes and running.
/// Source: docs.cdp.coinbase.com, Advanced Trade WebSocket, and a recorded session.
enum CoinbaseAdvancedParser {
    static func parse(
        _ bytes: UnsafeRawBufferPointer, into batch: inout VenueBatch
    ) throws(VenueParseError) -> VenueMessageKind {
        if CoinbaseAdvancedLayout.parse(bytes, into: &batch) { return .trades }
        return try parseAnyLayout(bytes, into: &batch)
    }

    static func parseAnyLayout(
        _ bytes: UnsafeRawBufferPointer, into batch: inout VenueBatch
    ) throws(VenueParseError) -> VenueMessageKind {
        var channel: JSONText?
        var type: JSONText?
        var events: JSONScanner?
        var scanner = VenueScanner(bytes)
        do throws(JSONError) {
            try scanner.json.beginObject()
            while let key = try scanner.json.nextKey() {
                if key.equals("channel") {
                    channel = try scanner.json.string()
                } else if key.equals("type") {
                    type = try scanner.json.string()
                } else if key.equals("events"), try scanner.json.kind() == .array {
                    events = scanner.json
                    try scanner.json.skipValue()
                } else {
                    try scanner.json.skipValue()
                }
            }
            try scanner.json.end()
        } catch {
            throw .json(error)
        }
        guard let channel else {
            guard let type else { throw .missingField("channel") }
            return type.equals("error") ? .refusal : .other
        }
        let kind = kind(channel)
        guard kind == .trades || kind == .candles else { return kind }
        guard let events else { throw .missingField("events") }
        scanner.json = events
        try read(&scanner, kind, into: &batch)
        batch.isNewestFirst = kind == .trades
        return kind
    }

    private static func kind(_ channel: JSONText) -> VenueMessageKind {
        if channel.equals("market_trades") { return .trades }
        if channel.equals("candles") { return .candles }
        if channel.equals("ticker") || channel.equals("ticker_batch") { return .quotes }
        if channel.equals("l2_data") { return .book }
        if channel.equals("heartbeats") { return .heartbeat }
        if channel.equals("subscriptions") { return .acknowledgement }
        return channel.equals("status") ? .status : .other
    }

    /// An array of events, each of which has an array of trades or candles.
    private static func read(
        _ scanner: inout VenueScanner, _ kind: VenueMessageKind, into batch: inout VenueBatch
    ) throws(VenueParseError) {
        var flaw: VenueParseError?
        do throws(JSONError) {
            try scanner.json.beginArray()
            while try scanner.json.nextElement() {
                try scanner.json.beginObject()
                while let key = try scanner.json.nextKey() {
                    guard key.equals(kind == .trades ? "trades" : "candles") else {
                        try scanner.json.skipValue()
                        continue
                    }
                    try scanner.json.beginArray()
                    while try scanner.json.nextElement() {
                        var row = CoinbaseAdvancedRow()
                        try row.read(&scanner)
                        do throws(VenueParseError) {
                            if kind == .trades { batch.trades.append(try row.trade.trade(names)) }
                            if kind == .candles { batch.candles.append(try row.told()) }
                        } catch {
                            flaw = error
                        }
                    }
                }
            }
        } catch {
            throw .json(error)
        }
        if let flaw { throw flaw }
    }

    private static let names = TradeFields.Names(
        symbol: "product_id", price: "price", volume: "size", time: "time", id: "trade_id")
}
