import MarketModel
import StreamCore

/// A trade or a candle of Advanced Trade, whose fields do not clash. All numbers are strings.
struct CoinbaseAdvancedRow {
    var trade = TradeFields()
    private var start: Double?
    private var open: Double?
    private var high: Double?
    private var low: Double?
    private var close: Double?
    private var volume: Double?

    mutating func read(_ scanner: inout VenueScanner) throws(JSONError) {
        try scanner.json.beginObject()
        while let key = try scanner.json.nextKey() {
            if key.equals("product_id") {
                trade.symbol = try scanner.text()
            } else if key.equals("trade_id") {
                trade.id = try scanner.unsigned()
            } else if key.equals("price") {
                trade.price = try scanner.decimal()
            } else if key.equals("size") {
                trade.volume = try scanner.decimal()
            } else if key.equals("time") {
                trade.time = try scanner.time()
            } else if key.equals("side") {
                trade.side = try scanner.side().opposite
            } else if key.equals("start") {
                start = try scanner.json.decimalString()
            } else if key.equals("open") {
                open = try scanner.json.decimalString()
            } else if key.equals("high") {
                high = try scanner.json.decimalString()
            } else if key.equals("low") {
                low = try scanner.json.decimalString()
            } else if key.equals("close") {
                close = try scanner.json.decimalString()
            } else if key.equals("volume") {
                volume = try scanner.json.decimalString()
            } else {
                try scanner.json.skipValue()
            }
        }
    }

    func told() throws(VenueParseError) -> ToldCandle {
        guard let symbol = trade.symbol else { throw .missingField("product_id") }
        guard let start else { throw .missingField("start") }
        guard let open else { throw .missingField("open") }
        guard let high else { throw .missingField("high") }
        guard let low else { throw .missingField("low") }
        guard let close else { throw .missingField("close") }
        guard let volume else { throw .missingField("volume") }
        return ToldCandle(
            symbol: symbol, state: .unsaid, seconds: 300,
            candle: Candle(timestamp: start, open: open, high: high, low: low, close: close, volume: volume))
    }
}
