import StreamCore

/// What the number of a trade shows.
enum TradeOutcome: Equatable {
    /// `missing` before it were not delivered.
    case new(missing: Int)
    /// One that was missing.
    case filled
    case renumbered
    /// Received before: on another channel, or again after a subscription. Neither is a fault.
    case duplicate
    /// Nothing that counts, and no repetition either.
    case ignored
}

/// Which trades of which markets came before, by the venue's numbers. A market has a slot from the first message that
/// names it, also where that holds no trade: what was before a subscription says where the numbers stand.
struct TradeLedger: Sendable {
    /// For each slot the market's number; -1 until it trades.
    var markets: [Int] = []
    var names: [String] { slots.names }

    private let numbering: Venue.Numbering
    private var slots = SymbolTable()
    /// For each slot, the stream that counts; a venue may send the same trades in two.
    private var streams: [VenueTrade.Stream?] = []
    /// For each slot, whether the venue's own stream of trades was seen.
    private var hasTradeStream: [Bool] = []
    /// For each slot, whether it was not wanted until now: what its next number leaves out is no loss.
    private var isResumed: [Bool] = []
    /// For each slot, where numbers count up by one.
    private var sequences: [TradeSequence?] = []
    /// For each slot, where they only differ.
    private var recent: [RecentNames] = []

    init(numbering: Venue.Numbering) { self.numbering = numbering }

    /// The slot of this market; a new one is opened.
    mutating func slot(of symbol: JSONText) -> Int {
        if let known = slots.find(symbol) { return known }
        return open(symbol.string, market: -1)
    }

    /// A new slot, of a market with this number.
    @discardableResult mutating func open(_ symbol: String, market: Int) -> Int {
        markets.append(market)
        streams.append(nil)
        hasTradeStream.append(false)
        isResumed.append(false)
        if numbering == .consecutive { sequences.append(nil) }
        if numbering == .unique { recent.append(RecentNames()) }
        return slots.insert(symbol)
    }

    /// Gives a market its number before it trades.
    mutating func assign(_ symbol: String, market: Int) {
        if let slot = slots.find(symbol) { markets[slot] = market } else { open(symbol, market: market) }
    }

    /// A market that was not wanted for a while is wanted again.
    mutating func resume(_ symbol: String) { if let slot = slots.find(symbol) { isResumed[slot] = true } }

    mutating func accept(_ trade: VenueTrade.Mark, slot: Int) -> TradeOutcome {
        if let stream = streams[slot], stream != trade.stream { return .ignored }
        if !trade.isFromTicker {
            if !hasTradeStream[slot] { hasTradeStream[slot] = true }
        } else if hasTradeStream[slot], sequences[slot]?.skips(to: trade.id) == true {
            return .ignored
        }
        let outcome = judge(trade, slot)
        if case .ignored = outcome { return .ignored }
        if streams[slot] == nil { streams[slot] = trade.stream }
        return outcome
    }

    private mutating func judge(_ trade: VenueTrade.Mark, _ slot: Int) -> TradeOutcome {
        switch numbering {
        case .none, .readElsewhere: return .new(missing: 0)
        case .unique: return recent[slot].insert(trade.id) ? .new(missing: 0) : .duplicate
        case .consecutive:
            if isResumed[slot], let sequence = sequences[slot], sequence.isBeyond(trade.id) {
                isResumed[slot] = false
                if sequence.skips(to: trade.id) { sequences[slot] = nil }
            }
            guard let outcome = sequences[slot]?.accept(trade.id) else {
                sequences[slot] = TradeSequence(first: trade.id)
                isResumed[slot] = false
                return trade.mayBeOld ? .ignored : .new(missing: 0)
            }
            return outcome
        }
    }

    /// Accepts the number of a market's last trade from a heartbeat.
    /// - Returns: how many more are missing.
    mutating func expect(_ id: UInt64, of symbol: JSONText) -> Int {
        guard numbering == .consecutive else { return 0 }
        let slot = slot(of: symbol)
        if isResumed[slot] {
            isResumed[slot] = false
            if sequences[slot]?.isBeyond(id) == true { sequences[slot] = nil }
        }
        guard let missing = sequences[slot]?.expect(id) else {
            sequences[slot] = TradeSequence(first: id)
            return 0
        }
        return missing
    }
}
