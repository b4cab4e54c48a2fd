import MarketModel
import StreamCore

/// Bitstamp's books: `diff_order_book` has the changes, the whole book is fetched. Nothing counts the changes: the whole book
/// has those up to its `microtimestamp`. Source: bitstamp.net, WebSocket API v2, "Live full order book"; HTTP API, "Order
/// book"; a recorded session.
extension BitstampAdapter: BookAdapter {
    var bookRules: BookRules? { BookRules(source: .request, numbering: .times) }
    var bookReader: any BookReader.Type { BitstampBookReader.self }

    func bookRequests(_ action: FeedAction, _ symbols: [String], number: Int, channel: UInt64?) -> [String] {
        symbols.map { symbol in
            let channel = FeedAnswerReader.quoted("diff_order_book_\(symbol)")
            return "{\"event\":\"bts:\(action.rawValue)\",\"data\":{\"channel\":\(channel)}}"
        }
    }

    func bookSnapshotRequest(_ symbol: String) -> String? {
        "/api/v2/order_book/\(percentEncoded(symbol.lowercased()))/?group=1"
    }
}

enum BitstampBookReader: BookReader {
    static func read(
        _ message: Bytes, _ kind: VenueMessageKind, on connection: Int, _ session: VenueSession,
        into batch: inout BookBatch
    ) throws(ParseError) {
        guard kind == .book else { return }
        var channel: JSONText?
        var data: JSONScanner?
        var scanner = VenueScanner(message)
        try scanner.eachMember { (key, scanner) throws(JSONError) in
            switch key {
            case "channel": channel = try scanner.json.string()
            case "data": data = try scanner.skip(.object) ?? data
            default: try scanner.json.skipValue()
            }
        }
        let name = try channel.required("channel")
        // `order_book` has the hundred best levels each time; other channels have orders.
        let isWhole = name.starts(whole)
        guard isWhole || name.starts(changes) else { return }
        scanner.json = try data.required("data")
        var book = BookBatch.Message(isWhole ? .snapshot : .update)
        book.symbol = VenueText(name, from: scanner.base).dropFirst((isWhole ? whole : changes).utf8CodeUnitCount)
        do throws(JSONError) {
            try scanner.members { (key, scanner) throws(JSONError) in
                try read(key, &scanner, &book, into: &batch)
            }
        } catch { throw .json(error) }
        _ = try book.numbers.required("microtimestamp")
        batch.append(book, changesFrom: 0)
    }

    private static let changes: StaticString = "diff_order_book_"
    private static let whole: StaticString = "order_book_"

    private static func read(
        _ key: JSONText, _ scanner: inout VenueScanner, _ book: inout BookBatch.Message, into batch: inout BookBatch
    ) throws(JSONError) {
        switch key {
        case "microtimestamp":
            let number = try scanner.unsigned().value
            book.numbers = BookNumbers(number)
            book.time = Double(number) / 1_000_000
        case "bids": try scanner.bookLevels(.bid, into: &batch)
        case "asks": try scanner.bookLevels(.ask, into: &batch)
        default: try scanner.json.skipValue()
        }
    }

    static func readSnapshot(_ body: Bytes, into batch: inout BookBatch) throws(ParseError) {
        var book = BookBatch.Message(.snapshot)
        var scanner = VenueScanner(body)
        try scanner.eachMember { (key, scanner) throws(JSONError) in try read(key, &scanner, &book, into: &batch) }
        _ = try book.numbers.required("microtimestamp")
        batch.append(book, changesFrom: 0)
    }
}
