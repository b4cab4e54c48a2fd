/// A recording, sorted by a venue's rules: what goes to whom, which trades it has, and where each market's begin.
///
/// - Complexity: making one reads every message's head and every trade; what is asked of it later is a look-up.
final class VenueMarket: Sendable {
    /// A trade, and the message it came in.
    struct Placed: Sendable {
        var trade: RecordedTrade
        var message: Int
        /// Whether it came before the recording began (a snapshot, a last match).
        var isOld: Bool
    }

    let session: RecordedSession
    let parts: [RecordedPart]
    /// Numbers that the venue gave to topics.
    let channels: [VenueTopic: Int]
    /// Markets of the recording, sorted.
    let symbols: [String]
    /// Where the first messages of topics stand.
    let firsts: [VenueTopic: [Int]]
    let shift: TimeShift
    let numbering: TradeNumbers
    /// By market, in the order of the messages; those of one message by number.
    let trades: [String: [Placed]]
    /// Messages with a trade in them.
    let tradeMessages: Set<Int>

    init(_ rules: any VenueRules.Type, _ session: RecordedSession) {
        self.session = session
        channels = rules.channels(session)
        parts = rules.parts(session, channels)
        var symbols: Set<String> = []
        var firsts: [VenueTopic: [Int]] = [:]
        var trades: [String: [Placed]] = [:]
        var tradeMessages: Set<Int> = []
        var kinds: [String: String] = [:]
        for (index, message) in session.messages.enumerated() {
            let part = parts[index]
            let isOld: Bool
            switch part {
            case .own: continue
            case .data(let topics):
                for topic in topics { symbols.insert(topic.symbol) }
                isOld = false
            case .first(let topic):
                symbols.insert(topic.symbol)
                firsts[topic, default: []].append(index)
                isOld = true
            }
            let found = rules.trades(in: message, part, of: session).sorted { ($0.number ?? 0) < ($1.number ?? 0) }
            guard !found.isEmpty else { continue }
            if !isOld { tradeMessages.insert(index) }
            // The same trades told in two ways: the first way counts.
            for trade in found where kinds[trade.symbol, default: trade.kind] == trade.kind {
                kinds[trade.symbol] = trade.kind
                trades[trade.symbol, default: []].append(Placed(trade: trade, message: index, isOld: isOld))
            }
        }
        self.symbols = symbols.sorted()
        self.firsts = firsts
        self.trades = trades
        self.tradeMessages = tradeMessages
        shift = TimeShift(around: session.times)
        numbering = TradeNumbers(members: rules.tradeNumbers(of: session), trades: trades)
    }

    /// The newest trade before a position, or the oldest there is.
    func last(_ symbol: String, before position: Int) -> Placed? {
        guard let placed = trades[symbol], !placed.isEmpty else { return nil }
        let end = placed.partitioningIndex { $0.message >= position }
        return end > 0 ? placed[end - 1] : placed.first
    }

    /// The trades of a market before a position, old ones always.
    func known(_ symbol: String, before position: Int) -> ArraySlice<Placed> {
        guard let placed = trades[symbol] else { return [] }
        let old = placed.prefix { $0.isOld }.count
        return placed[..<max(old, placed.partitioningIndex { $0.message >= position })]
    }
}

extension Array {
    /// The first index whose element satisfies what all after it do too.
    func partitioningIndex(_ belongsToSecond: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if belongsToSecond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
