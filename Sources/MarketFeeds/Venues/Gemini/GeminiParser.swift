import MarketModel
import StreamCore

/// Reads Gemini's market data, version 2. `trade` is one trade; the first `l2_updates` of a market has its last 50,
/// newest first, which may reach back for hours. `event_id` grows over all markets together, so that a missing trade
/// cannot be seen. `side` is the taker's: in the recording, purchases of one millisecond walk the prices up. Later
/// `l2_updates` may be equal byte by byte and each means something: nothing is dropped for being equal. Source:
/// docs.gemini.com, Market Data v2, and a recorded session.
enum GeminiParser: VenueParser {
    static func parseAnyLayout(_ bytes: Bytes, into batch: inout VenueBatch) throws(ParseError) -> VenueMessageKind {
        var scanner = VenueScanner(bytes)
        var row = Row()
        do throws(JSONError) {
            try row.read(&scanner)
            try scanner.json.end()
        } catch { throw .json(error) }
        guard let type = row.type else {
            guard row.isRefusal else { throw .missingField("type") }
            return .refusal
        }
        batch.subject = row.trade.symbol
        if type.equals("trade") {
            batch.trades.append(try row.trade.trade(names))
            return .trades
        }
        if type.equals("heartbeat") { return .heartbeat }
        if type.equals("subscription_ack") { return .acknowledgement }
        guard type.equals("l2_updates") else { return .other }
        guard let trades = row.trades else { return .book }
        try scanner.eachElement(of: trades) { (scanner) throws(ParseError) in
            var row = Row()
            do throws(JSONError) { try row.read(&scanner) } catch { throw .json(error) }
            batch.trades.append(try row.trade.trade(names))
        }
        batch.isNewestFirst = true
        return batch.trades.isEmpty ? .book : .trades
    }

    private static let names = TradeFields.Names(
        symbol: "symbol", price: "price", volume: "quantity", time: "timestamp", id: "event_id")

    /// A message, or a trade inside one: the fields are the same.
    private struct Row {
        var type: JSONText?
        var trade = TradeFields()
        var trades: JSONScanner?
        /// `{"result":"error","reason":..}`
        var isRefusal = false

        mutating func read(_ scanner: inout VenueScanner) throws(JSONError) {
            try scanner.json.beginObject()
            while let key = try scanner.json.nextKey() {
                switch key {
                case "type": type = try scanner.json.string()
                case "symbol": trade.symbol = try scanner.text()
                case "event_id": trade.id = try scanner.unsigned()
                case "timestamp": trade.time = try scanner.json.number() / 1000
                case "price": trade.price = try scanner.decimal()
                case "quantity": trade.volume = try scanner.decimal()
                case "side": trade.side = try scanner.side()
                case "trades": trades = try scanner.skip(.array) ?? trades
                case "result", "reason":
                    isRefusal = true
                    try scanner.json.skipValue()
                default: try scanner.json.skipValue()
                }
            }
        }
    }

    @inline(__always)
    static func parseLayout(_ bytes: Bytes, into batch: inout VenueBatch) -> Bool {
        guard var reader = LayoutReader(bytes), reader.match("{\"type\":\"trade\",\"symbol\":\""),
            let symbol = reader.string(), reader.match(",\"event_id\":"), let id = reader.unsigned(),
            reader.match(",\"timestamp\":"), let time = reader.unsigned(), time.value <= 1 << 53,
            reader.match(",\"price\":\""), let price = reader.quotedDecimal(), reader.match(",\"quantity\":\""),
            let quantity = reader.quotedDecimal(), reader.match(",\"side\":\""), let side = reader.side(),
            reader.match("}"), reader.isAtEnd
        else { return false }
        batch.trades.append(
            VenueTrade(symbol, at: Double(time.value) / 1000, price: price, volume: quantity, side: side, id: id))
        batch.subject = symbol
        return true
    }
}
