import MarketModel
import StreamCore

/// Bitfinex's books: `book` with precision `P0`, which has all five digits that its prices have, and 250 levels. A row is
/// `[price, orders, amount]`, the amount negative where it is offered; no orders: the level is gone. With precision `R0` a row
/// is `[order, price, amount]`; a price of zero: the order is gone. `conf` requests checksums, which come as messages of their
/// own behind the changes: `[channel, "cs", -1175357890]`. Source: docs.bitfinex.com, WebSocket public channels: books, raw
/// books; "WebSocket Checksum"; a recorded session without checksums.
extension BitfinexAdapter: BookAdapter {
    private static let checksumFlag = 131_072

    var bookRules: BookRules? {
        BookRules(checksum: BookChecksum(levels: 25, .alternating(hasNegativeAsks: true)))
    }
    var bookReader: any BookReader.Type { BitfinexBookReader.self }

    func bookRequests(_ action: FeedAction, _ symbols: [String], number: Int, channel: UInt64?) -> [String] {
        guard action == .subscribe else {
            return channel.map { ["{\"event\":\"unsubscribe\",\"chanId\":\($0)}"] } ?? []
        }
        let symbol = FeedAnswerReader.quoted(symbols.first ?? "")
        return [
            "{\"event\":\"conf\",\"flags\":\(Self.checksumFlag)}",
            "{\"event\":\"subscribe\",\"channel\":\"book\",\"symbol\":\(symbol),"
                + "\"prec\":\"P0\",\"freq\":\"F0\",\"len\":\"250\"}",
        ]
    }
}

enum BitfinexBookReader: BookReader {
    static func read(
        _ message: Bytes, _ kind: VenueMessageKind, on connection: Int, _ session: VenueSession,
        into batch: inout BookBatch
    ) throws(ParseError) {
        guard kind == .book else { return }
        var book = BookBatch.Message(.update)
        var scanner = VenueScanner(message)
        do throws(JSONError) {
            try scanner.json.beginArray()
            try scanner.element()
            guard let channel = session.channels.channels(of: connection)?[try scanner.unsigned().value],
                channel.isBook, channel.slot >= 0
            else { return }
            book.market = session.symbols.find(session.ledger.names[channel.slot]) ?? -1
            book.isByOrder = channel.kind == .orders
            try scanner.element()
            if try scanner.json.kind() == .string {
                guard try scanner.json.string().equals("cs") else { return }
                try scanner.element()
                book.checksum = Int32(exactly: try scanner.json.integer64()).map { UInt32(bitPattern: $0) }
            } else {
                try rows(&scanner, of: &book, into: &batch)
            }
        } catch { throw .json(error) }
        batch.append(book, changesFrom: 0)
    }

    /// One row, or an array of them: the whole book.
    private static func rows(
        _ scanner: inout VenueScanner, of book: inout BookBatch.Message, into batch: inout BookBatch
    ) throws(JSONError) {
        let start = scanner.json
        try scanner.json.beginArray()
        guard try scanner.json.nextElement(), try scanner.json.kind() != .array else {
            scanner.json = start
            book.kind = .snapshot
            try scanner.json.beginArray()
            while try scanner.json.nextElement() {
                try scanner.json.beginArray()
                try scanner.element()
                batch.changes.append(try row(&scanner, isOrder: book.isByOrder))
            }
            return
        }
        batch.changes.append(try row(&scanner, isOrder: book.isByOrder))
    }

    /// The inside of a row, from its first element on.
    private static func row(_ scanner: inout VenueScanner, isOrder: Bool) throws(JSONError) -> BookBatch.Change {
        var order: UInt64 = 0
        let price: BookDecimal
        let isGone: Bool
        if isOrder {
            order = try scanner.unsigned().value
            try scanner.element()
            price = try scanner.bookDecimal()
            isGone = price.isZero
        } else {
            price = try scanner.bookDecimal()
            try scanner.element()
            isGone = try scanner.json.integer64() == 0
        }
        try scanner.element()
        let amount = try scanner.bookDecimal()
        while try scanner.json.nextElement() { try scanner.json.skipValue() }
        return BookBatch.Change(
            side: amount.isNegative ? .ask : .bid, price: price, size: isGone ? .zero : amount.magnitude, order: order)
    }
}
