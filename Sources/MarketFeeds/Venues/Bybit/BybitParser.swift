import MarketModel
import StreamCore

/// Reads Bybit's public WebSocket interface, version 5: `{"topic":..,"type":..,"ts":..,"data":..}`, and answers to requests.
///
/// `publicTrade` has one or many trades, oldest first; `i`, a trade's name, is a number or a UUID, so that a missing one
/// cannot be seen. `S` is what the one who came second did. Answers name no topic and are equal byte by byte: how many came
/// tells how many were granted.
/// Source: bybit-exchange.github.io, v5, WebSocket public channels: trade, orderbook; the latter also in recorded sessions.
enum BybitParser {
    static func parse(
        _ bytes: UnsafeRawBufferPointer, into batch: inout VenueBatch
    ) throws(VenueParseError) -> VenueMessageKind {
        if BybitTradeLayout.parse(bytes, into: &batch) { return .trades }
        return try parseAnyLayout(bytes, into: &batch)
    }

    static func parseAnyLayout(
        _ bytes: UnsafeRawBufferPointer, into batch: inout VenueBatch
    ) throws(VenueParseError) -> VenueMessageKind {
        var topic: JSONText?
        var operation: JSONText?
        var isSuccess: Bool?
        var data: JSONScanner?
        var scanner = VenueScanner(bytes)
        do throws(JSONError) {
            try scanner.json.beginObject()
            while let key = try scanner.json.nextKey() {
                if key.equals("topic") {
                    topic = try scanner.json.string()
                } else if key.equals("op") {
                    operation = try scanner.json.string()
                } else if key.equals("success") {
                    isSuccess = try scanner.json.bool()
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
        guard let topic else {
            if isSuccess == false { return .refusal }
            guard let operation else { return .other }
            return operation.equals("ping") || operation.equals("pong") ? .heartbeat : .acknowledgement
        }
        if topic.starts("publicTrade.") {
            guard let data else { throw .missingField("data") }
            try scanner.begin(data)
            try read(&scanner, into: &batch)
            return .trades
        }
        if topic.starts("orderbook.") { return .book }
        if topic.starts("tickers.") { return .quotes }
        return topic.starts("kline.") ? .candles : .other
    }

    private static func read(
        _ scanner: inout VenueScanner, into batch: inout VenueBatch
    ) throws(VenueParseError) {
        while try scanner.hasElement() {
            var fields = TradeFields()
            do throws(JSONError) { try read(&scanner, &fields) } catch { throw .json(error) }
            batch.trades.append(try fields.trade(names))
        }
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
                fields.id = (number(of: name.raw), VenueText(name, from: scanner.base))
            default: try scanner.json.skipValue()
            }
        }
    }

    /// A name as a number: FNV-1a, 64 bits. Of the last 1,024 names two are the same by accident once in 10^13 times.
    static func number(of name: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }

    private static let names = TradeFields.Names(symbol: "s", price: "p", volume: "v", time: "T", id: "i")
}
