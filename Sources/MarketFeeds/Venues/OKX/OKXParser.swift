import MarketModel
import StreamCore

/// Reads OKX's public channels, version 5: `{"arg":{"channel":..,"instId":..},"data":[..]}`, and answers to requests,
/// which have an `event`. The answer to a `ping` is the bare text `pong`. A row of `trades` has the number of the last
/// trade that it stands for, and how many there are in `count`: numbers are unique, and jump. `side` is the taker's. A
/// candle is an array of texts, of which the last says whether it is closed. Source: okx.com/docs-v5, "Trades channel",
/// "All trades channel", "Tickers channel", "Candlesticks channel"; no recorded session was found.
enum OKXParser: VenueParser {
    /// The layout in which the documentation has trades, one or many.
    @inline(__always)
    static func parseLayout(_ bytes: Bytes, into batch: inout VenueBatch) -> Bool {
        guard var reader = LayoutReader(bytes), reader.match("{\"arg\":{\"channel\":\"trades"),
            reader.match("\"") || reader.match("-all\""), reader.match(",\"instId\":\""), reader.skipString(),
            reader.match("},\"data\":[")
        else { return false }
        return reader.trades(into: &batch, until: "]}") { trade(&$0) }
    }

    @inline(__always)
    private static func trade(_ reader: inout LayoutReader) -> VenueTrade? {
        guard reader.match("{\"instId\":\""), let symbol = reader.string(), reader.match(",\"tradeId\":\""),
            let id = reader.unsigned(), reader.match("\",\"px\":\""), let price = reader.quotedDecimal(),
            reader.match(",\"sz\":\""), let size = reader.quotedDecimal(), reader.match(",\"side\":\""),
            let side = reader.side(), reader.match(",\"ts\":\""), let time = reader.unsigned(), time.value <= 1 << 53,
            reader.match("\"")
        else { return nil }
        if reader.match(",\"count\":\""), !reader.skipString() { return nil }
        if reader.match(",\"source\":\""), !reader.skipString() { return nil }
        if reader.match(",\"seqId\":"), reader.unsigned() == nil { return nil }
        guard reader.match("}") else { return nil }
        return VenueTrade(symbol, at: Double(time.value) / 1000, price: price, volume: size, side: side, id: id)
    }

    static func parseAnyLayout(_ bytes: Bytes, into batch: inout VenueBatch) throws(ParseError) -> VenueMessageKind {
        if bytes.elementsEqual("pong".utf8) { return .heartbeat }
        var event: JSONText?
        var channel: JSONText?
        var symbol: VenueText?
        var data: JSONScanner?
        var scanner = VenueScanner(bytes)
        try scanner.eachMember { (key, scanner) throws(JSONError) in
            switch key {
            case "event": event = try scanner.json.string()
            case "data": data = try scanner.skip(.array) ?? data
            case "arg":
                guard try scanner.isNext(.object) else { return }
                try scanner.members { (key, scanner) throws(JSONError) in
                    switch key {
                    case "channel": channel = try scanner.json.string()
                    case "instId": symbol = try scanner.text()
                    default: try scanner.json.skipValue()
                    }
                }
            default: try scanner.json.skipValue()
            }
        }
        if let event { return kind(event: event) }
        guard let channel else { return .other }
        let kind = kind(channel: channel)
        guard kind == .trades || kind == .quotes || kind == .candles else { return kind }
        let rows = try data.required("data")
        if kind == .candles {
            try candles(rows, &scanner, try symbol.required("instId"), seconds(channel), into: &batch)
            return kind
        }
        try scanner.eachElement(of: rows) { (scanner) throws(ParseError) in
            var row = OKXRow()
            do throws(JSONError) { try row.read(&scanner) } catch { throw .json(error) }
            if kind == .trades { batch.trades.append(try row.trade.trade(names)) }
            if kind == .quotes, let quote = row.quote.both(of: row.trade.symbol, at: row.trade.time) {
                batch.quotes.append(quote)
            }
        }
        return kind
    }

    private static func kind(event: JSONText) -> VenueMessageKind {
        if event.equals("error") { return .refusal }
        return event.equals("notice") ? .status : .acknowledgement
    }

    private static func kind(channel: JSONText) -> VenueMessageKind {
        if channel.equals("trades") || channel.equals("trades-all") { return .trades }
        if channel.equals("tickers") { return .quotes }
        if channel.starts("candle") { return .candles }
        return channel.starts("books") || channel.starts("bbo-tbt") ? .book : .other
    }

    private static func candles(
        _ data: JSONScanner, _ scanner: inout VenueScanner, _ symbol: VenueText, _ seconds: Int?,
        into batch: inout VenueBatch
    ) throws(ParseError) {
        // Lengths of candles that nothing here has are left out, as one of a second.
        guard let seconds else { return }
        try scanner.eachElement(of: data) { (scanner) throws(ParseError) in
            do throws(JSONError) { batch.candles.append(try candle(&scanner, symbol, seconds)) } catch {
                throw .json(error)
            }
        }
    }

    /// `[milliseconds, open, high, low, close, volume, volume in the currency, in the quote currency, closed]`
    private static func candle(
        _ scanner: inout VenueScanner, _ symbol: VenueText, _ seconds: Int
    ) throws(JSONError) -> MessageCandle {
        try scanner.json.beginArray()
        let start = try scanner.figure() / 1000
        let candle = Candle(
            timestamp: start, open: try scanner.figure(), high: try scanner.figure(), low: try scanner.figure(),
            close: try scanner.figure(), volume: try scanner.figure())
        for _ in 0..<2 {
            try scanner.element()
            try scanner.json.skipValue()
        }
        try scanner.element()
        let isClosed = try scanner.json.string().equals("1")
        while try scanner.json.nextElement() { try scanner.json.skipValue() }
        return MessageCandle(symbol: symbol, state: isClosed ? .closed : .running, seconds: seconds, candle: candle)
    }

    /// Of `candle1m`: those that are reported by time of day begin at UTC midnight only as `1Dutc`.
    private static func seconds(_ channel: JSONText) -> Int? {
        for (timeframe, name) in OKXHistory.bars where channel.equals(name.channel) { return Int(timeframe.seconds) }
        return nil
    }

    private static let names = TradeFields.Names(symbol: "instId", price: "px", volume: "sz", time: "ts", id: "tradeId")
}

/// A trade or a ticker, whose members do not clash. All values are texts.
private struct OKXRow {
    var trade = TradeFields()
    var quote = QuoteFields()

    mutating func read(_ scanner: inout VenueScanner) throws(JSONError) {
        try scanner.json.beginObject()
        while let key = try scanner.json.nextKey() {
            switch key {
            case "instId": trade.symbol = try scanner.text()
            case "tradeId": trade.id = try scanner.unsigned()
            case "px": trade.price = try scanner.decimal()
            case "sz": trade.volume = try scanner.decimal()
            case "side": trade.side = try scanner.side()
            case "ts": trade.time = try scanner.json.decimalString() / 1000
            case "bidPx": quote.bid = try Self.figure(&scanner)
            case "askPx": quote.ask = try Self.figure(&scanner)
            case "open24h": quote.open = try Self.figure(&scanner)
            case "high24h": quote.high = try Self.figure(&scanner)
            case "low24h": quote.low = try Self.figure(&scanner)
            case "vol24h": quote.volume = try Self.figure(&scanner)
            default: try scanner.json.skipValue()
            }
        }
    }

    /// An empty text where there is no bid, or no ask.
    private static func figure(_ scanner: inout VenueScanner) throws(JSONError) -> Double? {
        let text = try scanner.json.string().raw
        return text.isEmpty ? nil : DecimalParser.parseWhole(text)
    }
}
