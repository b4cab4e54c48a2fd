import MarketModel
import StreamCore

/// Reads Coinbase Exchange's `ws-feed`. `match` becomes a trade; everything else is `.other`.
///
/// `last_match` is not a trade of this session: it repeats the one before the subscription, which may be minutes old.
/// Source: Coinbase Exchange documentation, WebSocket feed, "Matches channel".
public enum CoinbaseParser {
    public static func parse(_ bytes: UnsafeRawBufferPointer) throws(VenueParseError) -> VenueMessage {
        var isMatch = false
        var symbol: JSONText?
        var price: VenueDecimal?
        var size: Double?
        var time: Double?
        var id: Int?
        do throws(JSONError) {
            var scanner = JSONScanner(bytes)
            try scanner.beginObject()
            while let key = try scanner.nextKey() {
                if key.equals("type") {
                    isMatch = try scanner.string().equals("match")
                } else if key.equals("product_id") {
                    symbol = try scanner.string()
                } else if key.equals("price"), try scanner.kind() == .string {
                    price = try VenueDecimal(&scanner)
                } else if key.equals("size"), try scanner.kind() == .string {
                    size = try scanner.decimalString()
                } else if key.equals("time"), try scanner.kind() == .string {
                    let offset = scanner.offset
                    time = RFC3339.seconds(try scanner.string().raw)
                    if time == nil { throw JSONError(.wrongType, at: offset) }
                } else if key.equals("trade_id"), try scanner.kind() == .number {
                    id = try scanner.integer()
                } else {
                    try scanner.skipValue()
                }
            }
            try scanner.end()
        } catch {
            throw .json(error)
        }
        guard isMatch else { return .other }
        guard let symbol else { throw .missingField("product_id") }
        guard let price else { throw .missingField("price") }
        guard let size else { throw .missingField("size") }
        guard let time else { throw .missingField("time") }
        guard let id else { throw .missingField("trade_id") }
        return .trade(
            VenueTrade(
                symbol: symbol, tick: Tick(timestamp: time, price: price.value, volume: size), id: id,
                stream: .trades, priceDecimals: price.decimals))
    }
}
