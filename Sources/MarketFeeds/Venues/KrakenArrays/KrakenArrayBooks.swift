import MarketModel
import StreamCore

/// Kraken's books, version 1: `[channel, {"as":[..],"bs":[..]}, "book-1000", "XBT/USD"]` is the whole, `a` and `b` are changes,
/// in one object or in two; the last one has the checksum `c`, which is that of version 2. A fourth text `r` says that a level
/// was published again because it came back into the depth. Source: docs.kraken.com, WebSocket v1: book; guides: book checksum
/// v1; a recorded session.
extension KrakenArrayAdapter: BookAdapter {
    var bookRules: BookRules? { BookRules(checksum: KrakenAdapter.bookChecksum, depth: KrakenAdapter.bookDepth) }
    var bookReader: any BookReader.Type { KrakenArrayBookReader.self }

    func bookRequests(_ action: FeedAction, _ symbols: [String], number: Int, channel: UInt64?) -> [String] {
        [
            "{\"event\":\"\(action.rawValue)\",\"reqid\":\(number),\"pair\":[\(FeedAnswerReader.list(symbols))],"
                + "\"subscription\":{\"name\":\"book\",\"depth\":\(KrakenAdapter.bookDepth)}}"
        ]
    }
}

enum KrakenArrayBookReader: BookReader {
    static func read(
        _ message: Bytes, _ kind: VenueMessageKind, on connection: Int, _ session: VenueSession,
        into batch: inout BookBatch
    ) throws(ParseError) {
        guard kind == .book else { return }
        var book = BookBatch.Message(.update)
        var scanner = VenueScanner(message)
        var texts: (name: JSONText?, pair: JSONText?)
        do throws(JSONError) {
            try scanner.json.beginArray()
            while try scanner.json.nextElement() {
                switch try scanner.json.kind() {
                case .object: try changes(&scanner, of: &book, into: &batch)
                // The names of the channel and of the pair stand behind the data.
                case .string: texts = (texts.pair, try scanner.json.string())
                default: try scanner.json.skipValue()
                }
            }
            try scanner.json.end()
        } catch { throw .json(error) }
        let (name, pair) = (try texts.name.required("name"), try texts.pair.required("pair"))
        book.symbol = VenueText(pair, from: scanner.base)
        if name.starts(prefix) {
            let digits = UnsafeRawBufferPointer(rebasing: name.raw.dropFirst(prefix.utf8CodeUnitCount))
            book.depth = VenueScanner.unsigned(digits).flatMap { 1...(1 << 20) ~= $0 ? Int($0) : nil }
        }
        batch.append(book, changesFrom: 0)
    }

    private static let prefix: StaticString = "book-"

    private static func changes(
        _ scanner: inout VenueScanner, of book: inout BookBatch.Message, into batch: inout BookBatch
    ) throws(JSONError) {
        try scanner.json.beginObject()
        while let key = try scanner.json.nextKey() {
            switch key {
            case "as", "bs":
                book.kind = .snapshot
                try scanner.bookLevels(key.equals("bs") ? .bid : .ask, into: &batch)
            case "a": try scanner.bookLevels(.ask, into: &batch)
            case "b": try scanner.bookLevels(.bid, into: &batch)
            case "c": book.checksum = UInt32(exactly: try scanner.unsigned().value)
            default: try scanner.json.skipValue()
            }
        }
    }
}
