/// Intrinio's current equities stream: binary joins and leaves, no answers, frames with the items of what was joined.
struct IntrinioEquitiesRules: VenueRules {
    static let facts = VenueFacts(paths: ["/socket/websocket"])
    static let isBinary = true
    private static let firehose = "$FIREHOSE"

    private let market: VenueMarket
    /// Those of which quotes are wanted too, and those of which only trades are.
    private var joined: [String: Bool] = [:]

    init(_ market: VenueMarket, connection: Int) {
        self.market = market
    }

    static func refusal(of target: String) -> Int? { IntrinioDesk.refusal(of: target) }
    static func answer(_ request: VenueRequest) -> VenueResponse? { IntrinioDesk.answer(request) }

    // MARK: The recording

    static func sort(_ message: [UInt8]) -> RecordedPart {
        let symbols = Set(IntrinioItem.all(in: message).map(\.symbol))
        return symbols.isEmpty ? .own : .data(symbols.sorted().map { VenueTopic("equities", $0) })
    }

    static func trades(in message: [UInt8], _ part: RecordedPart) -> [RecordedTrade] {
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

    /// Of a frame's items those that this connection asked for.
    mutating func frame(_ message: [UInt8]) -> [UInt8] {
        let wanted = IntrinioItem.all(in: message).filter { item in
            guard let withQuotes = joined[item.symbol] else { return false }
            return withQuotes || item.type == 0
        }
        return [UInt8(truncatingIfNeeded: wanted.count)] + wanted.flatMap { message[$0.range] }
    }

    // MARK: Requests

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
