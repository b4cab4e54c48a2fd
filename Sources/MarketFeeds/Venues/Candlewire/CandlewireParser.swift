import MarketModel
import StreamCore

/// Another candlewire server: what `candlewire record` wrote of its stream.
extension Venue { public static let candlewire = Venue("candlewire") }

extension VenueDeclaration {
    static let candlewire = VenueDeclaration(
        venue: .candlewire, numbering: .readElsewhere,
        isEvidence: { message in
            guard let type = message["type"], message["symbol"] != nil, types.contains(type) else { return false }
            return message.has("timeframe") || type == "tick" && message.has("price")
        },
        reader: CandlewireParser.self,
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
    /// `count` updates were left out.
    case skipped(symbol: JSONText, timeframe: JSONText?, count: Int)
    case other
}

/// Reads what another candlewire server sends, protocol version 1. See Docs/protocol.md.
enum CandlewireParser: VenueReader {
    static func read(
        _ session: inout VenueSession, _ message: Bytes, _ connection: Int
    ) throws(ParseError) -> VenueMessageKind {
        try session.receiveCandlewire(message)
    }

    static func parse(_ bytes: Bytes) throws(ParseError) -> CandlewireMessage {
        var fields = Fields()
        do throws(JSONError) {
            var scanner = VenueScanner(bytes)
            try scanner.json.beginObject()
            while let key = try scanner.json.nextKey() { try fields.read(key, &scanner) }
            try scanner.json.end()
        } catch { throw .json(error) }
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

        func message(of bytes: Bytes) throws(ParseError) -> CandlewireMessage {
            guard let type else { throw .missingField("type") }
            if type.equals("tick") {
                let trade = try VenueTrade(
                    .none, at: time.required("timestamp"), price: price.required("price"),
                    volume: volume.required("volume"), side: .unknown)
                return .tick(trade, symbol: try symbol.required("symbol"), timeframe: timeframe, offset: offset)
            }
            if type.equals("candle") {
                return .candle(symbol: try symbol.required("symbol"), timeframe: timeframe, offset: offset)
            }
            if type.equals("snapshot"), let offset {
                return .position(symbol: try symbol.required("symbol"), timeframe: timeframe, offset: offset)
            }
            if type.equals("skipped") {
                let count = try count.required("count")
                return .skipped(symbol: try symbol.required("symbol"), timeframe: timeframe, count: count)
            }
            return .other
        }
    }
}

/// How far one symbol's ticks have been read: from one of its streams, by that stream's offsets. A server sends a
/// symbol's ticks in every timeframe that is subscribed. The stream of the first tick counts; the others repeat it.
struct CandlewireProgress: Sendable {
    private let timeframe: [UInt8]?
    private var last: Int64?
    /// Left out since the last message, as the server said.
    private var skipped: Int64 = 0

    init(timeframe: JSONText?, offset: Int64?) {
        self.timeframe = timeframe.map { [UInt8]($0.raw) }
        last = offset
    }

    private func isOwnTimeframe(_ other: JSONText?) -> Bool {
        guard let timeframe, let other else { return timeframe == nil && other == nil }
        return timeframe.count == other.raw.count && zip(timeframe, other.raw).allSatisfy { $0 == $1 }
    }

    /// Accepts a tick's or a candle's offset; without offsets everything is new. What is of another stream is ignored.
    mutating func accept(_ timeframe: JSONText?, offset: Int64?) -> TradeOutcome {
        guard isOwnTimeframe(timeframe) else { return .ignored }
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
        return .new(missing: Int(missing))
    }

    /// The stream goes on from here: a snapshot stands for what was before.
    mutating func move(_ timeframe: JSONText?, to offset: Int64) {
        guard isOwnTimeframe(timeframe) else { return }
        last = offset
        skipped = 0
    }

    /// - Returns: whether it is about this stream.
    mutating func skip(_ timeframe: JSONText?, _ count: Int) -> Bool {
        // What a hostile count could overflow is no count, as in a client's session.
        guard isOwnTimeframe(timeframe), count > 0, count < 1 << 30 else { return false }
        skipped = min(skipped + Int64(count), 1 << 53)
        return true
    }
}

extension VenueSession {
    /// Reads a message of another candlewire server. Offsets show repeated messages and holes; what the server left out
    /// because a reader was slow (`skipped`) counts as missing: the candles made of this session have a gap there.
    mutating func receiveCandlewire(_ bytes: Bytes) throws(ParseError) -> VenueMessageKind {
        switch try CandlewireParser.parse(bytes) {
        case .tick(var trade, let symbol, let timeframe, let offset):
            if let market = symbols.find(symbol) {
                trade.market = market
                switch progress[market]?.accept(timeframe, offset: offset) {
                case .new(let missing): counts.addMissing(missing)
                case .duplicate:
                    counts.duplicates += 1
                    return .trades
                default: return .trades
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
                counts.addMissing(count)
            }
        case .other: return .other
        }
        return .status
    }
}
