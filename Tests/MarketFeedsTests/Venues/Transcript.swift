import MarketModel
import StreamCore

@testable import MarketFeeds

/// What a session makes of a few messages, in values that can be compared and outlive the messages.
struct Transcript {
    struct Trade: Equatable, CustomStringConvertible {
        var symbol: String
        var name: String
        var price: String
        var volume: String
        var time: Double
        var side: VenueTrade.Side

        var description: String { "\(symbol) \(name) \(side) \(volume) at \(price), \(time)" }
    }

    private(set) var session: VenueSession
    private(set) var kinds: [VenueMessageKind] = []
    private(set) var trades: [Trade] = []
    private(set) var ticks: [Tick] = []
    private(set) var candles: [VenueCandle] = []
    private(set) var quotes: [VenueQuote] = []

    var counts: VenueSession.Counts { session.counts }
    /// What only the last message reported.
    private(set) var lastTrades: [Trade] = []

    init(_ venue: Venue, _ messages: [String] = []) {
        session = VenueSession(venue: venue)
        for message in messages { send(message) }
    }

    @discardableResult
    mutating func send(_ message: String) -> VenueMessageKind { send(Array(message.utf8)) }

    @discardableResult
    mutating func send(_ message: [UInt8]) -> VenueMessageKind {
        message.withUnsafeBytes { bytes in
            let kind = session.read(bytes)
            kinds.append(kind)
            lastTrades = session.trades.map { trade in
                Trade(
                    symbol: session.symbols.names[trade.market], name: trade.name.read(in: bytes).string,
                    price: trade.price.read(in: bytes).string, volume: trade.volume.read(in: bytes).string,
                    time: trade.tick.timestamp, side: trade.side)
            }
            trades += lastTrades
            ticks += session.trades.map(\.tick)
            candles += session.candles
            quotes += session.quotes
            return kind
        }
    }
}
