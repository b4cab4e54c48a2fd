package import MarketModel
import StreamCore

/// Keeps the books of a feed's markets right.
///
/// A value without IO or clock: messages, answers and the time go in; what is to be requested comes out, and when a book is
/// right. One that may be wrong (a gap, a bad checksum, crossed prices) is withheld at once and requested again; it is never
/// shown as it was.
///
/// ```
/// idle -> requested -> live                    the stream begins with the book
/// idle -> requested -> waiting -> live         changes are kept until the whole book was fetched
///          live -> faulty -> idle              ended, and requested again after a pause
/// ```
package struct BookSession: Sendable {
    enum Event: Sendable, Equatable {
        case live(market: Int)
        case withheld(market: Int, BookFault)
        case fetch(market: Int, number: Int)
    }

    /// What was seen so far.
    package struct Counts: Sendable, Equatable {
        /// Messages about books that were applied, and levels in them.
        package internal(set) var messages = 0
        package internal(set) var levels = 0
        /// How often a book was withheld, by reason.
        package internal(set) var faults: [BookFault: Int] = [:]
        /// Checksums of the venue that were right.
        package internal(set) var checksums = 0
    }

    enum Stage: Sendable, Equatable {
        /// Not requested; not to be requested before this time.
        case idle(from: Double)
        /// Requested; its first message must come by then.
        case requested(until: Double)
        /// Changes come and are kept; the whole book is to be fetched at this time, or is being fetched under this number.
        case waiting(fetchAt: Double, number: Int?)
        case live
        /// To be ended, and requested again, at this time.
        case faulty(until: Double)
        /// To be ended: nobody wants it.
        case ending
    }

    struct Market: Sendable {
        var isWanted = false
        var stage = Stage.idle(from: -.infinity)
        /// The connection that it comes on, as long as it is not idle.
        var connection = -1
        var book = OrderBook()
        /// Where it comes order by order.
        var orders: BookOrders?
        var sequence: BookSequence
        var depth: Int?
        /// Seconds since 1970 UTC, as the venue says it of the last change.
        var time: Double?
        /// Best prices that come one by one may be crossed for a moment.
        var isCrossed = false
        /// It was ended by us: where it comes with the trades, those must be requested again.
        var wasEnded = false
        /// Changes that wait for the whole book.
        var waiting = BookBatch()
        /// Faults in a row, and since when the last attempt is live.
        var faults = 0
        var liveSince = 0.0

        var isShown: Bool { stage == .live && !isCrossed }

        /// - Returns: whether the change could be made.
        mutating func apply(_ change: BookBatch.Change) -> Bool {
            guard orders != nil else { return book.set(change.side, price: change.price, size: change.size) == nil }
            return orders?.set(change.order, change.side, price: change.price, size: change.size, in: &book) == nil
        }
    }

    let rules: BookRules
    let reader: any BookReader.Type
    var markets: [Market]
    /// The markets whose books were changed by the last message, each once.
    package internal(set) var changed: [Int] = []
    package internal(set) var counts = Counts()
    var events = ActionQueue<Event>()
    var batch = BookBatch()
    var lastFetch = 0
    /// The last message brought the deadline forward.
    var hasNewDeadline = false
    /// Whether a message may change anything: looked at for each one.
    private(set) var isActive = false
    /// By connection, the number of its last message.
    var lastNumbers: [Int: UInt64] = [:]

    /// Seconds until the whole book must have come, the first change, and a book that is fetched.
    static let answerTime = 10.0
    static let quietTime = 60.0
    static let fetchTime = 30.0
    /// Seconds from the first change on until the whole book is fetched, where nothing shows a change that is missing: those of
    /// a subscription that was ended just before must be older.
    static let settlingTime = 1.0
    /// Changes that are kept for a market while its whole book is fetched.
    static let maxWaitingChanges = 200_000
    static let maxWaitingMessages = 10_000
    /// Seconds for which a book must have been right, so that its next fault is the first one again.
    static let stableTime = 60.0
    /// Pauses after faults in a row; there is none after the first.
    static let pauses = Backoff.Configuration(first: 1, cap: 60)

    init(_ rules: BookRules, _ reader: any BookReader.Type, markets count: Int = 0) {
        self.rules = rules
        self.reader = reader
        markets = Array(repeating: Market(sequence: BookSequence(rules.numbering)), count: count)
    }

    // MARK: Reading

    /// Whether a change that does not come is noticed by the venue's numbers or checksums.
    package var detectsLosses: Bool { rules.detectsLosses }

    /// Calls `body` with a market's book; `nil` while it is withheld.
    package func withBook<Result>(_ market: Int, _ body: (borrowing OrderBook) -> Result) -> Result? {
        guard markets.indices.contains(market), markets[market].isShown else { return nil }
        return body(markets[market].book)
    }

    /// When a market's book was last changed, by the venue: seconds since 1970 UTC; `nil` where it does not say.
    package func time(_ market: Int) -> Double? { markets.indices.contains(market) ? markets[market].time : nil }

    package func isLive(_ market: Int) -> Bool { markets.indices.contains(market) && markets[market].isShown }

    var hasEvents: Bool { !events.isEmpty }
    mutating func nextEvent() -> Event? { events.popFirst() }

    // MARK: Intents

    /// There are so many markets from now on.
    mutating func grow(to count: Int) {
        while markets.count < count { markets.append(Market(sequence: BookSequence(rules.numbering))) }
    }

    /// - Parameter trades: the connection on which the market's trades come already, which matters where the book comes with
    ///   them.
    mutating func setWanted(_ market: Int, _ isWanted: Bool, trades: Int?, now: Double) {
        guard markets.indices.contains(market), markets[market].isWanted != isWanted else { return }
        markets[market].isWanted = isWanted
        defer { noteActivity() }
        if isWanted {
            markets[market].faults = 0
            if case .ending = markets[market].stage { markets[market].stage = .faulty(until: now) }
            // What it began with is gone by: the trades are requested anew.
            if rules.comesWithTrades, rules.source == .stream, let trades {
                markets[market].stage = .faulty(until: now)
                markets[market].connection = trades
            }
            return
        }
        end(market, now)
    }

    /// The market's trades are not wanted on any connection: its book goes with them, until they are.
    mutating func suspend(_ market: Int, now: Double) {
        guard markets.indices.contains(market) else { return }
        end(market, now)
    }

    private mutating func end(_ market: Int, _ now: Double) {
        let wasShown = markets[market].isShown
        switch markets[market].stage {
        case .idle: return
        case .requested, .waiting, .live, .faulty, .ending:
            markets[market].stage = rules.comesWithTrades ? .idle(from: now) : .ending
            if rules.comesWithTrades { markets[market].connection = -1 }
        }
        forget(market)
        if wasShown { withhold(market, .interrupted) }
    }

    /// A connection is over, and all that came on it.
    mutating func connectionEnded(_ connection: Int, now: Double) {
        lastNumbers[connection] = nil
        for market in markets.indices where markets[market].connection == connection {
            if case .idle = markets[market].stage { continue }
            let wasShown = markets[market].isShown
            markets[market].stage = .idle(from: now)
            markets[market].connection = -1
            markets[market].wasEnded = false
            forget(market)
            if wasShown { withhold(market, .interrupted) }
        }
        noteActivity()
    }

    // MARK: Requests

    struct Request: Equatable {
        var action: FeedAction
        var markets: [Int]
        /// It comes by itself: nothing is sent.
        var isSilent = false
    }

    /// What to send on a connection now, for at most `limit` markets at once.
    /// - Parameter isReady: whether a market's book may be requested there.
    func nextRequest(on connection: Int, limit: Int, now: Double, isReady: (Int) -> Bool) -> Request? {
        var ended: [Int] = []
        var wanted: [Int] = []
        for market in markets.indices {
            switch markets[market].stage {
            case .ending where markets[market].connection == connection: ended.append(market)
            case .faulty(let until) where markets[market].connection == connection && until <= now:
                ended.append(market)
            case .idle(let from) where markets[market].isWanted && from <= now && isReady(market):
                if rules.comesWithTrades, !markets[market].wasEnded {
                    return Request(action: .subscribe, markets: [market], isSilent: true)
                }
                wanted.append(market)
            case .idle, .requested, .waiting, .live, .faulty, .ending: continue
            }
            if ended.count == limit { break }
        }
        if !ended.isEmpty { return Request(action: .unsubscribe, markets: ended) }
        return wanted.isEmpty ? nil : Request(action: .subscribe, markets: Array(wanted.prefix(limit)))
    }

    /// When `nextRequest` has something to send on a connection; infinite: not at all.
    func requestDue(on connection: Int, isReady: (Int) -> Bool) -> Double {
        var due = Double.infinity
        for market in markets.indices {
            switch markets[market].stage {
            case .ending where markets[market].connection == connection: return -.infinity
            case .faulty(let until) where markets[market].connection == connection: due = min(due, until)
            case .idle(let from) where markets[market].isWanted && isReady(market): due = min(due, from)
            case .idle, .requested, .waiting, .live, .faulty, .ending: continue
            }
        }
        return due
    }

    mutating func sent(_ request: Request, on connection: Int, now: Double) {
        for market in request.markets {
            if request.action == .unsubscribe {
                markets[market].stage = .idle(from: now)
                markets[market].connection = -1
                markets[market].wasEnded = true
            } else {
                let until: Double
                switch rules.source {
                case .stream: until = now + Self.answerTime
                case .request: until = now + Self.quietTime
                // Best prices come when they change.
                case .best: until = .infinity
                }
                markets[market].stage = .requested(until: until)
                markets[market].connection = connection
                markets[market].wasEnded = false
                forget(market)
            }
        }
        noteActivity()
    }

    private mutating func noteActivity() { isActive = markets.contains { $0.isWanted || $0.connection >= 0 } }

    // MARK: Time

    /// When `timerFired` is to be called; infinite: not at all.
    var deadline: Double {
        markets.reduce(Double.infinity) { earliest, market in
            switch market.stage {
            case .requested(let until): min(earliest, until)
            case .waiting(let fetchAt, _): min(earliest, fetchAt)
            case .idle, .live, .faulty, .ending: earliest
            }
        }
    }

    mutating func timerFired(now: Double) {
        for market in markets.indices {
            switch markets[market].stage {
            case .requested(let until) where until <= now:
                guard rules.source == .request else {
                    fail(market, .silent, now)
                    continue
                }
                // A market may be quiet: its first change may come at any time.
                markets[market].stage = .requested(until: .infinity)
                withhold(market, .silent)
            // A fetch that was never answered.
            case .waiting(let fetchAt, .some) where fetchAt <= now: fail(market, .snapshot, now)
            case .waiting(let fetchAt, nil) where fetchAt <= now: fetch(market, now)
            case .idle, .requested, .waiting, .live, .faulty, .ending: continue
            }
        }
    }

    mutating func fetch(_ market: Int, _ now: Double) {
        lastFetch += 1
        markets[market].stage = .waiting(fetchAt: now + Self.fetchTime, number: lastFetch)
        events.append(.fetch(market: market, number: lastFetch))
    }

    // MARK: Faults

    /// Withholds a book that may be wrong, and begins again after a pause.
    mutating func fail(_ market: Int, _ fault: BookFault, _ now: Double) {
        if markets[market].stage == .live, now - markets[market].liveSince >= Self.stableTime {
            markets[market].faults = 0
        }
        markets[market].faults += 1
        let attempt = markets[market].faults
        let retry = attempt == 1 ? now : now + Self.pauses.wait(before: attempt - 1)
        forget(market)
        switch rules.source {
        // The changes go on: only the whole book is fetched again.
        case .request: markets[market].stage = .waiting(fetchAt: retry, number: nil)
        case .stream, .best: markets[market].stage = .faulty(until: retry)
        }
        withhold(market, fault)
    }

    mutating func withhold(_ market: Int, _ fault: BookFault) {
        counts.faults[fault, default: 0] += 1
        events.append(.withheld(market: market, fault))
    }

    private mutating func forget(_ market: Int) {
        markets[market].book.removeAll()
        markets[market].orders = nil
        markets[market].waiting.clear()
        markets[market].isCrossed = false
        markets[market].depth = nil
        markets[market].time = nil
    }
}
