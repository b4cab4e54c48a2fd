import MarketModel
import StreamCore

/// Intrinio's best prices with their sizes, which come with the trades, a side at a time: books of one level. For a moment
/// the sides may be of different times, and cross. Source: readmes of the realtime SDKs.
extension IntrinioAdapter: BookAdapter {
    var bookRules: BookRules? { BookRules(source: .best, comesWithTrades: true) }
    var bookReader: any BookReader.Type { IntrinioBookReader.self }

    func bookRequests(_ action: FeedAction, _ symbols: [String], number: Int, channel: UInt64?) -> [String] { [] }
}

extension IntrinioEquitiesAdapter: BookAdapter {
    var bookRules: BookRules? { BookRules(source: .best, comesWithTrades: true) }
    var bookReader: any BookReader.Type { IntrinioEquitiesBookReader.self }

    func bookRequests(_ action: FeedAction, _ symbols: [String], number: Int, channel: UInt64?) -> [String] { [] }
}

/// `{"topic":..,"event":"quote","payload":{"type":"ask","timestamp":1493409509.39,"ticker":"GE","size":13750,"price":28.97}}`;
/// pairs of currencies have both prices and no sizes, and so no book.
enum IntrinioBookReader: BookReader {
    static func read(
        _ message: Bytes, _ kind: VenueMessageKind, on connection: Int, _ session: VenueSession,
        into batch: inout BookBatch
    ) throws(ParseError) {
        guard kind == .quotes else { return }
        var side: BookSide?
        var symbol: VenueText?
        var price: BookDecimal?
        var size: BookDecimal?
        var book = BookBatch.Message(.best)
        var scanner = VenueScanner(message)
        try scanner.eachMember { (key, scanner) throws(JSONError) in
            guard key.equals("payload") else { return try scanner.json.skipValue() }
            guard try scanner.isNext(.object) else { return }
            try scanner.members { (key, scanner) throws(JSONError) in
                if try scanner.json.skipNull() { return }
                switch key {
                case "type": side = BookSide(try scanner.json.string())
                case "ticker": symbol = try scanner.text()
                case "price": price = try scanner.bookDecimal()
                case "size": size = try scanner.bookDecimal()
                case "timestamp": book.time = try scanner.json.decimalString()
                default: try scanner.json.skipValue()
                }
            }
        }
        guard let side, let symbol, let price, let size else { return }
        book.symbol = symbol
        // A price of zero: there is none on this side.
        let offered = price.isZero ? .zero : size
        batch.changes.append(BookBatch.Change(side: side, price: price, size: offered))
        batch.append(book, changesFrom: 0)
    }
}

/// The quotes among a binary message's items; the reader of the trades has checked its lengths.
enum IntrinioEquitiesBookReader: BookReader {
    static func read(
        _ message: Bytes, _ kind: VenueMessageKind, on connection: Int, _ session: VenueSession,
        into batch: inout BookBatch
    ) throws(ParseError) {
        guard kind == .quotes || kind == .trades else { return }
        try IntrinioEquitiesParser.eachQuote(message) { symbol, side, price, size, time in
            let (value, decimals) = IntrinioPrice.shortest(price)
            let units = (value * Double(BookDecimal.powerOfTen(decimals))).rounded()
            guard let units = Int64(exactly: units) else { return }
            let start = batch.changes.count
            let number = BookDecimal(units: units, decimals: decimals)
            let offered = number.isZero ? BookDecimal.zero : BookDecimal(units: Int64(size), decimals: 0)
            batch.changes.append(BookBatch.Change(side: side, price: number, size: offered))
            var book = BookBatch.Message(.best)
            book.symbol = symbol
            book.time = time
            batch.append(book, changesFrom: start)
        }
    }
}
