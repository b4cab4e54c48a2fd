internal import MarketModel

/// Keeps one connection: opens it, authenticates it, watches it, replaces it, and comes back when it is lost.
///
/// A value without IO, clock or protocol: what the owner requests and what its sockets report goes in with the time, what
/// is to be done comes out of `nextAction`. One owner, one timer (`deadline`), each change of state reported once.
///
/// ```
///            connect            opened                authenticated
///   idle ------------> connecting ---> authenticating --------------> open
///                       ^   |  no token wanted: at once                |
///                       |   | refused, closed, too late                | closed, no answer to a ping
///                       |   v                                          v
///                      waiting(until) <---------------------------------
///                       |  no use: failed(reason)
///   disconnect from anywhere: closed
/// ```
///
/// Normally there is one socket; while a connection is replaced (`rotation`), two.
package struct ConnectionMachine {
    /// What the owner is to do.
    package enum Action: Equatable, Sendable {
        case open(SocketNumber)
        /// The socket is open: send the token. Report `authenticated` or `unauthorized`.
        case authenticate(SocketNumber)
        /// The socket may be used. During a rotation it is a second one; then report `rotated` when it does all that
        /// the first one did.
        case ready(SocketNumber)
        /// A socket that was ready is no more.
        case lost(SocketNumber)
        case ping(SocketNumber)
        case close(SocketNumber, WebSocketCloseCode, reason: String)
        case drop(SocketNumber)
        case fetchToken(wasRejected: Bool)
        case state(SessionState)
        case latency(Double)
        /// Something went wrong; what it leads to follows.
        case problem(SessionProblem)
    }

    enum Stage { case opening, authenticating, ready }

    struct Socket {
        var number: SocketNumber
        var stage = Stage.opening
        /// When the stage must be over.
        var stageEndsAt: Double
        var readySince = Double.infinity
        var heartbeat: Heartbeat
        /// A new token was sent on the open connection, and not answered yet.
        var isRenewing = false

        mutating func becomeReady(now: Double, heartbeat configuration: Heartbeat.Configuration) {
            stage = .ready
            stageEndsAt = .infinity
            readySince = now
            heartbeat = Heartbeat(configuration, now: now)
        }
    }

    /// Seconds that a second socket has, from ready on, until it is served; then it replaces the first as it is.
    static let handoverTime = 60.0
    /// Seconds until a failed rotation is tried again.
    static let rotationRetry = 60.0
    /// The longest pause a server may request, in seconds: a mistaken header must not silence a chart for a day.
    static let maxAdvice = 3600.0
    /// Seconds between two returns of the network that end a wait at once.
    static let networkPause = 30.0

    let configuration: ConnectionConfiguration
    package internal(set) var state = SessionState.idle
    package internal(set) var backoff: Backoff
    /// Connections that became open, rotations not counted.
    package internal(set) var connects = 0
    package internal(set) var rotations = 0

    /// The socket in use, or on its way to that. None in `authenticating` means: waiting for a token.
    var current: Socket?
    /// The one that will replace it.
    var next: Socket?
    var rotateAt = Double.infinity
    var handoverEndsAt = Double.infinity
    var stableAt = Double.infinity
    /// When the server lets us return, from its announcement that it will close.
    var announcedReturn: Double?
    /// The connection is made with a token: the server demands one, or the owner gave one.
    var usesToken: Bool
    /// A token is at hand that the server has not refused.
    var hasToken = false
    var isFetchingToken = false
    /// When the owner's token must be there, while there is no socket that could go on without.
    var tokenDueAt = Double.infinity
    /// A token was refused since the last stable connection: the next refusal is final.
    var wasTokenRefused = false
    var isNetworkAvailable = true
    /// When a return of the network last ended a wait.
    var networkUsedAt = -Double.infinity
    /// Whether the user is watching what the connection brings, and would have to wait for it.
    var isWatched = true
    private var jitter: SeededGenerator
    private var lastNumber = 0
    private var actions = ActionQueue<Action>()

    package init(_ configuration: ConnectionConfiguration, seed: UInt64) {
        self.configuration = configuration
        backoff = Backoff(configuration.backoff)
        jitter = SeededGenerator(seed: seed)
        usesToken = configuration.requiresToken
    }

    /// What is to be done; called until `nil` after each change.
    package mutating func nextAction() -> Action? { actions.popFirst() }

    var hasActions: Bool { !actions.isEmpty }
    mutating func act(_ action: Action) { actions.append(action) }

    /// When `timerFired` is to be called; `nil`: not at all. Calling it earlier does no harm.
    package var deadline: Double? {
        var earliest = Double.infinity
        if case .waiting(let until) = state { earliest = until }
        if isFetchingToken, current == nil, state == .authenticating { earliest = tokenDueAt }
        if let current {
            earliest = min(earliest, current.stage == .ready ? current.heartbeat.dueAt : current.stageEndsAt)
        }
        if let next { earliest = min(earliest, next.stage == .ready ? next.heartbeat.dueAt : next.stageEndsAt) }
        if current?.stage == .ready { earliest = min(earliest, rotateAt, handoverEndsAt, stableAt) }
        return earliest == .infinity ? nil : earliest
    }

    /// The socket that requests go to: the new one as soon as it is ready.
    package var writable: SocketNumber? {
        if let next, next.stage == .ready { return next.number }
        return current?.stage == .ready ? current?.number : nil
    }

    /// The second socket, once it may be used.
    package var rotatingTo: SocketNumber? { next?.stage == .ready ? next?.number : nil }

    /// Since when the connection has been open; `nil` where it is not.
    package var openSince: Double? { state == .open ? openedAt : nil }
    var openedAt = 0.0

    package var roundTrip: Double? { current?.heartbeat.roundTrip }
    package func isOurs(_ number: SocketNumber) -> Bool { current?.number == number || next?.number == number }

    /// The socket of this number, while it is ours.
    subscript(number: SocketNumber) -> Socket? {
        get { current?.number == number ? current : next?.number == number ? next : nil }
        set { if current?.number == number { current = newValue } else if next?.number == number { next = newValue } }
    }

    /// Whether what arrives on the socket concerns us: it is ours, and open.
    func isListening(to number: SocketNumber) -> Bool {
        if let current, current.number == number { return current.stage != .opening }
        if let next, next.number == number { return next.stage != .opening }
        return false
    }

    // MARK: Changes

    mutating func setState(_ new: SessionState) {
        guard new != state else { return }
        state = new
        act(.state(new))
    }

    /// Opens the socket that the connection will live on.
    mutating func openCurrent(now: Double) {
        guard hasToken || !usesToken else { return awaitToken(wasRejected: wasTokenRefused, now: now) }
        current = newSocket(now: now)
        setState(.connecting)
    }

    mutating func newSocket(now: Double) -> Socket {
        lastNumber += 1
        let number = SocketNumber(rawValue: lastNumber)
        act(.open(number))
        return Socket(
            number: number, stageEndsAt: now + configuration.connectTimeout,
            heartbeat: Heartbeat(configuration.heartbeat, now: now))
    }

    mutating func awaitToken(wasRejected: Bool, now: Double) {
        setState(.authenticating)
        if !isFetchingToken { fetchToken(wasRejected: wasRejected, now: now) }
    }

    mutating func fetchToken(wasRejected: Bool, now: Double) {
        isFetchingToken = true
        tokenDueAt = now + configuration.connectTimeout
        act(.fetchToken(wasRejected: wasRejected))
    }

    /// Lets go of a socket.
    mutating func release(_ socket: Socket, _ code: WebSocketCloseCode?, reason: String = "") {
        if socket.stage == .ready { act(.lost(socket.number)) }
        if let code, socket.stage != .opening {
            act(.close(socket.number, code, reason: reason))
        } else {
            act(.drop(socket.number))
        }
    }

    mutating func releaseAll(_ code: WebSocketCloseCode?, reason: String = "") {
        if let next { release(next, code, reason: reason) }
        if let current { release(current, code, reason: reason) }
        current = nil
        endRotation()
        rotateAt = .infinity
        stableAt = .infinity
    }

    mutating func endRotation() {
        next = nil
        handoverEndsAt = .infinity
    }

    mutating func fail(_ failure: SessionFailure) {
        releaseAll(.normal)
        isFetchingToken = false
        setState(.failed(failure))
    }

    /// Waits for the next attempt; there is no socket any more.
    /// - Parameter advice: seconds the server requested.
    mutating func scheduleRetry(now: Double, advice: Double? = nil) {
        guard let delay = backoff.next(random: jitter.unit(), isWatched: isWatched) else {
            return fail(.attemptsExhausted)
        }
        var until = now + max(delay, min(advice ?? 0, Self.maxAdvice))
        if let announced = announcedReturn, announced > now {
            // A server that announces its end spreads its clients itself. One that does so again and again is no
            // better than one that just drops them.
            until = backoff.attempts > 1 ? max(until, announced) : announced
        }
        announcedReturn = nil
        setState(.waiting(until: until))
    }
}
