public import StreamCore

/// Turns a venue's messages into trades of numbered markets: parsing, duplicates, gaps, counters.
///
/// ```swift
/// var session = VenueSession(venue: .kraken)
/// session.read(message)
/// for trade in session.trades { aggregate(trade.market, trade.tick) }
/// ```
///
/// A malformed message costs that message and a counter, never the session. No message costs an allocation once the
/// session has seen the longest one of its kind.
public struct VenueSession: Sendable {
    /// What was seen so far.
    public struct Counts: Sendable, Equatable {
        public var messages = 0
        public var trades = 0
        public var duplicates = 0
        public var malformed: Int { kinds[VenueMessageKind.malformed] }
        /// Trades that the venue numbered but has not delivered.
        public var missing = 0
        /// How often a market's numbers jumped so far that they must have restarted.
        public var renumberings = 0
        /// How many messages there were of each kind.
        public var kinds = Tally<VenueMessageKind>()
        /// Why messages could not be read.
        public var flaws = Tally<VenueFlaw>()

        public init() {}

        /// Whether there were messages, and not one of them was of a kind that the venue is known to send.
        public var understoodNothing: Bool { messages > 0 && kinds[.other] + kinds[.malformed] == messages }

        /// `361 book, 241 quotes, 3 candles messages`
        var summary: String {
            VenueMessageKind.allCases.filter { kinds[$0] > 0 }.map { "\(kinds[$0]) \($0.name)" }.joined(separator: ", ")
                + (messages == 1 ? " message" : " messages")
        }

        /// The sum saturates: numbers that would make it overflow are not counts.
        mutating func addMissing(_ more: Int) {
            let (sum, isTooLarge) = missing.addingReportingOverflow(more)
            missing = isTooLarge ? .max : sum
        }
    }

    public let venue: Venue
    public internal(set) var counts = Counts()
    /// The markets, in order of their first trade.
    public internal(set) var symbols = SymbolTable()
    /// Most decimals seen in each market's prices.
    public internal(set) var priceDecimals: [Int] = []

    /// The new trades of the last message, in the order in which they happened as far as the venue shows it.
    @inlinable public var trades: [VenueTrade] { batch.trades }

    /// Calls `body` with each of `trades`, in their order, without a copy of the array: for the way of every message.
    ///
    /// Inlined, as the two beside it are: a call from another module would copy all of the session.
    @inlinable public func forEachTrade(_ body: (borrowing VenueTrade) -> Void) {
        for index in batch.trades.indices { body(batch.trades[index]) }
    }

    /// The venue's own candles that the last message closed.
    public private(set) var candles: [VenueCandle] = []
    /// Those that still run, as the last message had them.
    public private(set) var openCandles: [VenueCandle] = []
    /// The best prices of the last message.
    @inlinable public var quotes: [VenueQuote] { batch.quotes }
    /// The market that the last message was about, where the venue's messages are the only answer to a subscription.
    func subject(in message: Bytes) -> String? { batch.subject?.read(in: message).string }
    /// Whether the last message answers a request, beside what else is in it.
    var hasAnswer: Bool { batch.hasAnswer }
    /// Where the numbers of the last message's trades jumped.
    public private(set) var holes: [Hole] = []

    /// Trades of a market that were numbered and did not come.
    public struct Hole: Sendable, Equatable {
        public var symbol: String
        public var count: Int
    }

    @usableFromInline var batch = VenueBatch()
    var ledger: TradeLedger
    private var running = RunningCandles()
    private let reader: any VenueReader.Type
    private let numbersTrades: Bool
    /// What channel numbers stand for on each connection, where a venue numbers its channels.
    var channels = NumberedConnections()
    /// Reads by a configuration.
    var provider: ProviderReader?
    /// Markets are those that trade, as none was named beforehand.
    let isOpen: Bool
    /// Candlewire servers number the messages of a stream and not the trades.
    var progress: [Int: CandlewireProgress] = [:]

    /// - Parameter markets: the symbols whose markets are known beforehand, in the order of their numbers.
    public init(venue: Venue, markets: [String] = []) {
        self.init(venue, venue.declaration.shape.map { ProviderMapping($0) }, markets)
    }

    /// Reads a configured provider's messages.
    /// - Parameter markets: as of a venue; others are left out.
    public init(_ provider: ProviderConfiguration, markets: [String] = []) {
        self.init(.provider, ProviderMapping(provider.shape), markets)
    }

    private init(_ venue: Venue, _ mapping: ProviderMapping?, _ markets: [String]) {
        let numbering = mapping?.numbering ?? venue.declaration.numbering
        self.venue = venue
        reader = venue.declaration.reader
        numbersTrades = numbering != .readElsewhere
        provider = mapping.map { ProviderReader($0) }
        isOpen = markets.isEmpty
        ledger = TradeLedger(numbering: numbering)
        if !isOpen { provider?.wanted = SymbolTable() }
        for symbol in markets {
            let number = open(symbol, priceDecimals: 0)
            ledger.open(symbol, market: number)
        }
    }

    /// The number of this market; a new one is opened.
    mutating func market(of symbol: String) -> Int {
        if let known = symbols.find(symbol) { return known }
        let number = open(symbol, priceDecimals: 0)
        ledger.assign(symbol, market: number)
        return number
    }

    /// A symbol's messages come no more, on any connection.
    mutating func symbolEnded(_ symbol: String) { running.forget(symbol) }

    /// A symbol's messages come again, after a time in which they were not wanted.
    mutating func symbolResumed(_ symbol: String) { ledger.resume(symbol) }

    /// The number of a market's book on a connection, where the venue numbers its channels.
    func bookChannel(of symbol: String, on connection: Int) -> UInt64? {
        channels.channels(of: connection)?.number(of: { $0.isBook && $0.slot >= 0 && ledger.names[$0.slot] == symbol })
    }

    /// A connection is over: what only its messages explain is forgotten.
    mutating func connectionEnded(_ connection: Int) { channels.end(connection) }

    /// Reads one message.
    /// - Parameter connection: the one it came on, where there are several: while one replaces the other.
    /// - Returns: what it was about; what it says is in `trades`, `candles` and `quotes` until the next one.
    @discardableResult
    public mutating func read(_ bytes: UnsafeRawBufferPointer, on connection: Int = 0) -> VenueMessageKind {
        counts.messages += 1
        batch.clear()
        if !candles.isEmpty { candles.removeAll(keepingCapacity: true) }
        if !openCandles.isEmpty { openCandles.removeAll(keepingCapacity: true) }
        if !holes.isEmpty { holes.removeAll(keepingCapacity: true) }
        let kind: VenueMessageKind
        do throws(ParseError) {
            kind = try reader.read(&self, bytes, connection)
        } catch {
            batch.clear()
            counts.flaws.add(error.flaw)
            counts.kinds.add(.malformed)
            return .malformed
        }
        counts.kinds.add(kind)
        if !batch.trades.isEmpty, numbersTrades { number(bytes) }
        for index in batch.quotes.indices {
            batch.quotes[index].market = symbols.find(batch.quotes[index].symbol.read(in: bytes)) ?? -1
        }
        if !batch.candles.isEmpty { running.accept(batch.candles, of: bytes, closed: &candles, open: &openCandles) }
        if let (symbol, id) = batch.lastTrade {
            let name = symbol.read(in: bytes)
            let missing = ledger.expect(id, of: name)
            counts.addMissing(missing)
            if missing > 0 { holes.append(Hole(symbol: name.string, count: missing)) }
        }
        return kind
    }

    /// Gives the message's trades their markets, and leaves the new ones in the batch.
    @inline(__always)
    private mutating func number(_ bytes: Bytes) {
        if batch.isNewestFirst { batch.trades.reverse() }
        var kept = 0
        for index in batch.trades.indices {
            let slot =
                batch.trades[index].slot >= 0
                ? batch.trades[index].slot : ledger.slot(of: batch.trades[index].symbol.read(in: bytes))
            guard let market = accept(batch.trades[index].mark, slot: slot) else { continue }
            batch.trades[index].market = market
            if kept < index { batch.trades[kept] = batch.trades[index] }
            kept += 1
        }
        if kept < batch.trades.count { batch.trades.removeLast(batch.trades.count - kept) }
    }

    /// - Returns: its market; `nil` where it is not new.
    @inline(__always)
    private mutating func accept(_ trade: VenueTrade.Mark, slot: Int) -> Int? {
        switch ledger.accept(trade, slot: slot) {
        case .new(let missing):
            if missing > 0 {
                counts.addMissing(missing)
                holes.append(Hole(symbol: ledger.names[slot], count: missing))
            }
        case .filled: counts.missing -= 1
        case .renumbered: counts.renumberings += 1
        case .ignored: return nil
        case .duplicate:
            counts.duplicates += 1
            return nil
        }
        counts.trades += 1
        let market = ledger.markets[slot]
        guard market >= 0 else {
            let opened = open(ledger.names[slot], priceDecimals: trade.priceDecimals)
            ledger.markets[slot] = opened
            return opened
        }
        if trade.priceDecimals > priceDecimals[market] { priceDecimals[market] = trade.priceDecimals }
        return market
    }

    mutating func open(_ symbol: String, priceDecimals decimals: Int) -> Int {
        priceDecimals.append(decimals)
        provider?.wanted?.insert(symbol)
        return symbols.insert(symbol)
    }
}
