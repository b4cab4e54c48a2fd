package import StreamCore

/// One connection to a venue: opens it, requests the trades of its symbols within the venue's limits, watches answers and
/// liveness, requests again after each outage, and replaces the connection before the venue cuts it.
///
/// A value without IO or clock: what sockets report goes in with the time (seconds that do not go back), what is to be done
/// comes out of `nextAction`. The trades of a message are in `venueSession` until the next one.
///
/// ```swift
/// var session = FeedSession(KrakenAdapter(), symbols: ["BTC/USD"], seed: 1)
/// session.connect(now: 0)
/// while let action = session.nextAction() { perform(action) }       // open a socket, send a text, ...
/// session.received(bytes, on: socket, now: 0.2)
/// for trade in session.venueSession.trades { aggregate(trade.market, trade.tick) }
/// ```
package struct FeedSession {
    /// Sockets are opened at `url`; a token is handed over with `setToken` or `tokenFailed`.
    package typealias Action = SocketAction<SocketNumber, FeedFrame, FeedEvent>

    /// One socket, and what was requested on it.
    struct Line: Sendable {
        enum Stage: Sendable { case none, requested, live }

        struct Request: Sendable {
            var number: Int
            var action: FeedAction
            var symbols: [Int]
            var due: Double
        }

        var socket: SocketNumber
        /// For each symbol.
        var stages: [Stage]
        var requests: [Request] = []
        /// For each symbol, how many of the venue's extra channels were requested.
        var extras: [Int]
        /// The numbers of those requests; the newest.
        var extraRequests: [Int] = []
        var lastNumber = 0
        var bucket: TokenBucket
    }

    /// A symbol, whichever socket it comes on.
    struct Symbol: Sendable {
        var name: String
        var isWanted = true
        /// What the venue said against it.
        var refusal: String?
        /// It was in a request that was refused as a whole: by itself it shows whether it was the reason.
        var isAlone = false
        /// Requests in a row that got no answer, or one that may be another in a while.
        var silences = 0
        /// Not to be requested before.
        var notBefore = -Double.infinity
        var isLive = false
    }

    package let adapter: any FeedAdapter
    /// Reads the messages; its markets are numbered like `symbols`.
    package internal(set) var venueSession: VenueSession
    /// Keeps the order books of the same markets; `nil` where the feed has none.
    package internal(set) var books: BookSession?
    package var symbols: [String] { states.map(\.name) }
    package var symbolCount: Int { states.count }
    /// Whether a symbol's trades are wanted. A venue without a request to stop goes on sending those of others.
    package func isWanted(_ symbol: Int) -> Bool { states.indices.contains(symbol) && states[symbol].isWanted }
    /// What the venue says of itself; `nil`: it works.
    package private(set) var outage: String?
    /// How often the connection was tried again, and came back.
    package private(set) var reconnects = ReconnectCounts()
    /// Whether the connection is closed while no symbol is wanted: venues cut those on which nothing is subscribed.
    package var closesUnwanted = false
    /// It is closed for that reason.
    package private(set) var isResting = false

    var machine: ConnectionMachine
    var states: [Symbol]
    var lines: [Line] = []
    let baseURL: String
    private var token = ""
    private var retryAt = Double.infinity
    /// When a new token is wanted for the connections to come.
    private var renewAt = Double.infinity
    private var actions = ActionQueue<Action>()
    /// The first message, as long as none is understood, and when that is reported.
    var foreign: (first: String, reportAt: Double)?
    /// A message was understood, or it was reported that none is.
    var isLanguageKnown = false

    /// Messages, and seconds from the first of them on, after which it is reported that none is understood.
    static let foreignMessages = 20
    static let foreignTime = 30.0
    /// Seconds until a symbol is requested again that the venue dropped.
    static let rejoinPause = 5.0
    /// Seconds between attempts to renew a token.
    static let renewalPause = 3600.0
    /// Requests without an answer after which a symbol is reported as silent.
    static let silenceLimit = 3
    /// Seconds between further attempts then.
    static let silencePause = 60.0
    /// Waits for the next attempt after refusals that pass.
    static let refusalPauses = Backoff.Configuration(first: 5, cap: silencePause)
    /// Seconds until a venue is tried again that refused the connection as a whole. Its reason may be gone by then: a ban
    /// that ends, a guard in front of it; and nothing else would ever try.
    static let failurePause = 60.0

    /// - Parameters:
    ///   - symbols: each once, at most `adapter.limits.symbolsPerConnection`.
    ///   - url: instead of the venue's own address, whose path it gets where it has none.
    ///   - maximumAge: seconds after which the connection is replaced; `nil`: as the venue's rules have it.
    package init(
        _ adapter: any FeedAdapter, symbols: [String], url: String? = nil, maximumAge: Double? = nil, seed: UInt64
    ) {
        self.adapter = adapter
        baseURL = url.map { FeedAddress.completed($0, like: adapter.endpoint) } ?? adapter.endpoint
        venueSession = adapter.venueSession(markets: symbols)
        states = symbols.map { Symbol(name: $0) }
        if let adapter = adapter as? any BookAdapter, let rules = adapter.bookRules {
            books = BookSession(rules, adapter.bookReader, markets: symbols.count)
        }
        var connection = ConnectionConfiguration()
        connection.requiresToken = adapter.needsToken
        connection.rotation = maximumAge ?? adapter.limits.rotation
        switch adapter.liveness {
        case .traffic(let every): connection.heartbeat = .init(interval: every, deadline: every)
        case .ping(let every, _):
            connection.heartbeat = .init(interval: every, deadline: min(every, 10), kind: .message)
        }
        machine = ConnectionMachine(connection, seed: seed)
    }

    package var state: SessionState { machine.state }
    /// All attempts of the backoff failed: from now on there is one a minute.
    package var isSlowRetry: Bool { machine.backoff.isSlow }
    /// With the token, where the venue needs one there: never to be shown.
    package var url: String { adapter.address(baseURL, token: token) }
    package mutating func nextAction() -> Action? { actions.popFirst() }
    /// Whether something is to be done.
    package var hasActions: Bool { !actions.isEmpty }
    mutating func act(_ action: Action) { actions.append(action) }
    mutating func report(_ event: FeedEvent) { actions.append(.emit(event)) }

    // MARK: Intents

    package mutating func connect(now: Double) {
        isResting = false
        update(now) { $0.connect(now: now) }
    }

    package mutating func disconnect(now: Double) {
        isResting = false
        renewAt = .infinity
        update(now) { $0.disconnect(now: now) }
    }

    /// Ends a wait at once.
    package mutating func retryNow(now: Double) { update(now) { $0.retryNow(now: now) } }

    /// Requests a symbol's trades, a refused one's too, or ends that: no reader watches it. See `closesUnwanted`.
    package mutating func setWanted(_ symbol: Int, _ isWanted: Bool, now: Double) {
        guard states.indices.contains(symbol), states[symbol].isWanted != isWanted || states[symbol].refusal != nil
        else { return }
        if isWanted, !states[symbol].isWanted { venueSession.symbolResumed(states[symbol].name) }
        states[symbol].isWanted = isWanted
        if !isWanted { books?.suspend(symbol, now: now) }
        states[symbol].refusal = nil
        states[symbol].silences = 0
        states[symbol].notBefore = -.infinity
        if isResting, isWanted {
            isResting = false
            machine.connect(now: now)
        } else if closesUnwanted, machine.state != .idle, machine.state != .closed,
            !states.contains(where: \.isWanted)
        {
            isResting = true
            machine.disconnect(now: now)
        }
        performActions(now)
    }

    /// Requests one more symbol's trades, or again those of a known one.
    /// - Returns: its number; the caller keeps to `adapter.limits.symbolsPerConnection`.
    @discardableResult package mutating func add(_ symbol: String, now: Double) -> Int {
        let number = venueSession.market(of: symbol)
        // Markets that came without a request have numbers, too.
        for name in venueSession.symbols.names.dropFirst(states.count) {
            states.append(Symbol(name: name, isWanted: false))
            for line in lines.indices {
                lines[line].stages.append(.none)
                lines[line].extras.append(0)
            }
        }
        setWanted(number, true, now: now)
        return number
    }

    package mutating func setToken(_ token: String, now: Double) {
        guard machine.state != .closed else { return }
        self.token = token
        renewAt = adapter.tokenLifetime.map { now + $0 } ?? .infinity
        update(now) { $0.tokenChanged(isAvailable: !token.isEmpty, now: now) }
    }

    /// - Parameter error: why there is none, to be reported. Credentials that are refused end the attempts until the next
    ///   minute; an open connection goes on with what it has.
    package mutating func tokenFailed(_ error: FeedTokenError? = nil, now: Double) {
        if let error { report(.problem(.server(code: "token", message: error.description))) }
        let isRefusal = error?.isRefusal == true && machine.state != .open
        update(now) { isRefusal ? $0.tokenChanged(isAvailable: false, now: now) : $0.tokenFailed(now: now) }
    }

    // MARK: Time

    /// When `timerFired` is to be called; `nil`: not at all. Calling it earlier does no harm.
    package var deadline: Double? {
        var earliest = min(machine.deadline ?? .infinity, retryAt, renewAt)
        for line in lines { earliest = min(earliest, workDue(line)) }
        if let foreign, !lines.isEmpty { earliest = min(earliest, foreign.reportAt) }
        earliest = min(earliest, booksDue)
        return earliest == .infinity ? nil : earliest
    }

    package mutating func timerFired(now: Double) {
        if now >= retryAt {
            retryAt = .infinity
            machine.connect(now: now)
        }
        if now >= renewAt {
            renewAt = now + Self.renewalPause
            if machine.state == .open { act(.fetchToken(wasRejected: false)) }
        }
        if let foreign, !lines.isEmpty, now >= foreign.reportAt { reportForeign() }
        machine.timerFired(now: now)
        books?.timerFired(now: now)
        expire(now)
        performActions(now)
    }

    // MARK: The machine's actions

    mutating func update(_ now: Double, _ body: (inout ConnectionMachine) -> Void) {
        body(&machine)
        performActions(now)
    }

    /// Performs the machine's actions, and sends what may be sent.
    mutating func performActions(_ now: Double) {
        while true {
            while let action = machine.nextAction() { perform(action, now) }
            reportBooks(now)
            for index in lines.indices { pump(index, now) }
            guard handOver(now) else { return }
        }
    }

    private mutating func perform(_ action: ConnectionMachine.Action, _ now: Double) {
        switch action {
        case .open(let number): act(.open(number))
        // The token was in the address: the server that opened the socket has accepted it.
        case .authenticate(let number): machine.authenticated(number, now: now)
        case .ready(let number):
            let limits = adapter.limits
            lines.append(
                Line(
                    socket: number, stages: Array(repeating: .none, count: states.count),
                    extras: Array(repeating: 0, count: states.count),
                    bucket: TokenBucket(rate: limits.messagesPerSecond, burst: limits.messageBurst, now: now)))
            for text in adapter.greeting { act(.send(number, .text(text))) }
        case .lost(let number):
            lines.removeAll { $0.socket == number }
            if lines.isEmpty { foreign = nil }
            venueSession.connectionEnded(number.rawValue)
            books?.connectionEnded(number.rawValue, now: now)
            for index in states.indices where states[index].isLive { review(index) }
        case .ping(let number):
            if case .ping(_, let text) = adapter.liveness {
                act(.send(number, .text(text)))
            } else {
                act(.ping(number))
            }
        case .close(let number, let code, let reason): act(.close(number, code, reason: reason))
        case .drop(let number): act(.drop(number))
        case .fetchToken(let wasRejected): act(.fetchToken(wasRejected: wasRejected))
        case .state(let state):
            reconnects.changed(to: state)
            if case .failed = state { retryAt = now + Self.failurePause } else { retryAt = .infinity }
            report(.state(state))
        case .latency: break
        case .problem(let problem): report(.problem(problem))
        }
    }

    mutating func setOutage(_ reason: String?) {
        guard reason != outage else { return }
        outage = reason
        report(.unavailable(reason))
    }
}
