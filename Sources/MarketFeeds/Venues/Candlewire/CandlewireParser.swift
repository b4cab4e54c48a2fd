import MarketModel
import StreamCore

extension Venue {
    /// Another candlewire server: what `candlewire record` wrote of its stream.
    public static let candlewire = Venue("candlewire")
}

extension VenueDeclaration {
    static let candlewire = VenueDeclaration(
        venue: .candlewire, numbering: .readElsewhere,
        isEvidence: { message in
            guard let type = message["type"], message["symbol"] != nil, types.contains(type) else { return false }
            return message.has("timeframe") || type == "tick" && message.has("price")
        },
        read: { (session, message, _) throws(VenueParseError) in try session.receiveCandlewire(message) },
        history: CandlewireHistory())

    private static let types: Set<String> = ["tick", "candle", "snapshot", "subscribed", "skipped"]
}

/// What one message of a candlewire server means to a reader of ticks. Valid while the message's bytes are.
enum CandlewireMessage {
    /// A tick; `timeframe` and `offset` say which stream it came in and where, if the server says so.
    case tick(VenueTrade, symbol: JSONText, timeframe: JSONText?, offset: Int64?)
    /// A candle uses up an offset of its stream and nothing else.
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
            switch key {
            case "type": type = try scanner.json.string()
            case "symbol": symbol = try scanner.json.string()
            case "timeframe": timeframe = try scanner.json.string()
            case "timestamp": time = try scanner.json.number()
            case "price": price = try Self.number(&scanner)
            case "volume": volume = try Self.number(&scanner)
            case "offset": offset = try scanner.json.integer64()
            case "count": count = try scanner.json.integer()
            default: try scanner.json.skipValue()
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
                let trade = VenueTrade(.none, at: time, price: price, volume: volume, side: .unknown)
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

/// How far one symbol's ticks have been read: from one of its streams, by that stream's offsets.
///
/// A server sends a symbol's ticks in every timeframe that is subscribed. The stream of the first tick counts; the others
/// repeat it.
struct CandlewireProgress: Sendable {
    enum Outcome: Equatable {
        /// New; so many messages before it did not come.
        case new(missing: Int64)
        case duplicate
        /// Of another stream.
        case repeated
    }

    private let timeframe: [UInt8]?
    private var last: Int64?
    /// Left out since the last message, as the server said.
    private var skipped: Int64 = 0

    init(timeframe: JSONText?, offset: Int64?) {
        self.timeframe = timeframe.map { [UInt8]($0.raw) }
        last = offset
    }

    private func isMine(_ other: JSONText?) -> Bool {
        guard let timeframe, let other else { return timeframe == nil && other == nil }
        return timeframe.count == other.raw.count && zip(timeframe, other.raw).allSatisfy { $0 == $1 }
    }

    /// Accepts a tick's or a candle's offset; without offsets everything is new.
    mutating func accept(_ timeframe: JSONText?, offset: Int64?) -> Outcome {
        guard isMine(timeframe) else { return .repeated }
        guard let offset else { return .new(missing: 0) }
        guard let last else {
            self.last = offset
            return .new(missing: 0)
        }
        guard offset > last else { return .duplicate }
        // What was left out on purpose was reported, and counted then.
        let missing = max(0, offset - last - 1 - skipped)
        skipped = 0
        self.last = offset
        return .new(missing: missing)
    }

    /// The stream goes on from here: a snapshot stands for what was before.
    mutating func move(_ timeframe: JSONText?, to offset: Int64) {
        guard isMine(timeframe) else { return }
        last = offset
        skipped = 0
    }

    /// - Returns: whether it is about this stream.
    mutating func skip(_ timeframe: JSONText?, _ count: Int) -> Bool {
        // What a hostile count could overflow is no count, as in a client's session.
        guard isMine(timeframe), count > 0, count < 1 << 30 else { return false }
        skipped = min(skipped + Int64(count), 1 << 53)
        return true
    }
}

extension VenueSession {
    /// Reads a message of another candlewire server. Offsets show repeated messages and holes; what the server left out
    /// because a reader was slow (`skipped`) counts as missing: the candles made of this session have a gap there.
    mutating func receiveCandlewire(_ bytes: UnsafeRawBufferPointer) throws(VenueParseError) -> VenueMessageKind {
        switch try CandlewireParser.parse(bytes) {
        case .tick(var trade, let symbol, let timeframe, let offset):
            if let market = symbols.find(symbol) {
                trade.market = market
                switch progress[market]?.accept(timeframe, offset: offset) ?? .repeated {
                case .new(let missing): counts.addMissing(missing)
                case .repeated: return .trades
                case .duplicate:
                    counts.duplicates += 1
                    return .trades
                }
                priceDecimals[market] = max(priceDecimals[market], trade.priceDecimals)
            } else {
                trade.market = open(symbol.string, priceDecimals: trade.priceDecimals)
                progress[trade.market] = CandlewireProgress(timeframe: timeframe, offset: offset)
            }
            counts.trades += 1
            batch.trades.append(trade)
            return .trades
        case .candle(let symbol, let timeframe, let offset):
            if let market = symbols.find(symbol),
                case .new(let missing)? = progress[market]?.accept(timeframe, offset: offset)
            {
                counts.addMissing(missing)
            }
            return .candles
        case .position(let symbol, let timeframe, let offset):
            if let market = symbols.find(symbol) { progress[market]?.move(timeframe, to: offset) }
        case .skipped(let symbol, let timeframe, let count):
            if let market = symbols.find(symbol), progress[market]?.skip(timeframe, count) == true {
                counts.addMissing(Int64(count))
            }
        case .other: return .other
        }
        return .status
    }
}
