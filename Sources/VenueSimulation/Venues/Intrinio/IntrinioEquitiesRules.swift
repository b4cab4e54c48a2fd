/// Intrinio's current equities stream: binary joins and leaves, no answers, frames with the items of what was joined.
struct IntrinioEquitiesRules: VenueRules {
    static let facts = VenueFacts(paths: ["/socket/websocket"])
    static let isBinary = true
    private static let firehose = "$FIREHOSE"

    private let market: VenueMarket
    /// Those of which quotes are wanted too, and those of which only trades are.
    private var joined: [String: Bool] = [:]

    init(_ market: VenueMarket, connection: Int) { self.market = market }
    static func refusal(of target: String) -> Int? { IntrinioDesk.refusal(of: target) }
    static func answer(_ request: VenueRequest, _ market: VenueMarket, shift: Int64, now: Double) -> VenueResponse? {
        IntrinioDesk.answer(request, market, shift: shift)
    }

    static func sort(_ message: [UInt8]) -> RecordedPart {
        let symbols = Set(IntrinioItem.all(in: message).map(\.symbol))
        return symbols.isEmpty ? .own : .data(symbols.sorted().map { VenueTopic("equities", $0) })
    }

    static func trades(in message: [UInt8], _ part: RecordedPart, of session: RecordedSession) -> [RecordedTrade] {
        IntrinioItem.all(in: message).filter { $0.type == 0 }.map { item in
            RecordedTrade(
                symbol: item.symbol, price: "\(item.price)", size: "\(item.size)", time: item.nanoseconds, isBuy: true,
                json: .null)
        }
    }

    static func moved(_ message: [UInt8], bySeconds seconds: Int64) -> [UInt8]? {
        var moved = message
        for item in IntrinioItem.all(in: message) {
            let time = item.nanoseconds &+ seconds &* 1_000_000_000
            withUnsafeBytes(of: time.littleEndian) { moved.replaceSubrange(item.timeRange, with: $0) }
        }
        return moved
    }

    /// Of a frame's items those that this connection requested.
    mutating func frame(_ message: [UInt8]) -> [UInt8] {
        let wanted = IntrinioItem.all(in: message).filter { item in
            guard let withQuotes = joined[item.symbol] else { return false }
            return withQuotes || item.type == 0
        }
        return [UInt8(truncatingIfNeeded: wanted.count)] + wanted.flatMap { message[$0.range] }
    }

    mutating func received(_ json: VenueJSON?, at moment: VenueMoment) -> [VenueReply] { [] }

    mutating func received(bytes: [UInt8], at moment: VenueMoment) -> [VenueReply] {
        switch bytes.first {
        case UInt8(ascii: "J"):
            guard bytes.count > 2 else { return [] }
            return symbols(bytes[2...]).map { symbol in
                joined[symbol] = bytes[1] == 0
                return .subscribe(VenueTopic("equities", symbol))
            }
        case UInt8(ascii: "L"):
            return symbols(bytes[1...]).map { symbol in
                joined[symbol] = nil
                return .unsubscribe(VenueTopic("equities", symbol))
            }
        default: return []
        }
    }

    private func symbols(_ name: ArraySlice<UInt8>) -> [String] {
        let name = String(decoding: name, as: UTF8.self)
        return name == Self.firehose ? market.symbols : market.symbols.filter { $0 == name }
    }
}

/// One item of a binary equities message: where it stands, and what a simulation must know of it.
struct IntrinioItem {
    var type: UInt8
    var symbol: String
    var price: Float
    var size: UInt32
    var nanoseconds: Int64
    var range: Range<Int>
    var timeRange: Range<Int>

    /// The items of a message; none where its lengths do not come out even.
    static func all(in message: [UInt8]) -> [IntrinioItem] {
        var items: [IntrinioItem] = []
        var at = 1
        for _ in 0..<(message.first ?? 0) {
            guard at + 3 <= message.count else { return [] }
            let length = Int(message[at + 1])
            let symbolEnd = at + 3 + Int(message[at + 2])
            guard at + length <= message.count, symbolEnd + 19 <= at + length else { return [] }
            func number<Value: FixedWidthInteger>(_ place: Int) -> Value {
                (0..<Value.bitWidth / 8).reversed().reduce(0) {
                    $0 << 8 | Value(truncatingIfNeeded: message[place + $1])
                }
            }
            items.append(
                IntrinioItem(
                    type: message[at], symbol: String(decoding: message[at + 3..<symbolEnd], as: UTF8.self),
                    price: Float(bitPattern: number(symbolEnd + 3)), size: number(symbolEnd + 7),
                    nanoseconds: number(symbolEnd + 11), range: at..<at + length,
                    timeRange: symbolEnd + 11..<symbolEnd + 19))
            at += length
        }
        return at == message.count ? items : []
    }

    /// The bytes of an item.
    static func bytes(type: UInt8, symbol: String, price: Float, size: UInt32, nanoseconds: Int64) -> [UInt8] {
        func little(_ number: some FixedWidthInteger) -> [UInt8] {
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
        // IEX as the sub-provider and the market centre, no condition.
        var rest = [UInt8(truncatingIfNeeded: symbol.utf8.count)] + Array(symbol.utf8) + [6] + little(UInt16(0x56))
        rest += little(price.bitPattern) + little(size) + little(nanoseconds)
        if type == 0 { rest += little(UInt32(1_000_000)) }
        rest.append(0)
        return [type, UInt8(truncatingIfNeeded: rest.count + 2)] + rest
    }
}
