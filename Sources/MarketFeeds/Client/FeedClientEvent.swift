public import MarketModel

/// A trade as a `FeedClient` tells it.
public struct FeedTrade: Sendable, Equatable {
    /// As the venue names it.
    public var symbol: String
    /// Seconds since 1970 UTC, price, quantity of the base currency (shares of a stock).
    public var tick: Tick
    /// What the one who came second did, where the venue says so.
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
    /// `nil`: not told.
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

/// What a `FeedClient` tells.
public enum FeedClientEvent: Sendable, Equatable {
    /// All connections are open: requests go out at once.
    case ready
    /// The symbol's trades come from now on.
    case live(symbol: String)
    /// They come no more until they are `live` again.
    case interrupted(symbol: String)
    /// The venue does not want to tell this symbol, for this reason.
    case refused(symbol: String, reason: String)
    case trade(FeedTrade)
    case quote(FeedQuote)
    /// So many trades were numbered by the venue and did not come.
    case missed(symbol: String, count: Int)
    /// The reader was too slow: so many were thrown away at this place.
    case dropped(trades: Int, quotes: Int)
    /// Something went wrong that the client mends by itself.
    case problem(String)
    /// No longer ready. Unless `disconnect` was called it comes back by itself, symbols and all.
    case disconnected(reason: String)
}
