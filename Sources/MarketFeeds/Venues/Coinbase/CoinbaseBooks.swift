import MarketModel
import StreamCore

/// Coinbase Exchange's books: `level2_batch`, the whole book and then the changes of 50 ms each, in the messages of `level2`,
/// which needs an account. Changes have no numbers. Source: Coinbase Developer docs, Exchange, WebSocket feed, "Level2
/// channel", and a recorded session.
extension CoinbaseAdapter: BookAdapter {
    var bookRules: BookRules? { BookRules() }
    var bookReader: any BookReader.Type { CoinbaseBookReader.self }

    func bookRequests(_ action: FeedAction, _ symbols: [String], number: Int, channel: UInt64?) -> [String] {
        [
            "{\"type\":\"\(action.rawValue)\",\"product_ids\":[\(FeedAnswerReader.list(symbols))],"
                + "\"channels\":[\"level2_batch\"]}"
        ]
    }
}

enum CoinbaseBookReader: BookReader {
    static func read(
        _ message: Bytes, _ kind: VenueMessageKind, on connection: Int, _ session: VenueSession,
        into batch: inout BookBatch
    ) throws(ParseError) {
        guard kind == .book else { return }
        var type: JSONText?
        var symbol: VenueText?
        var time: Double?
        var scanner = VenueScanner(message)
        try scanner.eachMember { (key, scanner) throws(JSONError) in
            switch key {
            case "type": type = try scanner.json.string()
            case "product_id": symbol = try scanner.text()
            case "time": time = try scanner.time()
            case "bids": try scanner.bookLevels(.bid, into: &batch)
            case "asks": try scanner.bookLevels(.ask, into: &batch)
            case "changes": try Self.changes(&scanner, into: &batch)
            default: try scanner.json.skipValue()
            }
        }
        // `full` has orders under other names.
        let isSnapshot = type?.equals("snapshot") == true
        guard isSnapshot || type?.equals("l2update") == true else { return batch.clear() }
        var book = BookBatch.Message(isSnapshot ? .snapshot : .update)
        book.symbol = try symbol.required("product_id")
        book.time = time
        batch.append(book, changesFrom: 0)
    }

    /// `[["sell","0.5762","335.0"],..]`, as Gemini has it, too.
    static func changes(_ scanner: inout VenueScanner, into batch: inout BookBatch) throws(JSONError) {
        try scanner.json.beginArray()
        while try scanner.json.nextElement() {
            try scanner.json.beginArray()
            try scanner.element()
            let offset = scanner.json.offset
            guard let side = BookSide(try scanner.json.string()) else { throw JSONError(.wrongType, at: offset) }
            try scanner.element()
            let price = try scanner.bookDecimal()
            try scanner.element()
            let size = try scanner.bookDecimal()
            while try scanner.json.nextElement() { try scanner.json.skipValue() }
            batch.changes.append(BookBatch.Change(side: side, price: price, size: size))
        }
    }
}

extension BookSide {
    /// `buy`, `bid`, `sell`, `ask`, `offer`; `nil` for anything else.
    init?(_ text: JSONText) {
        switch text {
        case "buy", "bid": self = .bid
        case "sell", "ask", "offer": self = .ask
        default: return nil
        }
    }
}
