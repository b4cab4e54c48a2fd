import MarketModel
import StreamCore

/// A feed whose venue has order books: how they are requested, read and kept right. Each venue's is in its own folder.
protocol BookAdapter: FeedAdapter {
    /// `nil` where this feed of the venue has no books.
    var bookRules: BookRules? { get }
    var bookReader: any BookReader.Type { get }
    /// Requests the books of these symbols, or ends them; empty where nothing needs to be sent.
    /// - Parameters:
    ///   - number: of this request on its connection.
    ///   - channel: the number that the venue gave to the one symbol's book, where it numbers channels.
    func bookRequests(_ action: FeedAction, _ symbols: [String], number: Int, channel: UInt64?) -> [String]
    /// Path and query of a whole book at the address of `history`; `nil` where the stream begins with it.
    func bookSnapshotRequest(_ symbol: String) -> String?
}

extension BookAdapter {
    func bookSnapshotRequest(_ symbol: String) -> String? { nil }
}

/// Reads what a venue says of its books. A type and not a closure, as `VenueReader` is.
protocol BookReader: SendableMetatype {
    /// Reads one message, whatever it is about: most say nothing of books.
    /// - Parameters:
    ///   - kind: what the venue's reader of trades made of it.
    ///   - session: knows the numbers of channels.
    static func read(
        _ message: Bytes, _ kind: VenueMessageKind, on connection: Int, _ session: VenueSession,
        into batch: inout BookBatch
    ) throws(ParseError)
    /// Reads a whole book that was fetched.
    static func readSnapshot(_ body: Bytes, into batch: inout BookBatch) throws(ParseError)
}

extension BookReader {
    static func readSnapshot(_ body: Bytes, into batch: inout BookBatch) throws(ParseError) { throw .badValue }
}

/// How a venue's books are kept right.
struct BookRules: Sendable {
    enum Source: Sendable {
        /// The stream begins with the whole book.
        case stream
        /// The stream has changes only; the whole book is fetched once they come.
        case request
        /// Each message has the best price of a side or of both, and nothing else.
        case best
    }

    var source = Source.stream
    var numbering = BookNumbering.none
    /// The messages of a connection are numbered, whatever they are about: a missing one may have been of any book.
    var numbersConnection = false
    var checksum: BookChecksum?
    /// Levels of each side that the venue tells of; `nil`: all. What a message or an answer says of it counts more.
    var depth: Int?
    /// It comes with the trades: there is no request for it, but the trades' own.
    var comesWithTrades = false

    /// Whether a change that did not come is noticed, before it makes bids and asks cross.
    var detectsLosses: Bool {
        if numbersConnection || checksum != nil { return true }
        switch numbering {
        case .none, .times: return false
        case .spans, .links, .steps: return true
        }
    }
}
