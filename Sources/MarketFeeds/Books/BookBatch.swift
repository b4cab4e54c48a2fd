import MarketModel
import StreamCore

/// What one message says of order books. One batch serves all messages, so that none costs an allocation.
struct BookBatch: Sendable {
    struct Change: Sendable {
        var side: BookSide
        var price: BookDecimal
        /// Zero: nothing is left at this price.
        var size: BookDecimal
        /// The order that it is about, where a book comes order by order.
        var order: UInt64 = 0
    }

    enum Kind: Sendable {
        /// The whole book.
        case snapshot
        case update
        /// The best price of each side that is named.
        case best
        /// No change; only how many levels there are.
        case depth
    }

    struct Message: Sendable {
        var kind: Kind
        var symbol = VenueText.none
        /// The market's number, where the message does not name it.
        var market = -1
        /// Its part of `changes`.
        var changes = 0..<0
        /// The changes are of single orders.
        var isByOrder = false
        var numbers: BookNumbers?
        var checksum: UInt32?
        /// Levels of each side that the venue tells of.
        var depth: Int?
        /// Seconds since 1970 UTC, by the venue.
        var time: Double?

        init(_ kind: Kind) { self.kind = kind }
    }

    var messages: [Message] = []
    var changes: [Change] = []
    /// The number of the message on its connection, where the venue counts them.
    var connectionNumber: UInt64?

    mutating func clear() {
        messages.removeAll(keepingCapacity: true)
        changes.removeAll(keepingCapacity: true)
        connectionNumber = nil
    }

    /// Adds a message whose changes were added from `start` on.
    mutating func append(_ message: Message, changesFrom start: Int) {
        messages.append(message)
        messages[messages.count - 1].changes = start..<changes.count
    }

    /// Adds a message of another batch, with its changes.
    mutating func append(_ message: Message, of batch: BookBatch) {
        let start = changes.count
        for index in message.changes { changes.append(batch.changes[index]) }
        append(message, changesFrom: start)
    }
}

extension VenueScanner {
    /// A price or a size, with or without quotes, to its last digit.
    @inline(__always)
    mutating func bookDecimal() throws(JSONError) -> BookDecimal {
        let offset = json.offset
        let raw: Bytes
        if try json.kind() == .string { raw = try json.string().raw } else { raw = try json.rawValue() }
        guard let number = BookDecimal(raw) else { throw JSONError(.invalidNumber, at: offset) }
        return number
    }

    /// `[["64525.3","0.75"],..]`; what stands behind price and size is skipped.
    mutating func bookLevels(_ side: BookSide, into batch: inout BookBatch) throws(JSONError) {
        try json.beginArray()
        while try json.nextElement() {
            try json.beginArray()
            try element()
            let price = try bookDecimal()
            try element()
            let size = try bookDecimal()
            while try json.nextElement() { try json.skipValue() }
            batch.changes.append(BookBatch.Change(side: side, price: price, size: size))
        }
    }
}
