import MarketModel

/// The streams that the application requested, and the requests that make the server serve exactly those. Desired state:
/// the application subscribes whenever it likes, connected or not; on each connection everything is requested again,
/// with the position it had.
struct SubscriptionSet {
    /// What is known of a symbol from all its streams.
    struct Symbol {
        var lastTickAt: Double?
        /// From when on the lack of ticks counts.
        var watchedSince = Double.infinity
        /// At least one of its streams was reported as stale.
        var isStale = false
    }

    /// A stream that is to be unsubscribed.
    struct Leaving {
        var symbol: String
        var timeframe: Timeframe
        var socket: SocketNumber
    }

    let configuration: SessionConfiguration
    var entries: [Subscription?] = []
    private var freeEntries: [Int] = []
    private var lastNumber = 0
    var isHidden = false

    // Who is meant by a symbol and a timeframe.
    private var names = SymbolTable()
    var symbols: [Symbol] = []
    /// `symbol * timeframes + timeframe` to the entry; -1: none.
    private var slots: [Int32] = []

    // Requests to send.
    var queue = ActionQueue<Int>()
    var leaving = ActionQueue<Leaving>()
    var bucket: TokenBucket
    var lastRequest = 0
    /// The next time an unanswered request or a postponed one must be looked at.
    var reviewAt = Double.infinity
    var staleCheckAt = Double.infinity

    init(_ configuration: SessionConfiguration) {
        self.configuration = configuration
        bucket = TokenBucket(
            rate: configuration.subscribesPerSecond, burst: configuration.subscribesPerSecond, now: -.infinity)
    }

    // MARK: Finding

    private static let timeframes = Timeframe.allCases.count

    func index(of number: SubscriptionNumber) -> Int? { entries.firstIndex { $0?.number == number } }

    /// The entry that a message is about, without building anything.
    func index(_ symbol: String, _ timeframe: Timeframe) -> Int? {
        guard let known = names.find(symbol) else { return nil }
        let index = Int(slots[known * Self.timeframes + timeframe.index])
        return index < 0 ? nil : index
    }

    func symbolNumber(_ symbol: String) -> Int? { names.find(symbol) }

    private mutating func intern(_ symbol: String) -> Int {
        let number = names.insert(symbol)
        if number == symbols.count {
            symbols.append(Symbol())
            for _ in 0..<Self.timeframes { slots.append(-1) }
        }
        return number
    }

    /// The server calls a stream by its full name where it was requested by its short one.
    mutating func learn(_ symbol: String, _ timeframe: Timeframe, isEntry index: Int) {
        let slot = intern(symbol) * Self.timeframes + timeframe.index
        if slots[slot] < 0 { slots[slot] = Int32(index) }
    }

    // MARK: Requested streams

    mutating func subscribe(_ request: SubscribeRequest) -> SubscriptionNumber {
        let requested = Self.normalised(request)
        if let index = index(requested.symbol, requested.timeframe), let known = entries[index] {
            change(index, to: requested)
            return known.number
        }
        let symbol = intern(requested.symbol)
        lastNumber += 1
        let number = SubscriptionNumber(rawValue: lastNumber)
        var entry = Subscription(number: number, requested: requested, symbol: symbol)
        if let position = request.recover {
            // The application kept the candles and the position of an earlier session.
            _ = entry.progress.restart(at: position)
            entry.freshReason = nil
        }
        let index: Int
        if let free = freeEntries.popLast() {
            index = free
            entries[index] = entry
        } else {
            index = entries.count
            entries.append(entry)
        }
        slots[symbol * Self.timeframes + requested.timeframe.index] = Int32(index)
        enqueue(index)
        return number
    }

    private static func normalised(_ request: SubscribeRequest) -> SubscribeRequest {
        var requested = request
        requested.id = nil
        requested.recover = nil
        requested.history = min(max(0, requested.history), SubscribeRequest.maximumHistory)
        if let rate = requested.maxRate {
            let range = SubscribeRequest.rateRange
            requested.maxRate = rate >= range.lowerBound ? min(rate, range.upperBound) : range.lowerBound
        }
        return requested
    }

    /// Other options for a stream that is there already.
    private mutating func change(_ index: Int, to requested: SubscribeRequest) {
        guard let old = entries[index] else { return }
        entries[index]?.requested = requested
        if old.refusal != nil {
            entries[index]?.refusal = nil
            enqueue(index)
        } else if old.requested != requested {
            // More of the past is in no replay.
            if requested.history > old.requested.history { entries[index]?.freshReason = .first }
            enqueue(index)
        }
    }

    mutating func unsubscribe(_ number: SubscriptionNumber) {
        guard let index = index(of: number) else { return }
        leave(index)
        entries[index] = nil
        freeEntries.append(index)
        // Also under the names that the server gave it.
        for slot in slots.indices where slots[slot] == Int32(index) { slots[slot] = -1 }
    }

    mutating func setPaused(_ isPaused: Bool, _ number: SubscriptionNumber) {
        guard let index = index(of: number), entries[index]?.isPaused != isPaused else { return }
        entries[index]?.isPaused = isPaused
        if isPaused { rest(index) } else { enqueue(index) }
    }

    mutating func setHidden(_ isHidden: Bool) {
        guard self.isHidden != isHidden else { return }
        self.isHidden = isHidden
        for index in entries.indices where entries[index] != nil && entries[index]?.isPaused == false {
            switch configuration.hidden {
            case .unsubscribe: if isHidden { rest(index) } else { enqueue(index) }
            case .rate:
                if !isHidden { needsFresh(index, .resumed) }
                enqueue(index)
            }
        }
    }

    /// The stream is not looked at: what it misses is not to be replayed later in a burst, but replaced by a snapshot.
    private mutating func rest(_ index: Int) {
        leave(index)
        needsFresh(index, .resumed)
    }

    mutating func needsFresh(_ index: Int, _ reason: SnapshotReason) {
        if entries[index]?.freshReason == nil { entries[index]?.freshReason = reason }
    }

    private mutating func leave(_ index: Int) {
        guard let entry = entries[index] else { return }
        if let owner = entry.owner { leave(entry, on: owner) }
        // Also what is not listened to any more, after a gap or an answer that did not come, is still sent.
        if let socket = entry.requestedOn, socket != entry.owner { leave(entry, on: socket) }
        entries[index]?.requestedOn = nil
        entries[index]?.detach()
        entries[index]?.isQueued = false
    }

    private mutating func leave(_ entry: Subscription, on socket: SocketNumber) {
        leaving.append(Leaving(symbol: entry.requested.symbol, timeframe: entry.requested.timeframe, socket: socket))
    }

    /// Whether the server is to serve it.
    func isWanted(_ entry: Subscription) -> Bool {
        guard !entry.isPaused, entry.refusal == nil else { return false }
        return !isHidden || configuration.hidden != .unsubscribe
    }

    /// Sendings a second to request.
    func rate(of entry: Subscription) -> Double? {
        let wanted = entry.requested.maxRate ?? configuration.defaultMaxRate
        guard isHidden, case .rate(let hidden) = configuration.hidden else { return wanted }
        let slow = max(hidden, SubscribeRequest.rateRange.lowerBound)
        return wanted.map { min($0, slow) } ?? slow
    }

    mutating func enqueue(_ index: Int) {
        guard entries[index]?.isQueued == false else { return }
        entries[index]?.isQueued = true
        queue.append(index)
    }

    func info(_ number: SubscriptionNumber) -> SubscriptionInfo? {
        guard let index = index(of: number), let entry = entries[index] else { return nil }
        return SubscriptionInfo(
            symbol: entry.requested.symbol, timeframe: entry.requested.timeframe, state: state(of: entry),
            position: entry.progress.position, lastTickAt: symbols[entry.symbol].lastTickAt,
            isStale: entry.isReportedStale)
    }

    private func state(of entry: Subscription) -> SubscriptionInfo.State {
        if let refusal = entry.refusal { return .refused(refusal) }
        if !isWanted(entry) { return .paused }
        if entry.isLive { return .live }
        return entry.isRequested ? .subscribing : .waiting
    }
}
