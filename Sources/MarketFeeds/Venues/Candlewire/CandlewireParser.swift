import MarketModel
import StreamCore

/// What one message of a candlewire server means to a reader of ticks. Valid while the message's bytes are.
enum CandlewireMessage {
    /// A tick; `timeframe` and `offset` say which stream it came in and where, if the server tells.
    case tick(VenueTrade, symbol: JSONText, timeframe: JSONText?, offset: Int64?)
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
            var scanner = VenueScanner(bytes)
            try scanner.json.beginObject()
            while let key = try scanner.json.nextKey() { try fields.read(key, &scanner) }
            try scanner.json.end()
        } catch {
            throw .json(error)
        }
        return try fields.message(of: bytes)
    }

    private struct Fields {
        var type: JSONText?
        var symbol: JSONText?
        var timeframe: JSONText?
        var time: Double?
        var price: VenueDecimal?
        var volume: VenueDecimal?
        var offset: Int64?
        var count: Int?

        mutating func read(_ key: JSONText, _ scanner: inout VenueScanner) throws(JSONError) {
            if key.equals("type") {
                type = try scanner.json.string()
            } else if key.equals("symbol") {
                symbol = try scanner.json.string()
            } else if key.equals("timeframe") {
                timeframe = try scanner.json.string()
            } else if key.equals("timestamp") {
                time = try scanner.json.number()
            } else if key.equals("price") {
                price = try Self.number(&scanner)
            } else if key.equals("volume") {
                volume = try Self.number(&scanner)
            } else if key.equals("offset") {
                offset = try scanner.json.integer64()
            } else if key.equals("count") {
                count = try scanner.json.integer()
            } else {
                try scanner.json.skipValue()
            }
        }

        /// A number that is not a string: the protocol has none of those.
        private static func number(_ scanner: inout VenueScanner) throws(JSONError) -> VenueDecimal {
            guard try scanner.json.kind() == .number else { throw JSONError(.wrongType, at: scanner.json.offset) }
            return try scanner.decimal()
        }

        func message(of bytes: UnsafeRawBufferPointer) throws(VenueParseError) -> CandlewireMessage {
            guard let type else { throw .missingField("type") }
            if type.equals("tick") {
                guard let time else { throw .missingField("timestamp") }
                guard let price else { throw .missingField("price") }
                guard let volume else { throw .missingField("volume") }
                let symbol = try named()
                let trade = VenueTrade(
                    tick: Tick(timestamp: time, price: price.value, volume: volume.value), side: .unknown, name: .none,
                    price: price.text, volume: volume.text, symbol: .none, id: 0, priceDecimals: price.decimals)
                return .tick(trade, symbol: symbol, timeframe: timeframe, offset: offset)
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
