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

/// Bars that the venue itself made of one symbol and timeframe: those of one message.
///
/// An update has one bar, a snapshot many. Placing all of them by timestamp is right for both:
///
/// ```swift
/// for candle in candles.closed { series.place(candle) }
/// if let forming = candles.forming { series.place(forming) }
/// ```
public struct FeedCandles: Sendable, Equatable {
    /// As the venue names it.
    public var symbol: String
    /// A bar's length in seconds.
    public var seconds: Int
    /// Final, in the order of the message: ascending with most venues.
    public var closed: [Candle]
    /// The bar that is not over, as a whole, not what was added to it.
    public var forming: Candle?

    public init(symbol: String, seconds: Int, closed: [Candle], forming: Candle? = nil) {
        self.symbol = symbol
        self.seconds = seconds
        self.closed = closed
        self.forming = forming
    }

    /// The candles of one message, by symbol and length, in the order in which these come first.
    static func grouped(closed: [VenueCandle], open: [VenueCandle]) -> [FeedCandles] {
        var groups: [FeedCandles] = []
        func group(of one: VenueCandle) -> Int {
            if let known = groups.firstIndex(where: { $0.symbol == one.symbol && $0.seconds == one.seconds }) {
                return known
            }
            groups.append(FeedCandles(symbol: one.symbol, seconds: one.seconds, closed: []))
            return groups.count - 1
        }
        for one in closed { groups[group(of: one)].closed.append(one.candle) }
        for one in open {
            let group = group(of: one)
            // Only the newest can be the forming one.
            if let older = groups[group].forming { groups[group].closed.append(older) }
            groups[group].forming = one.candle
        }
        return groups
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
    /// The venue's own bars, from feeds that send any: see `candlewire feeds`.
    case candles(FeedCandles)
    /// `count` trades that the venue numbered were not delivered.
    case missed(symbol: String, count: Int)
    /// The reader was too slow: as many as this were discarded at this place.
    case dropped(FeedDrops)
    /// An error from which the client recovers by itself.
    case problem(String)
    /// No longer ready. Unless `disconnect` was called it comes back by itself, symbols and all.
    case disconnected(reason: String)
}

/// How many events a `FeedClient` discarded, of each kind.
public struct FeedDrops: Sendable, Equatable {
    public var trades: Int
    public var quotes: Int
    public var candles: Int

    public init(trades: Int = 0, quotes: Int = 0, candles: Int = 0) {
        self.trades = trades
        self.quotes = quotes
        self.candles = candles
    }

    static func += (drops: inout FeedDrops, more: FeedDrops) {
        drops.trades += more.trades
        drops.quotes += more.quotes
        drops.candles += more.candles
    }
}

extension FeedClientEvent {
    /// What is lost with this event; `nil` for those about the connection.
    var drops: FeedDrops? {
        switch self {
        case .trade: FeedDrops(trades: 1)
        case .quote: FeedDrops(quotes: 1)
        case .candles: FeedDrops(candles: 1)
        case .dropped(let drops): drops
        default: nil
        }
    }
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
