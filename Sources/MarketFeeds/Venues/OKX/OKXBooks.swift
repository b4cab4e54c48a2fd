import MarketModel
import StreamCore

/// OKX's books: `books`, 400 levels, the whole and then the changes, each of which names the one before it. The checksum over
/// 25 levels is 0 where the venue does not send it, which since 2026 is everywhere. Source: okx.com/docs-v5, "Order book
/// channel"; no recorded session was found.
extension OKXAdapter: BookAdapter {
    /// At the public address only.
    var bookRules: BookRules? {
        guard channel == Self.trades.channel else { return nil }
        return BookRules(
            numbering: .links, checksum: BookChecksum(levels: 25, .alternating(hasNegativeAsks: false)), depth: 400)
    }
    var bookReader: any BookReader.Type { OKXBookReader.self }

    func bookRequests(_ action: FeedAction, _ symbols: [String], number: Int, channel: UInt64?) -> [String] {
        request(action, extra: "books", symbols, number: number).map { [$0] } ?? []
    }
}

enum OKXBookReader: BookReader {
    static func read(
        _ message: Bytes, _ kind: VenueMessageKind, on connection: Int, _ session: VenueSession,
        into batch: inout BookBatch
    ) throws(ParseError) {
        guard kind == .book else { return }
        var action: JSONText?
        var channel: JSONText?
        var symbol: VenueText?
        var data: JSONScanner?
        var scanner = VenueScanner(message)
        try scanner.eachMember { (key, scanner) throws(JSONError) in
            switch key {
            case "action": action = try scanner.json.string()
            case "data": data = try scanner.skip(.array) ?? data
            case "arg":
                guard try scanner.isNext(.object) else { return }
                try scanner.members { (key, scanner) throws(JSONError) in
                    switch key {
                    case "channel": channel = try scanner.json.string()
                    case "instId": symbol = try scanner.text()
                    default: try scanner.json.skipValue()
                    }
                }
            default: try scanner.json.skipValue()
            }
        }
        // `books5` and `bbo-tbt` are whole each time.
        let isWhole = try channel.required("channel").equals("books5") || channel?.equals("bbo-tbt") == true
        let isSnapshot = isWhole || action?.equals("snapshot") == true
        let name = try symbol.required("instId")
        try scanner.eachElement(of: try data.required("data")) { (scanner) throws(ParseError) in
            let start = batch.changes.count
            var book = BookBatch.Message(isSnapshot ? .snapshot : .update)
            book.symbol = name
            do throws(JSONError) { try read(&scanner, &book, into: &batch) } catch { throw .json(error) }
            _ = try book.numbers.required("seqId")
            batch.append(book, changesFrom: start)
        }
    }

    private static func read(
        _ scanner: inout VenueScanner, _ book: inout BookBatch.Message, into batch: inout BookBatch
    ) throws(JSONError) {
        var number: UInt64?
        var previous: UInt64?
        try scanner.json.beginObject()
        while let key = try scanner.json.nextKey() {
            switch key {
            case "bids": try scanner.bookLevels(.bid, into: &batch)
            case "asks": try scanner.bookLevels(.ask, into: &batch)
            case "ts": book.time = try scanner.json.decimalString() / 1000
            // A signed number; 0: not sent.
            case "checksum":
                let sum = try scanner.json.integer64()
                book.checksum = sum == 0 ? nil : Int32(exactly: sum).map { UInt32(bitPattern: $0) }
            case "seqId": number = UInt64(exactly: try scanner.json.integer64())
            // -1 of a whole book.
            case "prevSeqId": previous = UInt64(exactly: try scanner.json.integer64())
            default: try scanner.json.skipValue()
            }
        }
        if let number { book.numbers = BookNumbers(number, previous: previous) }
    }
}
