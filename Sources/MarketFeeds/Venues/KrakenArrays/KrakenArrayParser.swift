import MarketModel
import StreamCore

/// Reads Kraken's WebSocket interface, version 1: data are arrays `[channel id, data, "name", "PAIR"]`, everything else
/// objects with an `event`.
///
/// A trade is `["price","volume","seconds","b|s","m|l",""]` and has no number: repeated and missing ones cannot be seen. Book
/// arrays have a fifth element where both sides change.
/// Source: docs.kraken.com, WebSocket v1: trade, and recorded sessions.
enum KrakenArrayParser {
    static func parse(
        _ bytes: UnsafeRawBufferPointer, into batch: inout VenueBatch
    ) throws(VenueParseError) -> VenueMessageKind {
        if KrakenArrayLayout.parse(bytes, into: &batch) { return .trades }
        return try parseAnyLayout(bytes, into: &batch)
    }

    static func parseAnyLayout(
        _ bytes: UnsafeRawBufferPointer, into batch: inout VenueBatch
    ) throws(VenueParseError) -> VenueMessageKind {
        var scanner = VenueScanner(bytes)
        do throws(JSONError) {
            guard try scanner.json.kind() == .array else { return try event(&scanner) }
            return try data(&scanner, into: &batch)
        } catch {
            throw .json(error)
        }
    }

    private static func event(_ scanner: inout VenueScanner) throws(JSONError) -> VenueMessageKind {
        var kind = VenueMessageKind.other
        var isError = false
        try scanner.json.beginObject()
        while let key = try scanner.json.nextKey() {
            if key.equals("event") {
                let event = try scanner.json.string()
                if event.equals("heartbeat") || event.equals("pong") { kind = .heartbeat }
                if event.equals("systemStatus") { kind = .status }
                if event.equals("subscriptionStatus") { kind = .acknowledgement }
            } else if key.equals("status") {
                isError = try scanner.json.string().equals("error")
            } else {
                try scanner.json.skipValue()
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
        try expect(scanner.json.nextElement(), scanner)
        let price = try scanner.decimal()
        try expect(scanner.json.nextElement(), scanner)
        let volume = try scanner.decimal()
        try expect(scanner.json.nextElement(), scanner)
        let time = try scanner.json.decimalString()
        try expect(scanner.json.nextElement(), scanner)
        let side = try scanner.side()
        // Kind of the order, and an empty text.
        while try scanner.json.nextElement() { try scanner.json.skipValue() }
        return VenueTrade(
            tick: Tick(timestamp: time, price: price.value, volume: volume.value), side: side, name: .none,
            price: price.text, volume: volume.text, symbol: pair, id: 0, priceDecimals: price.decimals)
    }

    private static func expect(_ isThere: Bool, _ scanner: VenueScanner) throws(JSONError) {
        guard isThere else { throw JSONError(.wrongType, at: scanner.json.offset) }
    }
}
