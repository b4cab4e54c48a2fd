import MarketModel
import StreamCore

/// What one message of a candlewire server means to a reader of ticks. Valid while the message's bytes are.
enum CandlewireMessage {
    /// A tick; `timeframe` and `offset` say which stream it came in and where, if the server tells.
    case tick(symbol: JSONText, timeframe: JSONText?, Tick, offset: Int64?, priceDecimals: Int)
    /// A candle takes an offset of its stream and nothing else.
    case candle(symbol: JSONText, timeframe: JSONText?, offset: Int64?)
    /// The stream goes on after this offset, whatever was before.
    case position(symbol: JSONText, timeframe: JSONText?, offset: Int64)
    /// So many updates were left out.
    case skipped(symbol: JSONText, timeframe: JSONText?, count: Int)
    case other
}

/// Reads what another candlewire server sends, protocol version 1. See Docs/protocol.md.
enum CandlewireParser {
    static func parse(_ bytes: UnsafeRawBufferPointer) throws(VenueParseError) -> CandlewireMessage {
        var fields = Fields()
        do throws(JSONError) {
            var scanner = JSONScanner(bytes)
            try scanner.beginObject()
            while let key = try scanner.nextKey() { try fields.read(key, &scanner) }
            try scanner.end()
        } catch {
            throw .json(error)
        }
        return try fields.message()
    }

    private struct Fields {
        var type: JSONText?
        var symbol: JSONText?
        var timeframe: JSONText?
        var time: Double?
        var price: (value: Double, decimals: Int)?
        var volume: Double?
        var offset: Int64?
        var count: Int?

        mutating func read(_ key: JSONText, _ scanner: inout JSONScanner) throws(JSONError) {
            if key.equals("type") {
                type = try scanner.string()
            } else if key.equals("symbol") {
                symbol = try scanner.string()
            } else if key.equals("timeframe") {
                timeframe = try scanner.string()
            } else if key.equals("timestamp") {
                time = try scanner.number()
            } else if key.equals("price") {
                let offset = scanner.offset
                let raw = try scanner.rawValue()
                guard let (value, length) = DecimalParser.parse(raw), length == raw.count else {
                    throw JSONError(.wrongType, at: offset)
                }
                price = (value, VenueDecimal.decimals(of: raw))
            } else if key.equals("volume") {
                volume = try scanner.number()
            } else if key.equals("offset") {
                offset = try scanner.integer64()
            } else if key.equals("count") {
                count = try scanner.integer()
            } else {
                try scanner.skipValue()
            }
        }

        func message() throws(VenueParseError) -> CandlewireMessage {
            guard let type else { throw .missingField("type") }
            if type.equals("tick") {
                guard let time else { throw .missingField("timestamp") }
                guard let price else { throw .missingField("price") }
                guard let volume else { throw .missingField("volume") }
                return .tick(
                    symbol: try named(), timeframe: timeframe,
                    Tick(timestamp: time, price: price.value, volume: volume), offset: offset,
                    priceDecimals: price.decimals)
            }
            if type.equals("candle") { return .candle(symbol: try named(), timeframe: timeframe, offset: offset) }
            if type.equals("snapshot"), let offset {
                return .position(symbol: try named(), timeframe: timeframe, offset: offset)
            }
            if type.equals("skipped") {
                guard let count else { throw .missingField("count") }
                return .skipped(symbol: try named(), timeframe: timeframe, count: count)
            }
            return .other
        }

        private func named() throws(VenueParseError) -> JSONText {
            guard let symbol else { throw .missingField("symbol") }
            return symbol
        }
    }
}
