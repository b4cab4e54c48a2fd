import MarketModel
import StreamCore

/// Gemini's books come with the trades, in `l2_updates`: the first one of a subscription has the whole book and the last
/// trades, later ones have changes. Nothing counts them, and equal ones each mean something. Source: docs.gemini.com, Market
/// Data v2, "Level 2 data", and a recorded session.
extension GeminiAdapter: BookAdapter {
    var bookRules: BookRules? { BookRules(comesWithTrades: true) }
    var bookReader: any BookReader.Type { GeminiBookReader.self }

    func bookRequests(_ action: FeedAction, _ symbols: [String], number: Int, channel: UInt64?) -> [String] {
        request(action, symbols, number: number).map { [$0] } ?? []
    }
}

enum GeminiBookReader: BookReader {
    static func read(
        _ message: Bytes, _ kind: VenueMessageKind, on connection: Int, _ session: VenueSession,
        into batch: inout BookBatch
    ) throws(ParseError) {
        guard kind == .book || kind == .trades else { return }
        var type: JSONText?
        var symbol: VenueText?
        var isFirst = false
        var scanner = VenueScanner(message)
        try scanner.eachMember { (key, scanner) throws(JSONError) in
            switch key {
            case "type": type = try scanner.json.string()
            case "symbol": symbol = try scanner.text()
            case "trades":
                isFirst = true
                try scanner.json.skipValue()
            case "changes": try CoinbaseBookReader.changes(&scanner, into: &batch)
            default: try scanner.json.skipValue()
            }
        }
        guard type?.equals("l2_updates") == true else { return batch.clear() }
        var book = BookBatch.Message(isFirst ? .snapshot : .update)
        book.symbol = try symbol.required("symbol")
        batch.append(book, changesFrom: 0)
    }
}
