import MarketModel
import StreamCore

/// Bybit's books, spot: `orderbook.200`, the whole and then the changes, numbered by one in `u`; the number 1 begins anew. A
/// whole book may come at any time. The topic says how many levels there are. Source: bybit-exchange.github.io, v5, WebSocket
/// public channels: orderbook; recorded sessions of `orderbook.1`, which is whole each time.
extension BybitAdapter: BookAdapter {
    private static let depth = 200

    var bookRules: BookRules? { BookRules(numbering: .steps, depth: Self.depth) }
    var bookReader: any BookReader.Type { BybitBookReader.self }

    func bookRequests(_ action: FeedAction, _ symbols: [String], number: Int, channel: UInt64?) -> [String] {
        let topics = FeedAnswerReader.list(symbols.map { "orderbook.\(Self.depth).\($0)" })
        return ["{\"req_id\":\"\(number)\",\"op\":\"\(action.rawValue)\",\"args\":[\(topics)]}"]
    }
}

enum BybitBookReader: BookReader {
    static func read(
        _ message: Bytes, _ kind: VenueMessageKind, on connection: Int, _ session: VenueSession,
        into batch: inout BookBatch
    ) throws(ParseError) {
        guard kind == .book else { return }
        var type: JSONText?
        var book = BookBatch.Message(.update)
        var symbol: VenueText?
        var number: UInt64?
        var scanner = VenueScanner(message)
        try scanner.eachMember { (key, scanner) throws(JSONError) in
            switch key {
            case "topic": book.depth = depth(try scanner.json.string())
            case "type": type = try scanner.json.string()
            case "ts": book.time = try scanner.json.number() / 1000
            case "data":
                guard try scanner.isNext(.object) else { return }
                try scanner.members { (key, scanner) throws(JSONError) in
                    switch key {
                    case "s": symbol = try scanner.text()
                    case "u": number = try scanner.unsigned().value
                    case "b": try scanner.bookLevels(.bid, into: &batch)
                    case "a": try scanner.bookLevels(.ask, into: &batch)
                    default: try scanner.json.skipValue()
                    }
                }
            default: try scanner.json.skipValue()
            }
        }
        let last = try number.required("u")
        if try type.required("type").equals("snapshot") || last == 1 { book.kind = .snapshot }
        book.symbol = try symbol.required("s")
        book.numbers = BookNumbers(last)
        batch.append(book, changesFrom: 0)
    }

    /// `orderbook.200.BTCUSDT`
    private static func depth(_ topic: JSONText) -> Int? {
        let digits = topic.raw.dropFirst(prefix.utf8CodeUnitCount).prefix { $0 &- 0x30 < 10 }
        guard topic.starts(prefix), !digits.isEmpty, digits.count < 5 else { return nil }
        let depth = digits.reduce(0) { $0 * 10 + Int($1 & 15) }
        return depth > 0 ? depth : nil
    }

    private static let prefix: StaticString = "orderbook."
}
