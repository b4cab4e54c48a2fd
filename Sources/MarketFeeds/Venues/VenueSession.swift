public import MarketModel
public import StreamCore

/// Turns a venue's messages into ticks of numbered markets: parsing, duplicates, gaps, counters.
///
/// A malformed message costs that message and a counter, never the session.
public struct VenueSession: Sendable {
    /// What one message was.
    public enum Event: Sendable, Equatable {
        /// A new trade. `isNew` tells that the market was not known before.
        case tick(market: Int, Tick, isNew: Bool)
        /// Nothing for the candles.
        case ignored
        /// A trade that was told before.
        case duplicate
        case malformed
    }

    /// What was seen so far.
    public struct Counts: Sendable, Equatable {
        public var messages = 0
        public var trades = 0
        public var duplicates = 0
        public var malformed = 0
        /// Trades that the venue numbered but has not delivered.
        public var missing = 0
        /// How often a market's numbers jumped so far that they must have begun anew.
        public var renumberings = 0

        public init() {}

        /// The sum stops where it would overflow: whoever sends such numbers is not counting.
        mutating func addMissing(_ more: Int64) {
            let (sum, isTooLarge) = missing.addingReportingOverflow(Int(clamping: more))
            missing = isTooLarge ? .max : sum
        }
    }

    public let venue: Venue
    public internal(set) var counts = Counts()
    /// The markets, in order of their first trade.
    public private(set) var symbols = SymbolTable()
    /// Most decimals seen in each market's prices.
    public private(set) var priceDecimals: [Int] = []
    private var sequences: [TradeSequence] = []
    private var streams: [VenueTrade.Stream] = []
    /// Candlewire servers number the messages of a stream and not the trades.
    var progress: [Int: CandlewireProgress] = [:]

    public init(venue: Venue) {
        self.venue = venue
    }

    /// Takes one text message.
    public mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Event {
        counts.messages += 1
        let message: VenueMessage
        do throws(VenueParseError) {
            switch venue {
            case .binance: message = try BinanceParser.parse(bytes)
            case .coinbase: message = try CoinbaseParser.parse(bytes)
            case .candlewire: return try receiveCandlewire(bytes)
            }
        } catch {
            counts.malformed += 1
            return .malformed
        }
        guard case .trade(let trade) = message else { return .ignored }
        guard TradeSequence.range.contains(trade.id) else {
            counts.malformed += 1
            return .malformed
        }
        return take(trade)
    }

    private mutating func take(_ trade: VenueTrade) -> Event {
        guard let market = symbols.find(trade.symbol) else { return open(trade) }
        // A venue may tell the same trades in two streams; the first one seen counts.
        guard trade.stream == streams[market] else { return .ignored }
        switch sequences[market].take(trade.id) {
        case .next(let missing): counts.addMissing(Int64(missing))
        case .filled: counts.missing -= 1
        case .earlier: break
        case .renumbered: counts.renumberings += 1
        case .duplicate:
            counts.duplicates += 1
            return .duplicate
        }
        counts.trades += 1
        if trade.priceDecimals > priceDecimals[market] { priceDecimals[market] = trade.priceDecimals }
        return .tick(market: market, trade.tick, isNew: false)
    }

    private mutating func open(_ trade: VenueTrade) -> Event {
        let market = open(trade.symbol.string, priceDecimals: trade.priceDecimals)
        sequences.append(TradeSequence(first: trade.id))
        streams.append(trade.stream)
        counts.trades += 1
        return .tick(market: market, trade.tick, isNew: true)
    }

    mutating func open(_ symbol: String, priceDecimals decimals: Int) -> Int {
        priceDecimals.append(decimals)
        return symbols.insert(symbol)
    }

    mutating func raisePriceDecimals(of market: Int, to decimals: Int) { priceDecimals[market] = decimals }
}
