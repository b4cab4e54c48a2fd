import MarketModel
import StreamCore

/// Binance's books: `depth@100ms` has the changes, the whole book is fetched. Source: binance-spot-api-docs,
/// web-socket-streams.md, "How to manage a local order book correctly"; the same of the futures, whose changes name the one
/// before them in `pu`.
extension BinanceAdapter: BookAdapter {
    var bookRules: BookRules? { BookRules(source: .request, numbering: .spans) }
    var bookReader: any BookReader.Type { BinanceBookReader.self }

    func bookRequests(_ action: FeedAction, _ symbols: [String], number: Int, channel: UInt64?) -> [String] {
        let streams = FeedAnswerReader.list(symbols.map { "\($0.lowercased())@depth@100ms" })
        return ["{\"method\":\"\(action.rawValue.uppercased())\",\"params\":[\(streams)],\"id\":\(number)}"]
    }

    /// A thousand levels weigh 50 of the 6,000 a minute, five thousand 250.
    func bookSnapshotRequest(_ symbol: String) -> String? {
        "/api/v3/depth?symbol=\(percentEncoded(symbol.uppercased()))&limit=1000"
    }
}

enum BinanceBookReader: BookReader {
    private struct Fields {
        var symbol: VenueText?
        var first: UInt64?
        var last: UInt64?
        var previous: UInt64?
        var time: Double?
    }

    static func read(
        _ message: Bytes, _ kind: VenueMessageKind, on connection: Int, _ session: VenueSession,
        into batch: inout BookBatch
    ) throws(ParseError) {
        guard kind == .book else { return }
        var fields = Fields()
        var scanner = VenueScanner(message)
        do throws(JSONError) {
            try read(&scanner, &fields, isInner: false, into: &batch)
            try scanner.json.end()
        } catch { throw .json(error) }
        var update = BookBatch.Message(.update)
        update.symbol = try fields.symbol.required("s")
        update.numbers = BookNumbers(
            first: try fields.first.required("U"), last: try fields.last.required("u"), previous: fields.previous)
        update.time = fields.time
        batch.append(update, changesFrom: 0)
    }

    private static func read(
        _ scanner: inout VenueScanner, _ fields: inout Fields, isInner: Bool, into batch: inout BookBatch
    ) throws(JSONError) {
        try scanner.json.beginObject()
        while let key = try scanner.json.nextKey() {
            switch key {
            case "data":
                if isInner {
                    try scanner.json.skipValue()
                } else {
                    try read(&scanner, &fields, isInner: true, into: &batch)
                }
            case "s": fields.symbol = try scanner.text()
            case "U": fields.first = try scanner.unsigned().value
            case "u": fields.last = try scanner.unsigned().value
            case "pu": fields.previous = try scanner.unsigned().value
            case "E": fields.time = try scanner.json.number() / 1000
            case "b": try scanner.bookLevels(.bid, into: &batch)
            case "a": try scanner.bookLevels(.ask, into: &batch)
            default: try scanner.json.skipValue()
            }
        }
    }

    static func readSnapshot(_ body: Bytes, into batch: inout BookBatch) throws(ParseError) {
        var number: UInt64?
        var scanner = VenueScanner(body)
        try scanner.eachMember { (key, scanner) throws(JSONError) in
            switch key {
            case "lastUpdateId": number = try scanner.unsigned().value
            case "bids": try scanner.bookLevels(.bid, into: &batch)
            case "asks": try scanner.bookLevels(.ask, into: &batch)
            default: try scanner.json.skipValue()
            }
        }
        var snapshot = BookBatch.Message(.snapshot)
        snapshot.numbers = BookNumbers(try number.required("lastUpdateId"))
        batch.append(snapshot, changesFrom: 0)
    }
}
