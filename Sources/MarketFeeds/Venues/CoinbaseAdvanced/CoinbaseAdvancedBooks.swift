import MarketModel
import StreamCore

/// Coinbase Advanced Trade's books: `level2`, whose messages call themselves `l2_data`. All messages of a connection are
/// numbered by one, whatever they are about. Source: docs.cdp.coinbase.com, Advanced Trade WebSocket, "Level2 channel", and a
/// recorded session.
extension CoinbaseAdvancedAdapter: BookAdapter {
    var bookRules: BookRules? { BookRules(numbersConnection: true) }
    var bookReader: any BookReader.Type { CoinbaseAdvancedBookReader.self }

    func bookRequests(_ action: FeedAction, _ symbols: [String], number: Int, channel: UInt64?) -> [String] {
        ["{\"type\":\"\(action.rawValue)\",\"product_ids\":[\(FeedAnswerReader.list(symbols))],\"channel\":\"level2\"}"]
    }
}

enum CoinbaseAdvancedBookReader: BookReader {
    static func read(
        _ message: Bytes, _ kind: VenueMessageKind, on connection: Int, _ session: VenueSession,
        into batch: inout BookBatch
    ) throws(ParseError) {
        if kind != .book, let number = numberByLayout(message) {
            batch.connectionNumber = number
            return
        }
        var channel: JSONText?
        var number: UInt64?
        var time: Double?
        var events: JSONScanner?
        var scanner = VenueScanner(message)
        try scanner.eachMember { (key, scanner) throws(JSONError) in
            switch key {
            case "channel": channel = try scanner.json.string()
            case "sequence_num": number = try scanner.unsigned().value
            case "timestamp": time = try scanner.time()
            case "events": events = try scanner.skip(.array) ?? events
            default: try scanner.json.skipValue()
            }
        }
        batch.connectionNumber = number
        guard channel?.equals("l2_data") == true else { return }
        try scanner.eachElement(of: try events.required("events")) { (scanner) throws(ParseError) in
            try event(&scanner, time, into: &batch)
        }
    }

    /// The number where the message begins as all of them do.
    private static func numberByLayout(_ message: Bytes) -> UInt64? {
        guard var reader = LayoutReader(message), reader.match("{\"channel\":\""), reader.skipString(),
            reader.match(",\"timestamp\":\""), reader.skipString(), reader.match(",\"sequence_num\":")
        else { return nil }
        return reader.unsigned()?.value
    }

    private static func event(
        _ scanner: inout VenueScanner, _ time: Double?, into batch: inout BookBatch
    ) throws(ParseError) {
        var type: JSONText?
        var symbol: VenueText?
        let start = batch.changes.count
        do throws(JSONError) {
            try scanner.json.beginObject()
            while let key = try scanner.json.nextKey() {
                switch key {
                case "type": type = try scanner.json.string()
                case "product_id": symbol = try scanner.text()
                case "updates":
                    try scanner.json.beginArray()
                    while try scanner.json.nextElement() { batch.changes.append(try change(&scanner)) }
                default: try scanner.json.skipValue()
                }
            }
        } catch { throw .json(error) }
        var book = BookBatch.Message(try type.required("type").equals("snapshot") ? .snapshot : .update)
        book.symbol = try symbol.required("product_id")
        book.time = time
        batch.append(book, changesFrom: start)
    }

    private static func change(_ scanner: inout VenueScanner) throws(JSONError) -> BookBatch.Change {
        let offset = scanner.json.offset
        var side: BookSide?
        var price: BookDecimal?
        var size: BookDecimal?
        try scanner.json.beginObject()
        while let key = try scanner.json.nextKey() {
            switch key {
            case "side": side = BookSide(try scanner.json.string())
            case "price_level": price = try scanner.bookDecimal()
            case "new_quantity": size = try scanner.bookDecimal()
            default: try scanner.json.skipValue()
            }
        }
        guard let side, let price, let size else { throw JSONError(.wrongType, at: offset) }
        return BookBatch.Change(side: side, price: price, size: size)
    }
}
