import MarketModel
import StreamCore

/// Reads Kraken's WebSocket interface, version 2: `{"channel":..,"type":..,"data":[..]}`, and answers to requests.
/// Numbers are JSON numbers with the instrument's full precision; their text is kept. A `trade` snapshot has the latest
/// 50 trades, oldest first, and repeats what was reported before a reconnect. An `ohlc` row is the running candle and
/// never says that it is closed. Source: docs.kraken.com, WebSocket v2: trade, ohlc, ticker, heartbeat, status.
enum KrakenParser: VenueParser {
    static func parseAnyLayout(_ bytes: Bytes, into batch: inout VenueBatch) throws(ParseError) -> VenueMessageKind {
        // What the data is stands before it in every message that was seen, but need not: it is looked for first.
        var channel: JSONText?
        var method: JSONText?
        var isSuccess: Bool?
        var hasError = false
        var data: JSONScanner?
        var scanner = VenueScanner(bytes)
        try scanner.eachMember { (key, scanner) throws(JSONError) in
            switch key {
            case "channel": channel = try scanner.json.string()
            case "method": method = try scanner.json.string()
            case "success": isSuccess = try scanner.json.bool()
            case "data": if let array = try scanner.skip(.array) { data = array }
            default:
                if key.equals("error") || key.equals("Error") { hasError = true }
                try scanner.json.skipValue()
            }
        }
        if let channel { return try read(channel, data, &scanner, into: &batch) }
        if let method, !method.equals("pong") { return isSuccess == true ? .acknowledgement : .refusal }
        if hasError { return .refusal }
        return method == nil ? .other : .heartbeat
    }

    private static func read(
        _ channel: JSONText, _ data: JSONScanner?, _ scanner: inout VenueScanner, into batch: inout VenueBatch
    ) throws(ParseError) -> VenueMessageKind {
        let kind: VenueMessageKind
        switch channel {
        case "heartbeat": return .heartbeat
        case "status": return .status
        case "book", "level3": return .book
        case "trade": kind = .trades
        case "ohlc": kind = .candles
        case "ticker": kind = .quotes
        default: return .other
        }
        try scanner.eachElement(of: try data.required("data")) { (scanner) throws(ParseError) in
            var row = KrakenRow()
            do throws(JSONError) { try row.read(&scanner) } catch { throw .json(error) }
            switch kind {
            case .trades: batch.trades.append(try row.trade.trade(names))
            case .candles: batch.candles.append(try row.candle())
            default: if let quote = row.quote { batch.quotes.append(quote) }
            }
        }
        return kind
    }

    private static let names = TradeFields.Names(
        symbol: "symbol", price: "price", volume: "qty", time: "timestamp", id: "trade_id")

    @inline(__always)
    static func parseLayout(_ bytes: Bytes, into batch: inout VenueBatch) -> Bool {
        guard var reader = LayoutReader(bytes), reader.match("{\"channel\":\"trade\",\"type\":\""),
            reader.match("update\"") || reader.match("snapshot\""), reader.match(",\"data\":[")
        else { return false }
        return reader.trades(into: &batch, until: "]}") { trade(&$0) }
    }

    @inline(__always)
    private static func trade(_ reader: inout LayoutReader) -> VenueTrade? {
        guard reader.match("{\"symbol\":\""), let symbol = reader.string(), reader.match(",\"side\":\""),
            let side = reader.side(), reader.match(",\"price\":"), let price = reader.decimal(),
            reader.match(",\"qty\":"), let quantity = reader.decimal(), reader.match(",\"ord_type\":\""),
            reader.skipString(), reader.match(",\"trade_id\":"), let id = reader.unsigned(),
            reader.match(",\"timestamp\":\""), let time = reader.quotedTime(), reader.match("}")
        else { return nil }
        return VenueTrade(symbol, at: time, price: price, volume: quantity, side: side, id: id)
    }
}

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
            switch key {
            case "symbol": trade.symbol = try scanner.text()
            case "price": trade.price = try scanner.decimal()
            case "qty": trade.volume = try scanner.decimal()
            case "side": trade.side = try scanner.side()
            case "trade_id": trade.id = try scanner.unsigned()
            case "timestamp": trade.time = try scanner.time()
            default: try readCandle(key, &scanner)
            }
        }
    }

    private mutating func readCandle(_ key: JSONText, _ scanner: inout VenueScanner) throws(JSONError) {
        switch key {
        case "open": bar.open = try scanner.json.number()
        case "high": bar.high = try scanner.json.number()
        case "low": bar.low = try scanner.json.number()
        case "close": bar.close = try scanner.json.number()
        case "volume": bar.volume = try scanner.json.number()
        case "interval_begin": bar.start = try scanner.time()
        case "interval": interval = try scanner.unsigned().value
        case "trades": trades = try scanner.unsigned().value
        case "bid": bid = try scanner.json.number()
        case "ask": ask = try scanner.json.number()
        case "last": last = try scanner.json.number()
        case "change": change = try scanner.json.number()
        default: try scanner.json.skipValue()
        }
    }

    func candle() throws(ParseError) -> MessageCandle {
        guard let symbol = trade.symbol else { throw .missingField("symbol") }
        let candle = try bar.candle(CandleFields.Names(start: "interval_begin"))
        guard let interval, interval <= 1 << 20 else { throw .missingField("interval") }
        return MessageCandle(
            symbol: symbol, state: .unknown, seconds: Int(interval) * 60, candle: candle, trades: trades)
    }

    var quote: VenueQuote? {
        let open = last.flatMap { last in change.map { last - $0 } }
        return QuoteFields(bid: bid, ask: ask, open: open, high: bar.high, low: bar.low, volume: bar.volume)
            .both(of: trade.symbol, at: trade.time)
    }
}
