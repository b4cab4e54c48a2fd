/// Why a book is not shown.
package enum BookFault: String, Sendable, CaseIterable {
    /// A change did not come.
    case gap
    /// The venue's checksum is another one.
    case checksum
    /// The best bid is at or above the best ask.
    case crossed
    /// A message could not be read, and may have been one of its changes.
    case unreadable
    /// The venue did not answer the request.
    case silent
    /// The whole book could not be fetched, or was older than the changes.
    case snapshot
    /// More changes came than are kept until the whole book is there.
    case overflow
    /// The connection is lost, or the market's trades are not wanted at the moment.
    case interrupted

    /// As the end of a sentence.
    package var words: String {
        switch self {
        case .gap: "a change is missing"
        case .checksum: "the venue's checksum is another one"
        case .crossed: "the best bid is not below the best ask"
        case .unreadable: "a message could not be read"
        case .silent: "the venue does not answer"
        case .snapshot: "the whole book could not be fetched"
        case .overflow: "too many changes came before the whole book"
        case .interrupted: "its changes do not come at the moment"
        }
    }
}

/// What happens to a market's book.
package enum FeedBookEvent: Sendable, Equatable {
    /// It is right, and changes with each message from now on.
    case live(symbol: String)
    /// It is not shown until it is `live` again.
    case withheld(symbol: String, BookFault)
    /// To be fetched from `path` and handed over with `FeedSession.bookFetched`.
    case fetch(number: Int, path: String)
}
