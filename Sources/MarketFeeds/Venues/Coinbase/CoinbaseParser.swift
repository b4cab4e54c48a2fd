import MarketModel
import StreamCore

/// Reads Coinbase Exchange's `ws-feed`. `match` is a trade; `ticker` repeats the trades with their best prices, and
/// skips some where many come at once. `last_match` and a product's first `ticker` are the trade before the
/// subscription, which may be minutes old. `match.side` is the maker's, `ticker.side` the taker's. Source: Coinbase
/// Exchange documentation, WebSocket feed, "Channels".
enum CoinbaseParser: VenueParser {
    static func parseAnyLayout(_ bytes: Bytes, into batch: inout VenueBatch) throws(ParseError) -> VenueMessageKind {
        var fields = Fields()
        var scanner = VenueScanner(bytes)
        try scanner.eachMember { (key, scanner) throws(JSONError) in try fields.read(key, &scanner) }
        guard let type = fields.type else { throw .missingField("type") }
        if type.equals("match") || type.equals("last_match") {
            var trade = try fields.trade.trade(names)
            trade.mayBeOld = type.equals("last_match")
            batch.trades.append(trade)
            return .trades
        }
        if type.equals("ticker") || type.equals("ticker_batch") { return fields.ticker(into: &batch) }
        if type.equals("heartbeat") {
            if let symbol = fields.trade.symbol, let last = fields.lastTrade { batch.lastTrade = (symbol, last) }
            return .heartbeat
        }
        if type.equals("subscriptions") { return .acknowledgement }
        if type.equals("error") { return .refusal }
        if type.equals("status") { return .status }
        for book in books where type.equals(book) { return .book }
        return .other
    }

    private static let names = TradeFields.Names(
        symbol: "product_id", price: "price", volume: "size", time: "time", id: "trade_id")
    private static let books: [StaticString] = [
        "l2update", "snapshot", "received", "open", "done", "change", "activate",
    ]

    private struct Fields {
        var type: JSONText?
        var trade = TradeFields()
        /// A ticker's name of the quantity.
        var lastSize: VenueDecimal?
        var quote = QuoteFields()
        /// As a heartbeat has it.
        var lastTrade: UInt64?

        mutating func read(_ key: JSONText, _ scanner: inout VenueScanner) throws(JSONError) {
            switch key {
            case "type": type = try scanner.json.string()
            case "product_id": trade.symbol = try scanner.text()
            case "price": if try scanner.isNext(.string) { trade.price = try scanner.decimal() }
            case "size": if try scanner.isNext(.string) { trade.volume = try scanner.decimal() }
            case "last_size": if try scanner.isNext(.string) { lastSize = try scanner.decimal() }
            case "time": if try scanner.isNext(.string) { trade.time = try scanner.time() }
            case "trade_id": if try scanner.isNext(.number) { trade.id = try scanner.unsigned() }
            case "side":
                // The maker's.
                trade.side = try scanner.side().opposite
            case "best_bid": if try scanner.isNext(.string) { quote.bid = try scanner.json.decimalString() }
            case "best_ask": if try scanner.isNext(.string) { quote.ask = try scanner.json.decimalString() }
            case "open_24h": if try scanner.isNext(.string) { quote.open = try scanner.json.decimalString() }
            case "high_24h": if try scanner.isNext(.string) { quote.high = try scanner.json.decimalString() }
            case "low_24h": if try scanner.isNext(.string) { quote.low = try scanner.json.decimalString() }
            case "volume_24h": if try scanner.isNext(.string) { quote.volume = try scanner.json.decimalString() }
            case "last_trade_id": if try scanner.isNext(.number) { lastTrade = try scanner.unsigned().value }
            default: try scanner.json.skipValue()
            }
        }

        /// A product that has not traded yet has a ticker, too.
        func ticker(into batch: inout VenueBatch) -> VenueMessageKind {
            if let quote = quote.both(of: trade.symbol, at: trade.time) { batch.quotes.append(quote) }
            var last = trade
            last.volume = lastSize
            last.side = trade.side.opposite
            if var copy = try? last.trade(names) {
                copy.mayBeOld = true
                copy.isFromTicker = true
                batch.trades.append(copy)
            }
            return .quotes
        }
    }

    @inline(__always)
    static func parseLayout(_ bytes: Bytes, into batch: inout VenueBatch) -> Bool {
        guard var reader = LayoutReader(bytes), reader.match("{\"type\":\"match\",\"trade_id\":"),
            let id = reader.unsigned(), reader.match(",\"maker_order_id\":\""), reader.skipString(),
            reader.match(",\"taker_order_id\":\""), reader.skipString(), reader.match(",\"side\":\""),
            let maker = reader.side(), reader.match(",\"size\":\""), let size = reader.quotedDecimal(),
            reader.match(",\"price\":\""), let price = reader.quotedDecimal(), reader.match(",\"product_id\":\""),
            let symbol = reader.string(), reader.match(",\"sequence\":"), reader.unsigned() != nil,
            reader.match(",\"time\":\""), let time = reader.quotedTime(), reader.match("}"), reader.isAtEnd
        else { return false }
        batch.trades.append(VenueTrade(symbol, at: time, price: price, volume: size, side: maker.opposite, id: id))
        return true
    }
}
