import MarketModel
import StreamCore

/// An application with a session: what it shows, and whether the session kept its promises.
final class ModelClient {
    /// One stream as the application shows it.
    final class View {
        let number: SubscriptionNumber
        let symbol: String
        let timeframe: Timeframe
        var candles: [Double: Candle] = [:]
        var lastTick: Tick?
        /// Number of the last final candle that is shown; `nil`: nothing is.
        var finals: Int?
        var position: StreamPosition?
        /// Reported since the last message.
        var skipped = 0
        /// Only a snapshot may come next.
        var needsSnapshot = true
        var isPaused = false
        var isRefused = false
        var isStale = false

        init(_ number: SubscriptionNumber, _ symbol: String, _ timeframe: Timeframe) {
            self.number = number
            self.symbol = symbol
            self.timeframe = timeframe
        }
    }

    let index: Int
    var session: StreamSession
    var links: [Int: ModelLink] = [:]
    private(set) var views: [Int: View] = [:]
    private(set) var channels: [ChannelKey: ModelChannel] = [:]
    private(set) var reported = SessionState.idle
    private(set) var isHidden = false
    var wantsConnection = false
    /// Times in a row that the timer wanted to be looked at again at once.
    var busy = 0
    /// A token is being fetched, and will be there then.
    var tokenAt: Double?
    private let server: ModelServer
    private(set) var problem: String?
    private(set) var finalsDelivered = 0
    private(set) var messagesDelivered = 0
    private(set) var channelMessages = 0
    private(set) var channelStarts = 0
    private(set) var snapshots: [SnapshotReason: Int] = [:]
    private(set) var outages = 0
    /// The last things that happened, for the report of a failure.
    private(set) var trace: [String] = []

    init(_ index: Int, _ configuration: SessionConfiguration, seed: UInt64, server: ModelServer) {
        self.index = index
        self.server = server
        session = StreamSession(configuration, seed: seed)
    }

    func note(_ text: @autoclosure () -> String) {
        trace.append(text())
        if trace.count > 160 { trace.removeFirst(80) }
    }

    func fail(_ text: String) {
        if problem == nil { problem = "client \(index): \(text)" }
    }

    // MARK: Requests

    func subscribe(_ symbol: String, _ timeframe: Timeframe, history: Int, maxRate: Double?, now: Double) {
        let request = SubscribeRequest(symbol: symbol, timeframe: timeframe, history: history, maxRate: maxRate)
        let number = session.subscribe(request, now: now)
        if let view = views[number.rawValue] {
            if view.isRefused { view.isRefused = false }
            if view.symbol != symbol || view.timeframe != timeframe { fail("a number was given twice") }
        } else {
            views[number.rawValue] = View(number, symbol, timeframe)
        }
    }

    func unsubscribe(_ view: View, now: Double) {
        session.unsubscribe(view.number, now: now)
        views[view.number.rawValue] = nil
    }

    func subscribe(_ key: ChannelKey, now: Double) {
        let mayGoBack = session.configuration.rotation != nil
        channels[key, default: ModelChannel(key, mayGoBack: mayGoBack)].wantAgain()
        session.subscribe(key, now: now)
    }

    func unsubscribe(_ key: ChannelKey, now: Double) {
        channels[key] = nil
        session.unsubscribe(key, now: now)
    }

    func pause(_ view: View, _ isPaused: Bool, now: Double) {
        guard view.isPaused != isPaused else { return }
        view.isPaused = isPaused
        if isPaused {
            session.pause(view.number, now: now)
            view.needsSnapshot = true
        } else {
            session.resume(view.number, now: now)
        }
    }

    func hide(_ isHidden: Bool, now: Double) {
        guard self.isHidden != isHidden else { return }
        self.isHidden = isHidden
        if isHidden, session.configuration.hidden == .unsubscribe {
            // A client that comes back gets a snapshot, and no burst.
            for view in views.values where !view.isPaused { view.needsSnapshot = true }
        }
        session.setHidden(isHidden, now: now)
    }

    // MARK: Events

    func receive(_ event: SessionEvent, now: Double) {
        switch event {
        case .state(let state):
            if state == reported { fail("state \(state) reported twice") }
            if reported == .open, state != .closed { outages += 1 }
            reported = state
        case .stream(let number, let event):
            guard let view = views[number.rawValue] else { return fail("an event of an ended subscription: \(event)") }
            receive(event, view)
        case .channel(let key, let event): receive(event, key)
        case .latency(let seconds): if seconds < 0 || seconds > 120 { fail("latency \(seconds)") }
        case .problem(let code, _): if code == "malformed" { fail("malformed message") }
        case .unknownMessage(let type): fail("unknown type \(type)")
        case .closing: break
        }
    }

    private func receive(_ event: StreamChannelEvent, _ key: ChannelKey) {
        if channels[key] == nil { return fail("an event of a channel that is not wanted: \(event)") }
        if let problem = channels[key]?.receive(event, isHidden: isHidden) { fail(problem) }
        switch event {
        case .message: channelMessages += 1
        case .subscribed: channelStarts += 1
        case .refused, .skipped: break
        }
    }

    private func receive(_ event: StreamEvent, _ view: View) {
        switch event {
        case .subscribed(let recovered):
            if recovered, view.needsSnapshot { fail("recovered where a snapshot is due") }
            if !recovered { view.needsSnapshot = true }
        case .snapshot(let candles, let reason): receive(candles, reason, view)
        case .tick(let tick):
            view.lastTick = tick
            deliver(.tick(tick), view)
        case .candle(let bar):
            view.candles[bar.candle.timestamp] = bar.candle
            deliver(.candle(bar), view)
        case .skipped(let count):
            if count <= 0 { fail("skipped \(count)") }
            view.skipped += count
        case .gap: view.needsSnapshot = true
        case .stale:
            if view.isStale { fail("stale reported twice") }
            view.isStale = true
        case .fresh:
            if !view.isStale { fail("fresh without stale") }
            view.isStale = false
        case .refused:
            if view.isRefused { fail("refused reported twice") }
            view.isRefused = true
        }
    }

    private func receive(_ candles: [Candle], _ reason: SnapshotReason, _ view: View) {
        snapshots[reason, default: 0] += 1
        if view.isPaused || (isHidden && session.configuration.hidden == .unsubscribe) {
            fail("a snapshot for a view without a reader")
        }
        guard let position = session.subscription(view.number)?.position,
            let stream = server.stream(view.symbol, view.timeframe)
        else { return fail("a snapshot without a position") }
        guard let finals = stream.finals(at: position) else { return fail("a snapshot at \(position), not published") }
        view.candles = [:]
        for candle in candles { view.candles[candle.timestamp] = candle }
        if let before = view.finals, finals < before { fail("a snapshot older than what was shown") }
        view.finals = finals
        view.position = position
        view.skipped = 0
        view.needsSnapshot = false
    }

    /// A message that continues what is shown: it must be the next one, but for what was reported to be left out.
    private func deliver(_ what: ModelStream.Published, _ view: View) {
        messagesDelivered += 1
        guard !view.needsSnapshot else { return fail("\(what) where a snapshot is due") }
        guard let position = session.subscription(view.number)?.position,
            let stream = server.stream(view.symbol, view.timeframe), let before = view.position
        else { return fail("delivered without a position") }
        guard stream.message(at: position) == what else {
            return fail("\(what) at \(position), where the server published \(stream.message(at: position) as Any)")
        }
        if position.epoch != before.epoch { fail("the epoch changed without a snapshot") }
        if position.offset - before.offset != 1 + Int64(view.skipped) {
            fail("from \(before.offset) to \(position.offset) with \(view.skipped) reported")
        }
        view.position = position
        view.skipped = 0
        guard case .candle(let bar) = what, bar.isFinal else { return }
        finalsDelivered += 1
        guard let number = stream.finals(at: position) else { return fail("a final candle not published") }
        if number != (view.finals ?? -1) + 1 { fail("final \(number) after \(view.finals ?? -1)") }
        view.finals = number
    }

    // MARK: Promises

    /// What must hold whenever nothing is left to be done.
    func check(now: Double) {
        if reported != session.state { fail("state \(session.state), reported \(reported)") }
        if session.nextAction() != nil { fail("actions left behind") }
        let open = links.values.filter { !$0.isForgotten }.count
        let isRotating = session.configuration.rotation != nil
        if open > (isRotating ? 2 : 1) { fail("\(open) sockets") }
        switch session.state {
        case .idle, .failed, .closed:
            if open > 0 { fail("\(open) sockets in \(session.state)") }
            if session.deadline != nil { fail("a timer in \(session.state)") }
        case .waiting(let until):
            if open > 0 { fail("\(open) sockets while waiting") }
            if session.deadline != until { fail("waiting until \(until), timer \(session.deadline as Any)") }
        case .connecting, .open: if open == 0 || session.deadline == nil { fail("no socket in \(session.state)") }
        case .authenticating: break
        }
    }

    /// Whether the application shows exactly what the server has.
    func compare() {
        if session.state != .open { return fail("not open after healing: \(session.state)") }
        let shown = views.values.filter { !$0.isPaused }.compactMap { server.stream($0.symbol, $0.timeframe)?.key.slot }
        // While one connection replaces another, two serve.
        for link in links.values where links.count == 1 && server.served(link) != Set(shown) {
            fail("served \(server.served(link) as Any), wanted \(shown)")
        }
        compareChannels()
        for view in views.values.sorted(by: { $0.number.rawValue < $1.number.rawValue }) where !view.isPaused {
            guard let stream = server.stream(view.symbol, view.timeframe) else {
                if !view.isRefused { fail("\(view.symbol) was not refused") }
                continue
            }
            if view.needsSnapshot { fail("no snapshot of \(view.symbol) \(view.timeframe)") }
            if view.position != server.position(of: stream) {
                fail(
                    "\(view.symbol) \(view.timeframe) at \(view.position as Any), server at \(server.position(of: stream) as Any)"
                )
            }
            let mine = view.candles.values.sorted { $0.timestamp < $1.timestamp }
            let theirs = stream.candles(.max).filter { $0.timestamp >= mine.first?.timestamp ?? 0 }
            // The server forgets its oldest candles.
            if Array(mine.suffix(theirs.count)) != theirs {
                fail("\(view.symbol) \(view.timeframe): \(mine.suffix(3)) is not \(theirs.suffix(3))")
            }
            if view.lastTick != stream.lastTick { fail("the last tick differs") }
            if view.finals != stream.finalCount { fail("final \(view.finals ?? -1) of \(stream.finalCount)") }
        }
    }

    private func compareChannels() {
        var known: Set<ChannelKey> = []
        for (key, channel) in channels {
            guard key.account.map(ModelLedger.accounts.contains) ?? true else {
                if !channel.isRefused { fail("\(key) was not refused") }
                continue
            }
            known.insert(key)
            if channel.needsSnapshot { fail("no snapshot of \(key)") }
            if channel.body != server.ledger.body(key) {
                fail("\(key) shows \(channel.body), the server has \(server.ledger.body(key))")
            }
            if key.channel == .orders, channel.sequence != server.ledger.sequence(key) {
                fail("\(key) at \(channel.sequence as Any), the server at \(server.ledger.sequence(key) as Any)")
            }
            if session.channel(key) != .live { fail("\(key) is \(session.channel(key) as Any)") }
        }
        for link in links.values where links.count == 1 && server.channels(link) != known {
            fail("served channels \(server.channels(link)), wanted \(known)")
        }
    }
}
