import MarketModel
import StreamCore

/// Reads Bybit's public WebSocket interface, version 5: `{"topic":..,"type":..,"ts":..,"data":..}`, and answers to
/// requests. `publicTrade` has one or many trades, oldest first; `i`, a trade's name, is a number or a UUID, so that a
/// missing one cannot be seen. `S` is the taker's side. Answers name no topic and are equal byte by byte: how many came
/// is how many were granted. Source: bybit-exchange.github.io, v5, WebSocket public channels: trade, orderbook; the
/// latter also in recorded sessions.
enum BybitParser: VenueParser {
    static func parseAnyLayout(_ bytes: Bytes, into batch: inout VenueBatch) throws(ParseError) -> VenueMessageKind {
        var topic: JSONText?
        var operation: JSONText?
        var isSuccess: Bool?
        var data: JSONScanner?
        var scanner = VenueScanner(bytes)
        try scanner.eachMember { (key, scanner) throws(JSONError) in
            switch key {
            case "topic": topic = try scanner.json.string()
            case "op": operation = try scanner.json.string()
            case "success": isSuccess = try scanner.json.bool()
            case "data": if let array = try scanner.skip(.array) { data = array }
            default: try scanner.json.skipValue()
            }
        }
        guard let topic else {
            if isSuccess == false { return .refusal }
            guard let operation else { return .other }
            return operation.equals("ping") || operation.equals("pong") ? .heartbeat : .acknowledgement
        }
        if topic.starts("publicTrade.") {
            try scanner.eachElement(of: try data.required("data")) { (scanner) throws(ParseError) in
                var fields = TradeFields()
                do throws(JSONError) { try read(&scanner, &fields) } catch { throw .json(error) }
                batch.trades.append(try fields.trade(names))
            }
            return .trades
        }
        if topic.starts("orderbook.") { return .book }
        if topic.starts("tickers.") { return .quotes }
        return topic.starts("kline.") ? .candles : .other
    }

    private static func read(_ scanner: inout VenueScanner, _ fields: inout TradeFields) throws(JSONError) {
        try scanner.json.beginObject()
        while let key = try scanner.json.nextKey() {
            guard key.raw.count == 1 else {
                try scanner.json.skipValue()
                continue
            }
            switch key.raw[0] {
            case UInt8(ascii: "s"): fields.symbol = try scanner.text()
            case UInt8(ascii: "S"): fields.side = try scanner.side()
            case UInt8(ascii: "p"): fields.price = try scanner.decimal()
            case UInt8(ascii: "v"): fields.volume = try scanner.decimal()
            case UInt8(ascii: "T"): fields.time = try scanner.json.number() / 1000
            case UInt8(ascii: "i"):
                let name = try scanner.json.string()
                // Of the last 1,024 names two have the same hash by accident once in 10^13 times.
                fields.id = (FNV1a(name.raw).value, VenueText(name, from: scanner.base))
            default: try scanner.json.skipValue()
            }
        }
    }

    private static let names = TradeFields.Names(symbol: "s", price: "p", volume: "v", time: "T", id: "i")

    /// The layout in which the documentation has trades, one or many.
    @inline(__always)
    static func parseLayout(_ bytes: Bytes, into batch: inout VenueBatch) -> Bool {
        guard var reader = LayoutReader(bytes), reader.match("{\"topic\":\"publicTrade."), reader.skipString(),
            reader.match(",\"type\":\""), reader.skipString(), reader.match(",\"ts\":"), reader.unsigned() != nil,
            reader.match(",\"data\":[")
        else { return false }
        return reader.trades(into: &batch, until: "]}") { trade(&$0, bytes) }
    }

    @inline(__always)
    private static func trade(_ reader: inout LayoutReader, _ bytes: Bytes) -> VenueTrade? {
        guard reader.match("{\"T\":"), let time = reader.unsigned(), time.value <= 1 << 53,
            reader.match(",\"s\":\""), let symbol = reader.string(), reader.match(",\"S\":\""),
            let side = reader.side("Buy\"", "Sell\""), reader.match(",\"v\":\""), let volume = reader.quotedDecimal(),
            reader.match(",\"p\":\""), let price = reader.quotedDecimal()
        else { return nil }
        // Only derivatives have a direction of the price.
        if reader.match(",\"L\":\""), !reader.skipString() { return nil }
        guard reader.match(",\"i\":\""), let name = reader.string(), reader.match(",\"BT\":"), reader.bool() != nil
        else { return nil }
        if reader.match(",\"RPI\":"), reader.bool() == nil { return nil }
        if reader.match(",\"seq\":"), reader.unsigned() == nil { return nil }
        guard reader.match("}") else { return nil }
        return VenueTrade(
            symbol, at: Double(time.value) / 1000, price: price, volume: volume, side: side,
            id: (FNV1a(name.read(in: bytes).raw).value, name))
    }
}
