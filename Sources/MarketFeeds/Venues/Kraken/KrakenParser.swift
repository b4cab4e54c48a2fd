import MarketModel
import StreamCore

/// Reads Kraken's WebSocket interface, version 2: `{"channel":..,"type":..,"data":[..]}`, and answers to requests.
///
/// Numbers are JSON numbers with the instrument's full precision; their text is kept. A `trade` snapshot has the latest 50
/// trades, oldest first, and repeats what was told before a reconnect. An `ohlc` row is the running candle and never says
/// that it is closed.
/// Source: docs.kraken.com, WebSocket v2: trade, ohlc, ticker, heartbeat, status.
enum KrakenParser {
    static func parse(
        _ bytes: UnsafeRawBufferPointer, into batch: inout VenueBatch
    ) throws(VenueParseError) -> VenueMessageKind {
        if KrakenTradeLayout.parse(bytes, into: &batch) { return .trades }
        return try parseAnyLayout(bytes, into: &batch)
    }

    static func parseAnyLayout(
        _ bytes: UnsafeRawBufferPointer, into batch: inout VenueBatch
    ) throws(VenueParseError) -> VenueMessageKind {
        // What the data is stands before it in every message that was seen, but need not: it is looked for first.
        var channel: JSONText?
        var method: JSONText?
        var isSuccess: Bool?
        var hasError = false
        var data: JSONScanner?
        var scanner = VenueScanner(bytes)
        do throws(JSONError) {
            try scanner.json.beginObject()
            while let key = try scanner.json.nextKey() {
                if key.equals("channel") {
                    channel = try scanner.json.string()
                } else if key.equals("method") {
                    method = try scanner.json.string()
                } else if key.equals("success") {
                    isSuccess = try scanner.json.bool()
                } else if key.equals("error") || key.equals("Error") {
                    hasError = true
                    try scanner.json.skipValue()
                } else if key.equals("data"), try scanner.json.kind() == .array {
                    data = scanner.json
                    try scanner.json.skipValue()
                } else {
                    try scanner.json.skipValue()
                }
            }
            try scanner.json.end()
        } catch {
            throw .json(error)
        }
        if let channel { return try read(channel, data, &scanner, into: &batch) }
        if let method, !method.equals("pong") { return isSuccess == true ? .acknowledgement : .refusal }
        if hasError { return .refusal }
        return method == nil ? .other : .heartbeat
    }

    private static func read(
        _ channel: JSONText, _ data: JSONScanner?, _ scanner: inout VenueScanner, into batch: inout VenueBatch
    ) throws(VenueParseError) -> VenueMessageKind {
        if channel.equals("heartbeat") { return .heartbeat }
        if channel.equals("status") { return .status }
        if channel.equals("book") || channel.equals("level3") { return .book }
        let kind: VenueMessageKind
        if channel.equals("trade") {
            kind = .trades
        } else if channel.equals("ohlc") {
            kind = .candles
        } else if channel.equals("ticker") {
            kind = .quotes
        } else {
            return .other
        }
        guard let data else { throw .missingField("data") }
        try scanner.begin(data)
        while try scanner.hasElement() {
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
}
