import MarketModel
import StreamCore

/// Reads Kraken's WebSocket interface, version 1: data are arrays `[channel id, data, "name", "PAIR"]`, everything else
/// objects with an `event`. A trade is `["price","volume","seconds","b|s","m|l",""]` and has no number: repeated and
/// missing ones cannot be seen. Book arrays have a fifth element where both sides change. Source: docs.kraken.com,
/// WebSocket v1: trade, and recorded sessions.
enum KrakenArrayParser: VenueParser {
    static func parseAnyLayout(_ bytes: Bytes, into batch: inout VenueBatch) throws(ParseError) -> VenueMessageKind {
        var scanner = VenueScanner(bytes)
        do throws(JSONError) {
            guard try scanner.json.kind() == .array else { return try event(&scanner) }
            return try data(&scanner, into: &batch)
        } catch { throw .json(error) }
    }

    private static func event(_ scanner: inout VenueScanner) throws(JSONError) -> VenueMessageKind {
        var kind = VenueMessageKind.other
        var isError = false
        try scanner.json.beginObject()
        while let key = try scanner.json.nextKey() {
            switch key {
            case "event":
                let event = try scanner.json.string()
                if event.equals("heartbeat") || event.equals("pong") { kind = .heartbeat }
                if event.equals("systemStatus") { kind = .status }
                if event.equals("subscriptionStatus") { kind = .acknowledgement }
            case "status": isError = try scanner.json.string().equals("error")
            default: try scanner.json.skipValue()
            }
        }
        try scanner.json.end()
        return isError ? .refusal : kind
    }

    /// The name of the channel and the pair stand behind the data, and say what these are.
    private static func data(
        _ scanner: inout VenueScanner, into batch: inout VenueBatch
    ) throws(JSONError) -> VenueMessageKind {
        var payload: JSONScanner?
        var name: JSONText?
        var pair: VenueText = .none
        var pairText: JSONText?
        try scanner.json.beginArray()
        while try scanner.json.nextElement() {
            switch try scanner.json.kind() {
            case .string:
                name = pairText
                pairText = try scanner.json.string()
                pair = pairText.map { VenueText($0, from: scanner.base) } ?? .none
            case .array, .object:
                if payload == nil { payload = scanner.json }
                try scanner.json.skipValue()
            default: try scanner.json.skipValue()
            }
        }
        try scanner.json.end()
        guard let name, let payload else { throw JSONError(.wrongType, at: 0) }
        if name.starts("book") { return .book }
        if name.equals("ticker") || name.equals("spread") { return .quotes }
        if name.starts("ohlc") { return .candles }
        guard name.equals("trade") else { return .other }
        scanner.json = payload
        try scanner.json.beginArray()
        while try scanner.json.nextElement() { batch.trades.append(try trade(&scanner, pair)) }
        return .trades
    }

    private static func trade(_ scanner: inout VenueScanner, _ pair: VenueText) throws(JSONError) -> VenueTrade {
        try scanner.json.beginArray()
        try scanner.element()
        let price = try scanner.decimal()
        try scanner.element()
        let volume = try scanner.decimal()
        try scanner.element()
        let time = try scanner.json.decimalString()
        try scanner.element()
        let side = try scanner.side()
        // Kind of the order, and an empty text.
        while try scanner.json.nextElement() { try scanner.json.skipValue() }
        return VenueTrade(pair, at: time, price: price, volume: volume, side: side)
    }

    /// The layout of trades, one or many: the pair stands behind them.
    @inline(__always)
    static func parseLayout(_ bytes: Bytes, into batch: inout VenueBatch) -> Bool {
        guard var reader = LayoutReader(bytes), reader.match("["), reader.unsigned() != nil, reader.match(",[")
        else { return false }
        repeat {
            guard reader.match("[\""), let price = reader.quotedDecimal(), reader.match(",\""),
                let volume = reader.quotedDecimal(), reader.match(",\""), let time = reader.quotedDecimal(),
                let side = reader.side(",\"b\"", ",\"s\""), reader.match(",\""), reader.skipString(),
                reader.match(",\""), reader.skipString(), reader.match("]")
            else { return nothing(&batch) }
            batch.trades.append(VenueTrade(.none, at: time.value, price: price, volume: volume, side: side))
        } while reader.match(",")
        guard reader.match("],\"trade\",\""), let pair = reader.string(), reader.match("]"), reader.isAtEnd else {
            return nothing(&batch)
        }
        for index in batch.trades.indices { batch.trades[index].symbol = pair }
        return true
    }

    private static func nothing(_ batch: inout VenueBatch) -> Bool {
        batch.trades.removeAll(keepingCapacity: true)
        return false
    }
}
