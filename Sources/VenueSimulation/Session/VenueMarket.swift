internal import MarketModel

/// A recording, sorted by a venue's rules: what goes to whom, which trades it has, and where each market's begin.
///
/// - Complexity: making one reads every message's head and every trade; every later question is a look-up.
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
    /// Messages with a trade in them, and how it is sent.
    let tradeMessages: [Int: String]
    /// Those whose trades came before the recording began.
    let oldTradeMessages: Set<Int>

    init(_ rules: any VenueRules.Type, _ session: RecordedSession) {
        self.session = session
        channels = rules.channels(session)
        parts = rules.parts(session, channels)
        var symbols: Set<String> = []
        var firsts: [VenueTopic: [Int]] = [:]
        var trades: [String: [Placed]] = [:]
        var tradeMessages: [Int: String] = [:]
        var oldTradeMessages: Set<Int> = []
        var numbering = TradeNumbers(members: rules.tradeNumbers(of: session))
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
            if isOld {
                oldTradeMessages.insert(index)
            } else {
                tradeMessages[index] = found[0].kind
                for trade in found { numbering.count(trade) }
            }
            // The same trades sent in two ways: the first way counts.
            for trade in found where kinds[trade.symbol, default: trade.kind] == trade.kind {
                kinds[trade.symbol] = trade.kind
                trades[trade.symbol, default: []].append(Placed(trade: trade, message: index, isOld: isOld))
            }
        }
        self.symbols = symbols.sorted()
        self.firsts = firsts
        self.trades = trades
        self.tradeMessages = tradeMessages
        self.oldTradeMessages = oldTradeMessages
        shift = TimeShift(around: session.times)
        self.numbering = numbering
    }

    /// Markets of the recording that do not trade while it plays, sorted; none where nothing of it trades.
    var quietSymbols: [String] {
        let isTraded = trades.mapValues { $0.contains { !$0.isOld } }
        guard isTraded.values.contains(true) else { return [] }
        return symbols.filter { isTraded[$0] != true }
    }

    /// A trade that was sent, and in which round before the present one.
    struct Played {
        var trade: RecordedTrade
        var roundsAgo: Int
    }

    /// The newest trades that a market has sent until a moment, ascending, those of the rounds before among them: a client
    /// that listened all the time knows of no others. Old ones were before the first round.
    /// - Complexity: O(what the market has in a round), and as many rounds as are needed.
    func played(_ symbol: String, until moment: VenueMoment, newest: Int) -> [Played] {
        guard let placed = trades[symbol] else { return [] }
        let isQuiet = !placed.contains { !$0.isOld }
        var found: [Played] = []
        var ago = isQuiet ? moment.round : 0
        while ago <= moment.round {
            let isFirst = ago == moment.round
            let known = ago > 0 ? placed[...] : self.known(symbol, before: moment.position)
            for trade in known.reversed() where isFirst || !trade.isOld {
                found.append(Played(trade: trade.trade, roundsAgo: ago))
                if found.count == newest { return found.reversed() }
            }
            ago += 1
        }
        return found.reversed()
    }

    /// The number of the last trade that a market has sent until a moment; before the first one, that of none.
    func lastNumber(_ symbol: String, until moment: VenueMoment) -> UInt64? {
        guard let last = played(symbol, until: moment, newest: 1).last else {
            return trades[symbol]?.first?.trade.number.map { $0 > 0 ? $0 - 1 : 0 }
        }
        return numbering.number(last.trade, round: moment.round - last.roundsAgo)
    }

    /// A trade as it was sent: its times and its number moved as they were in its round.
    func moved(_ played: Played, _ json: VenueJSON, at moment: VenueMoment) -> [UInt8] {
        let seconds = moment.shift - moment.period * Int64(played.roundsAgo)
        return numbering.moved(
            shift.moved(Array(json.text.utf8), bySeconds: seconds), symbol: played.trade.symbol,
            kind: played.trade.kind,
            round: moment.round - played.roundsAgo)
    }

    /// The trades of a market before a position, old ones always.
    func known(_ symbol: String, before position: Int) -> ArraySlice<Placed> {
        guard let placed = trades[symbol] else { return [] }
        let old = placed.prefix { $0.isOld }.count
        return placed[..<max(old, placed.partitioningIndex { $0.message >= position })]
    }
}
