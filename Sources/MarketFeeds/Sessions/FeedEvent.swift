package import StreamCore

/// What happens to a venue's connection, besides the trades.
package enum FeedEvent: Sendable, Equatable {
    case state(SessionState)
    /// The symbol's trades come from now on.
    case live(symbol: String)
    /// They come no more until they are `live` again: what happens meanwhile is not seen.
    case interrupted(symbol: String)
    /// The venue refuses the symbol's trades.
    case refused(symbol: String, reason: String)
    /// The venue does not answer; the request is repeated each minute.
    case unanswered(symbol: String)
    /// `count` numbered trades were not delivered.
    case missed(symbol: String, count: Int)
    /// The venue says that it does not work; `nil`: it works again.
    case unavailable(String?)
    case problem(SessionProblem)
    case book(FeedBookEvent)
}
