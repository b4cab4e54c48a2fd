public import StreamCore

/// A client as a machine: what happens and the time go in, what is to be done comes out. `StreamSession` is one; so can
/// yours be.
public protocol ScriptedClient {
    associatedtype Event

    mutating func opened(socket: Int, now: Double)
    mutating func refused(socket: Int, status: Int, retryAfter: Double?, now: Double)
    mutating func received(_ text: String, socket: Int, now: Double)
    mutating func ponged(socket: Int, now: Double)
    /// Not called for sockets that the client closed or dropped itself.
    mutating func closed(socket: Int, code: WebSocketCloseCode, reason: String, now: Double)
    /// Called at `deadline`.
    mutating func timerFired(now: Double)
    var deadline: Double? { get }
    /// What is to be done next; called until `nil`.
    mutating func nextScriptedAction() -> ScriptedAction<Event>?
}

/// What a `ScriptedClient` requests.
public enum ScriptedAction<Event> {
    case open(socket: Int)
    case send(String, socket: Int)
    case ping(socket: Int)
    case close(WebSocketCloseCode, socket: Int)
    case drop(socket: Int)
    case event(Event)
    /// Something that concerns neither the transport nor the test, as a request for a token: the test answers it with
    /// `ScriptedTransport.update`.
    case other(String)
}

/// Drives a client machine in memory, on a manual clock, against scripts of what its peer does: minutes of backoff and
/// heartbeats in no time, the same in every run.
///
/// ```swift
/// var transport = ScriptedTransport(client: StreamSession(seed: 1), scripts: [
///     [.wait(1), .cut],
///     [.refuse(status: 503, retryAfter: 7)],
///     [.expectText(containing: "subscribe"), .send(answer)],
/// ])
/// transport.update { session, now in session.connect(now: now) }
/// transport.run(for: 60)
/// #expect(transport.failures.isEmpty)
/// #expect(transport.log.contains("7.0 open 3"))
/// ```
public struct ScriptedTransport<Client: ScriptedClient> {
    private struct Peer {
        var steps: [PeerStep]
        var index = 0
        var inbox: [String] = []
        var isOpen = false
        var isGone = false
        var isStalled = false
        var wakesAt: Double?
        /// The client's close, once it came.
        var closedWith: WebSocketCloseCode?
    }

    public private(set) var client: Client
    public let clock: ManualClock
    /// What the client reported, and when.
    public private(set) var events: [(time: Double, event: Client.Event)] = []
    /// What went over the wire, a line each: `TIME open N`, `TIME -> N TEXT`, `TIME <- N TEXT`, and so on.
    public private(set) var log: [String] = []
    public private(set) var failures: [ScriptFailure] = []
    private let scripts: [[PeerStep]]
    /// By socket number, in the order of opening.
    private var peers: [(socket: Int, peer: Peer)] = []

    /// - Parameter scripts: one for each socket that the client opens. A further one fails the test, and is cut.
    public init(client: Client, clock: ManualClock = ManualClock(), scripts: [[PeerStep]]) {
        self.client = client
        self.clock = clock
        self.scripts = scripts
    }

    /// Whether every script was played to its end.
    public var isFinished: Bool {
        peers.count >= scripts.count && peers.allSatisfy { $0.peer.index >= $0.peer.steps.count }
    }

    /// Changes the client, as its application would.
    public mutating func update<R>(_ body: (inout Client, _ now: Double) -> R) -> R {
        let result = body(&client, clock.seconds)
        performActions()
        return result
    }

    /// Timers at one moment, beyond which a client has none that moves.
    private static var maxFirings: Int { 10_000 }

    /// Lets these seconds pass, with everything that happens in them. A client whose deadline stays where it is,
    /// although its timer fired, fails the test (`failures`).
    public mutating func run(for seconds: Double) {
        let end = clock.now.advanced(by: .seconds(seconds))
        var firings = 0
        var firedAt = clock.now
        performActions()
        while let next = nextTime, next <= end.seconds {
            clock.advance(to: max(clock.now, ManualClock.Instant(.seconds(next))))
            // A deadline may lie less than the clock's resolution ahead.
            let now = max(clock.seconds, next)
            for index in peers.indices where peers[index].peer.wakesAt.map({ $0 <= now }) == true {
                peers[index].peer.wakesAt = nil
            }
            if let deadline = client.deadline, deadline <= now { client.timerFired(now: now) }
            guard performActions() else { break }
            firings = clock.now == firedAt ? firings + 1 : 0
            firedAt = clock.now
            if firings >= Self.maxFirings {
                let deadline = client.deadline.map { "\($0)" } ?? "nil"
                let what =
                    "the client's deadline, \(deadline), does not move: its timer fired \(firings) times at \(now)"
                failures.append(ScriptFailure(connection: peers.count - 1, what: what))
                break
            }
        }
        clock.advance(to: max(clock.now, end))
    }

    private var nextTime: Double? {
        (peers.compactMap { $0.peer.isGone ? nil : $0.peer.wakesAt } + (client.deadline.map { [$0] } ?? [])).min()
    }

    /// Everything that happens at this moment.
    /// - Returns: whether it came to rest.
    @discardableResult private mutating func performActions() -> Bool {
        for _ in 0..<100_000 {
            if let action = client.nextScriptedAction() {
                perform(action)
            } else if !peers.indices.contains(where: { advance($0) }) {
                return true
            }
        }
        failures.append(ScriptFailure(connection: peers.count - 1, what: "client and script never rest"))
        return false
    }

    // MARK: The client's side

    private mutating func perform(_ action: ScriptedAction<Client.Event>) {
        switch action {
        case .open(let socket):
            note("open \(socket)")
            let number = peers.count
            if number >= scripts.count {
                failures.append(ScriptFailure(connection: number, what: "more connections than scripts"))
            }
            peers.append((socket, Peer(steps: number < scripts.count ? scripts[number] : [.cut])))
        case .send(let text, let socket):
            note("-> \(socket) \(text)")
            guard let index = living(socket), peers[index].peer.isOpen else { return }
            peers[index].peer.inbox.append(text)
        case .ping(let socket):
            note("-> \(socket) ping")
            guard let index = living(socket), !peers[index].peer.isStalled else { return }
            note("<- \(socket) pong")
            client.ponged(socket: socket, now: clock.seconds)
        case .close(let code, let socket):
            note("-> \(socket) close \(code.rawValue)")
            if let index = living(socket) { peers[index].peer.closedWith = code }
        case .drop(let socket):
            note("drop \(socket)")
            if let index = living(socket) { peers[index].peer.isGone = true }
        case .event(let event): events.append((clock.seconds, event))
        case .other(let what): note(what)
        }
    }

    private func living(_ socket: Int) -> Int? { peers.firstIndex { $0.socket == socket && !$0.peer.isGone } }
    private mutating func note(_ what: String) { log.append("\(clock.seconds) \(what)") }

    // MARK: The peer's side

    /// Plays a peer's next step if its time has come.
    /// - Returns: whether something happened.
    private mutating func advance(_ index: Int) -> Bool {
        let peer = peers[index].peer
        guard !peer.isGone, !peer.isStalled, peer.wakesAt == nil else { return false }
        let step = peer.index < peer.steps.count ? peer.steps[peer.index] : nil
        if !peer.isOpen, peer.closedWith == nil {
            guard let step, step.replacesHandshake else {
                peers[index].peer.isOpen = true
                client.opened(socket: peers[index].socket, now: clock.seconds)
                return true
            }
        }
        if let code = peer.closedWith {
            peers[index].peer.isGone = true
            guard let step else { return true }
            guard case .expectClose(let expected) = step, expected == nil || expected == code else {
                fail(index, "the client closed with \(code.rawValue), but \(step) was next")
                return true
            }
            peers[index].peer.index += 1
            return true
        }
        guard let step else { return false }
        return play(step, index)
    }

    private mutating func play(_ step: PeerStep, _ index: Int) -> Bool {
        let socket = peers[index].socket
        let now = clock.seconds
        switch step {
        case .expect, .expectText, .expectAnything, .expectClose:
            guard !peers[index].peer.inbox.isEmpty else { return false }
            let text = peers[index].peer.inbox.removeFirst()
            guard step.accepts(text) == true else {
                fail(index, "\(step) was to come, but it was \"\(text)\"")
                return true
            }
        case .wait(let seconds): peers[index].peer.wakesAt = now + seconds
        case .stall: peers[index].peer.isStalled = true
        case .send(let text):
            note("<- \(socket) \(text)")
            client.received(text, socket: socket, now: now)
        case .sendBinary, .sendRaw:
            // In memory there are messages and no bytes: the transport below the machine would have ended it.
            end(index, "broken") { $0.closed(socket: socket, code: .protocolError, reason: "", now: $1) }
        case .refuse(let status, let retryAfter):
            end(index, "refused \(status)") {
                $0.refused(socket: socket, status: status, retryAfter: retryAfter.map(Double.init), now: $1)
            }
        case .cut: end(index, "cut") { $0.closed(socket: socket, code: .abnormal, reason: "", now: $1) }
        case .close(let code, let reason):
            end(index, "close \(code.rawValue)") { $0.closed(socket: socket, code: code, reason: reason, now: $1) }
        }
        peers[index].peer.index += 1
        return true
    }

    private mutating func end(_ index: Int, _ what: String, _ change: (inout Client, Double) -> Void) {
        note("<- \(peers[index].socket) \(what)")
        peers[index].peer.isGone = true
        change(&client, clock.seconds)
    }

    private mutating func fail(_ index: Int, _ what: String) {
        failures.append(ScriptFailure(connection: index, step: peers[index].peer.index, what: what))
        peers[index].peer.isGone = true
    }
}

extension StreamSession: ScriptedClient {
    public mutating func opened(socket: Int, now: Double) { opened(SocketNumber(rawValue: socket), now: now) }

    public mutating func refused(socket: Int, status: Int, retryAfter: Double?, now: Double) {
        refused(SocketNumber(rawValue: socket), status: status, retryAfter: retryAfter, now: now)
    }

    public mutating func received(_ text: String, socket: Int, now: Double) {
        Array(text.utf8).withUnsafeBytes { received($0, on: SocketNumber(rawValue: socket), now: now) }
    }

    public mutating func ponged(socket: Int, now: Double) { pong(on: SocketNumber(rawValue: socket), now: now) }

    public mutating func closed(socket: Int, code: WebSocketCloseCode, reason: String, now: Double) {
        closed(SocketNumber(rawValue: socket), code: code, reason: reason, now: now)
    }

    public mutating func nextScriptedAction() -> ScriptedAction<SessionEvent>? {
        switch nextAction() {
        case .open(let socket)?: return .open(socket: socket.rawValue)
        case .send(let socket, let bytes)?:
            return .send(String(decoding: bytes, as: UTF8.self), socket: socket.rawValue)
        case .ping(let socket)?: return .ping(socket: socket.rawValue)
        case .close(let socket, let code, _)?: return .close(code, socket: socket.rawValue)
        case .drop(let socket)?: return .drop(socket: socket.rawValue)
        case .fetchToken(let wasRejected)?: return .other("fetch token, rejected \(wasRejected)")
        case .emit(let event)?: return .event(event)
        case nil: return nil
        }
    }
}
