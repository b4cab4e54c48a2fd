import MarketModel
import StreamCore

/// One element of a `data` array: the fields of trades, candles and tickers, whose names do not clash.
struct KrakenRow {
    var trade = TradeFields()
    private var bar = CandleFields()
    /// In minutes.
    private var interval: UInt64?
    private var trades: UInt64?
    private var bid: Double?
    private var ask: Double?
    private var last: Double?
    /// Of the price, in 24 hours.
    private var change: Double?

    mutating func read(_ scanner: inout VenueScanner) throws(JSONError) {
        try scanner.json.beginObject()
        while let key = try scanner.json.nextKey() {
            if key.equals("symbol") {
                trade.symbol = try scanner.text()
            } else if key.equals("price") {
                trade.price = try scanner.decimal()
            } else if key.equals("qty") {
                trade.volume = try scanner.decimal()
            } else if key.equals("side") {
                trade.side = try scanner.side()
            } else if key.equals("trade_id") {
                trade.id = try scanner.unsigned()
            } else if key.equals("timestamp") {
                trade.time = try scanner.time()
            } else {
                try readCandle(key, &scanner)
            }
        }
    }

    private mutating func readCandle(_ key: JSONText, _ scanner: inout VenueScanner) throws(JSONError) {
        if key.equals("open") {
            bar.open = try scanner.json.number()
        } else if key.equals("high") {
            bar.high = try scanner.json.number()
        } else if key.equals("low") {
            bar.low = try scanner.json.number()
        } else if key.equals("close") {
            bar.close = try scanner.json.number()
        } else if key.equals("volume") {
            bar.volume = try scanner.json.number()
        } else if key.equals("interval_begin") {
            bar.start = try scanner.time()
        } else if key.equals("interval") {
            interval = try scanner.unsigned().value
        } else if key.equals("trades") {
            trades = try scanner.unsigned().value
        } else if key.equals("bid") {
            bid = try scanner.json.number()
        } else if key.equals("ask") {
            ask = try scanner.json.number()
        } else if key.equals("last") {
            last = try scanner.json.number()
        } else if key.equals("change") {
            change = try scanner.json.number()
        } else {
            try scanner.json.skipValue()
        }
    }

    func candle() throws(VenueParseError) -> ToldCandle {
        guard let symbol = trade.symbol else { throw .missingField("symbol") }
        let candle = try bar.candle(CandleFields.Names(start: "interval_begin"))
        guard let interval, interval <= 1 << 20 else { throw .missingField("interval") }
        return ToldCandle(
            symbol: symbol, state: .unsaid, seconds: Int(interval) * 60, candle: candle, trades: trades)
    }

    var quote: VenueQuote? {
        guard let symbol = trade.symbol, let bid, let ask else { return nil }
        let open = last.flatMap { last in change.map { last - $0 } }
        return VenueQuote(
            bid: bid, ask: ask, timestamp: trade.time, symbol: symbol,
            day: VenueDay(open: open, high: bar.high, low: bar.low, volume: bar.volume))
    }
}
