import MarketModel
import StreamCore

/// A trade or a candle of Advanced Trade, whose fields do not clash. All numbers are strings.
struct CoinbaseAdvancedRow {
    var trade = TradeFields()
    private var bar = CandleFields()

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
                bar.start = try scanner.json.decimalString()
            } else if key.equals("open") {
                bar.open = try scanner.json.decimalString()
            } else if key.equals("high") {
                bar.high = try scanner.json.decimalString()
            } else if key.equals("low") {
                bar.low = try scanner.json.decimalString()
            } else if key.equals("close") {
                bar.close = try scanner.json.decimalString()
            } else if key.equals("volume") {
                bar.volume = try scanner.json.decimalString()
            } else {
                try scanner.json.skipValue()
            }
        }
    }

    func told() throws(VenueParseError) -> ToldCandle {
        guard let symbol = trade.symbol else { throw .missingField("product_id") }
        return ToldCandle(
            symbol: symbol, state: .unsaid, seconds: 300,
            candle: try bar.candle(CandleFields.Names(start: "start")))
    }
}
