import MarketModel
import StreamCore

/// Reads Coinbase Advanced Trade: `{"channel":..,"timestamp":..,"sequence_num":..,"events":[..]}`. `market_trades`
/// collects the trades of 250 ms, newest first, as its snapshot does. `side` is the maker's: of 79 recorded trades 75
/// stood at the quote of that side. `candles` are of five minutes and running. Source: docs.cdp.coinbase.com, Advanced
/// Trade WebSocket, and a recorded session.
enum CoinbaseAdvancedParser: VenueParser {
    static func parseAnyLayout(_ bytes: Bytes, into batch: inout VenueBatch) throws(ParseError) -> VenueMessageKind {
        var channel: JSONText?
        var type: JSONText?
        var events: JSONScanner?
        var scanner = VenueScanner(bytes)
        try scanner.eachMember { (key, scanner) throws(JSONError) in
            switch key {
            case "channel": channel = try scanner.json.string()
            case "type": type = try scanner.json.string()
            case "events": if let array = try scanner.skip(.array) { events = array }
            default: try scanner.json.skipValue()
            }
        }
        guard let channel else {
            guard let type else { throw .missingField("channel") }
            return type.equals("error") ? .refusal : .other
        }
        let kind = kind(channel)
        guard kind == .trades || kind == .candles else { return kind }
        try read(try events.required("events"), &scanner, kind, into: &batch)
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
        _ events: JSONScanner, _ scanner: inout VenueScanner, _ kind: VenueMessageKind, into batch: inout VenueBatch
    ) throws(ParseError) {
        let name: StaticString = kind == .trades ? "trades" : "candles"
        var flaw: ParseError?
        scanner.json = events
        do throws(JSONError) {
            try scanner.json.beginArray()
            while try scanner.json.nextElement() {
                try scanner.members { (key, scanner) throws(JSONError) in
                    guard key.equals(name) else { return try scanner.json.skipValue() }
                    try scanner.json.beginArray()
                    while try scanner.json.nextElement() {
                        var row = CoinbaseAdvancedRow()
                        try row.read(&scanner)
                        do throws(ParseError) {
                            if kind == .trades { batch.trades.append(try row.trade.trade(names)) }
                            if kind == .candles { batch.candles.append(try row.candle()) }
                        } catch { flaw = error }
                    }
                }
            }
        } catch { throw .json(error) }
        if let flaw { throw flaw }
    }

    private static let names = TradeFields.Names(
        symbol: "product_id", price: "price", volume: "size", time: "time", id: "trade_id")

    @inline(__always)
    static func parseLayout(_ bytes: Bytes, into batch: inout VenueBatch) -> Bool {
        guard var reader = LayoutReader(bytes), reader.match("{\"channel\":\"market_trades\",\"timestamp\":\""),
            reader.skipString(), reader.match(",\"sequence_num\":"), reader.unsigned() != nil,
            reader.match(",\"events\":[{\"type\":\""), reader.skipString(), reader.match(",\"trades\":[")
        else { return false }
        batch.isNewestFirst = reader.trades(into: &batch, until: "]}]}") { trade(&$0) }
        return batch.isNewestFirst
    }

    @inline(__always)
    private static func trade(_ reader: inout LayoutReader) -> VenueTrade? {
        guard reader.match("{\"product_id\":\""), let symbol = reader.string(), reader.match(",\"trade_id\":\""),
            let id = reader.unsigned(), reader.match("\",\"price\":\""), let price = reader.quotedDecimal(),
            reader.match(",\"size\":\""), let size = reader.quotedDecimal(), reader.match(",\"time\":\""),
            let time = reader.quotedTime(), reader.match(",\"side\":\""), let maker = reader.side("BUY\"", "SELL\""),
            reader.match("}")
        else { return nil }
        return VenueTrade(symbol, at: time, price: price, volume: size, side: maker.opposite, id: id)
    }
}

/// A trade or a candle of Advanced Trade, whose fields do not clash. All numbers are strings.
struct CoinbaseAdvancedRow {
    var trade = TradeFields()
    private var bar = CandleFields()

    mutating func read(_ scanner: inout VenueScanner) throws(JSONError) {
        try scanner.json.beginObject()
        while let key = try scanner.json.nextKey() {
            switch key {
            case "product_id": trade.symbol = try scanner.text()
            case "trade_id": trade.id = try scanner.unsigned()
            case "price": trade.price = try scanner.decimal()
            case "size": trade.volume = try scanner.decimal()
            case "time": trade.time = try scanner.time()
            case "side": trade.side = try scanner.side().opposite
            default: try bar.read(key, &scanner.json, start: "start")
            }
        }
    }

    func candle() throws(ParseError) -> MessageCandle {
        MessageCandle(
            symbol: try trade.symbol.required("product_id"), state: .unknown, seconds: 300,
            candle: try bar.candle(.init(start: "start")))
    }
}
