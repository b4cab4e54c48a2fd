public import MarketModel
package import StreamCore

/// A trade as a `FeedClient` delivers it.
public struct FeedTrade: Sendable, Equatable {
    /// As the venue names it.
    public var symbol: String
    /// Seconds since 1970 UTC, price, quantity of the base currency (shares of a stock).
    public var tick: Tick
    /// Whether the taker bought or sold, where the venue says so.
    public var side: VenueTrade.Side

    public init(symbol: String, tick: Tick, side: VenueTrade.Side) {
        self.symbol = symbol
        self.tick = tick
        self.side = side
    }
}

/// The best prices of a symbol: both, or the one that changed.
public struct FeedQuote: Sendable, Equatable {
    public var symbol: String
    /// `nil`: not sent.
    public var bid: Double?
    public var ask: Double?
    /// Seconds since 1970 UTC; `nil` where the venue sends no time.
    public var timestamp: Double?

    public init(symbol: String, bid: Double?, ask: Double?, timestamp: Double?) {
        self.symbol = symbol
        self.bid = bid
        self.ask = ask
        self.timestamp = timestamp
    }
}

/// What a `FeedClient` reports.
public enum FeedClientEvent: Sendable, Equatable {
    /// All connections are open: requests go out at once.
    case ready
    /// The symbol's trades come from now on.
    case live(symbol: String)
    /// They come no more until they are `live` again.
    case interrupted(symbol: String)
    /// The venue refuses this symbol, for this reason.
    case refused(symbol: String, reason: String)
    case trade(FeedTrade)
    case quote(FeedQuote)
    /// `count` trades that the venue numbered were not delivered.
    case missed(symbol: String, count: Int)
    /// The reader was too slow: as many as this were discarded at this place.
    case dropped(trades: Int, quotes: Int)
    /// Something went wrong that the client mends by itself.
    case problem(String)
    /// No longer ready. Unless `disconnect` was called it comes back by itself, symbols and all.
    case disconnected(reason: String)
}

extension SessionProblem {
    /// As a sentence for a person.
    package var words: String {
        switch self {
        case .closed(let code, let reason) where reason.isEmpty: "The connection was closed with \(code.rawValue)."
        // No peer closes with this code: the reason is ours, a sentence by itself.
        case .closed(.abnormal, let reason): "\(reason.prefix(1).uppercased())\(reason.dropFirst())."
        case .closed(_, let reason): "The connection ended: \(reason)"
        case .refused(let status): "The connection was refused with the status \(status)."
        case .timedOut: "The venue did not answer in time."
        case .heartbeatMissed: "Nothing came from the venue any more."
        case .server(_, let message): message
        case .malformed(let what): what
        }
    }
}

extension SessionFailure {
    package var words: String {
        switch self {
        case .closeCode(let code, let reason): "closed with \(code.rawValue) \(reason)"
        case .refused(let status): "refused with the status \(status)"
        case .unauthorized: "the key was not accepted"
        case .attemptsExhausted: "all attempts are used up"
        }
    }
}
