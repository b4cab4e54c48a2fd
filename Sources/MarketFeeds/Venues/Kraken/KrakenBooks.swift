import MarketModel
import StreamCore

/// Kraken's books, version 2: `book`, the whole and then the changes, each with a checksum over the ten best levels of both
/// sides. What falls out of the requested depth is not said. Source: docs.kraken.com, WebSocket v2: book; guides: book
/// checksum v2; a recorded session.
extension KrakenAdapter: BookAdapter {
    static let bookChecksum = BookChecksum(levels: 10, .digits)
    /// Of 10, 25, 100, 500 and 1000.
    static let bookDepth = 1000

    var bookRules: BookRules? { BookRules(checksum: Self.bookChecksum, depth: Self.bookDepth) }
    var bookReader: any BookReader.Type { KrakenBookReader.self }

    func bookRequests(_ action: FeedAction, _ symbols: [String], number: Int, channel: UInt64?) -> [String] {
        [
            "{\"method\":\"\(action.rawValue)\",\"params\":{\"channel\":\"book\","
                + "\"symbol\":[\(FeedAnswerReader.list(symbols))],\"depth\":\(Self.bookDepth)},\"req_id\":\(number)}"
        ]
    }
}

enum KrakenBookReader: BookReader {
    static func read(
        _ message: Bytes, _ kind: VenueMessageKind, on connection: Int, _ session: VenueSession,
        into batch: inout BookBatch
    ) throws(ParseError) {
        switch kind {
        case .book: try readBook(message, into: &batch)
        case .acknowledgement: try readAnswer(message, into: &batch)
        case .trades, .candles, .quotes, .heartbeat, .refusal, .status, .other, .malformed: return
        }
    }

    private static func readBook(_ message: Bytes, into batch: inout BookBatch) throws(ParseError) {
        var channel: JSONText?
        var type: JSONText?
        var data: JSONScanner?
        var scanner = VenueScanner(message)
        try scanner.eachMember { (key, scanner) throws(JSONError) in
            switch key {
            case "channel": channel = try scanner.json.string()
            case "type": type = try scanner.json.string()
            case "data": data = try scanner.skip(.array) ?? data
            default: try scanner.json.skipValue()
            }
        }
        // `level3` has orders.
        guard channel?.equals("book") == true else { return }
        let isSnapshot = try type.required("type").equals("snapshot")
        try scanner.eachElement(of: try data.required("data")) { (scanner) throws(ParseError) in
            let start = batch.changes.count
            var book = BookBatch.Message(isSnapshot ? .snapshot : .update)
            var symbol: VenueText?
            do throws(JSONError) {
                try scanner.json.beginObject()
                while let key = try scanner.json.nextKey() {
                    switch key {
                    case "symbol": symbol = try scanner.text()
                    case "bids": try levels(&scanner, .bid, into: &batch)
                    case "asks": try levels(&scanner, .ask, into: &batch)
                    case "checksum": book.checksum = UInt32(exactly: try scanner.unsigned().value)
                    case "timestamp": book.time = try scanner.time()
                    default: try scanner.json.skipValue()
                    }
                }
            } catch { throw .json(error) }
            book.symbol = try symbol.required("symbol")
            batch.append(book, changesFrom: start)
        }
    }

    /// `[{"price":64525.3,"qty":0.00000000},..]`
    private static func levels(
        _ scanner: inout VenueScanner, _ side: BookSide, into batch: inout BookBatch
    ) throws(JSONError) {
        try scanner.json.beginArray()
        while try scanner.json.nextElement() {
            let offset = scanner.json.offset
            var price: BookDecimal?
            var size: BookDecimal?
            try scanner.json.beginObject()
            while let key = try scanner.json.nextKey() {
                switch key {
                case "price": price = try scanner.bookDecimal()
                case "qty": size = try scanner.bookDecimal()
                default: try scanner.json.skipValue()
                }
            }
            guard let price, let size else { throw JSONError(.wrongType, at: offset) }
            batch.changes.append(BookBatch.Change(side: side, price: price, size: size))
        }
    }

    /// `{"method":"subscribe","result":{"channel":"book","depth":10,"snapshot":true,"symbol":"BTC/USD"},..}`
    private static func readAnswer(_ message: Bytes, into batch: inout BookBatch) throws(ParseError) {
        var isBook = false
        var symbol: VenueText?
        var depth: UInt64?
        var scanner = VenueScanner(message)
        try scanner.eachMember { (key, scanner) throws(JSONError) in
            guard key.equals("result") else { return try scanner.json.skipValue() }
            guard try scanner.isNext(.object) else { return }
            try scanner.members { (key, scanner) throws(JSONError) in
                switch key {
                case "channel": isBook = try scanner.json.string().equals("book")
                case "symbol": symbol = try scanner.text()
                case "depth": depth = try scanner.unsigned().value
                default: try scanner.json.skipValue()
                }
            }
        }
        guard isBook, let symbol, let depth, depth > 0, depth <= 1 << 20 else { return }
        var answer = BookBatch.Message(.depth)
        answer.symbol = symbol
        answer.depth = Int(depth)
        batch.append(answer, changesFrom: batch.changes.count)
    }
}
