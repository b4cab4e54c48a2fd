internal import MarketModel
public import StreamCore

/// The client's side of one conversation: connection, messages, what is on its way, and what went wrong.
///
/// A value without IO, as `StreamSession` is: input of the user and reports of the socket go in with the time
/// (seconds on a clock that does not go back), actions come out of `nextAction`, and `timerFired` is called at
/// `deadline`. `ConsultationSession` is the shell for a view.
public struct ConsultationClient {
    public enum Action: Equatable, Sendable {
        /// Open a socket, with the token in the handshake where there is one; report `opened`, `refused` or `closed`.
        case open(SocketNumber)
        case send(SocketNumber, [UInt8])
        case close(SocketNumber, WebSocketCloseCode, reason: String)
        case drop(SocketNumber)
        /// Get a token and pass it to `setToken`; an empty one means that there is none.
        case fetchToken(wasRejected: Bool)
        /// No token helps: the user must log in.
        case loginNeeded
    }

    public let configuration: ConsultationConfiguration
    var connection: ConnectionMachine
    public internal(set) var messages: [ChatMessage] = []
    /// Whether the server has messages before the first one here.
    public internal(set) var hasOlder = false
    /// What went wrong, as a sentence for the user; `nil` where nothing is wrong (any more).
    public internal(set) var problem: String?
    public var log: FrameLog
    var counts = ConsultationDiagnostics()
    var token: String?
    /// Seconds since 1970 UTC at time zero of the client's clock.
    let epoch: Double
    var random: SeededIdentifiers
    private var actions: [Action] = []
    /// Actions that `nextAction` has returned.
    private var performed = 0

    /// Events that are known, and the answer that goes on.
    var sequence = 0
    var sync = SyncWait()
    /// Messages that the server has not acknowledged, in the order of sending; and since when each waits on an open
    /// connection.
    var pending: [(id: String, since: Double?)] = []
    /// Answers to be stopped, that the server did not say are over.
    var stopping: [String] = []
    var authentication: String?
    var ping: String?
    /// The error about the last message that the server refused.
    var refusal: Envelope?

    /// - Parameters:
    ///   - epoch: seconds since 1970 UTC when the client's clock shows zero.
    ///   - seed: for ids and jitter; another one for each client.
    public init(_ configuration: ConsultationConfiguration = .init(), epoch: Double, seed: UInt64) {
        self.configuration = configuration
        self.epoch = epoch
        connection = ConnectionMachine(configuration.connection, seed: seed)
        random = SeededIdentifiers(seed: seed)
        log = FrameLog(limit: configuration.loggedFrames)
    }

    // MARK: For the owner

    /// The next action; to be called after every other call until `nil`.
    public mutating func nextAction() -> Action? {
        guard performed < actions.count else {
            actions.removeAll(keepingCapacity: true)
            performed = 0
            return nil
        }
        performed += 1
        return actions[performed - 1]
    }

    mutating func act(_ action: Action) { actions.append(action) }

    public var state: SessionState { connection.state }
    public var isConnected: Bool { connection.state == .open }

    /// Whether an answer is under way.
    public var isStreaming: Bool { streaming != nil }

    /// The index of the answer under way.
    var streaming: Int? { messages.lastIndex { $0.isStreaming } }

    func index(of id: String) -> Int? { messages.firstIndex { $0.id == id } }

    /// Whether an answer is being written, as far as is known now: not while there is no connection.
    public var isTyping: Bool { isConnected && isStreaming }

    /// Whether the newest message is a question that the server has and no answer has begun for.
    public var isAwaited: Bool {
        guard let last = messages.lastIndex(where: { $0.role != .system && $0.state != .pending }) else { return false }
        return messages[last].role == .user && messages[last].state == .sent
    }

    /// Whether a message or an answer is under way, so that the connection is still needed.
    public var isBusy: Bool { !pending.isEmpty || isAwaited || isStreaming }

    /// Whether there is no such conversation, or none any more.
    public var isGone: Bool {
        switch connection.state {
        case .failed(.refused(status: 404)): true
        case .failed(.closeCode(let code, _)): code.rawValue == 4104
        case .failed, .idle, .connecting, .authenticating, .open, .waiting, .closed: false
        }
    }

    /// Whether the server requires a token, or another one: `setToken` and `connect` go on.
    public var needsLogin: Bool { connection.state == .failed(.unauthorized) }

    public var diagnostics: ConsultationDiagnostics {
        var diagnostics = counts
        diagnostics.isConnected = isConnected
        diagnostics.reconnectAttempts = connection.backoff.attempts
        diagnostics.lastError = problem ?? counts.lastError
        diagnostics.messageCount = messages.count
        diagnostics.openSince = connection.openSince
        diagnostics.connects = connection.connects
        diagnostics.roundTrip = connection.roundTrip
        return diagnostics
    }

    /// When `timerFired` is to be called; `nil`: no timer.
    public var deadline: Double? {
        var earliest = connection.deadline ?? .infinity
        if isConnected {
            earliest = min(earliest, sync.deadline(answerTimeout: configuration.answerTimeout) ?? .infinity)
            for message in pending {
                earliest = min(earliest, (message.since ?? .infinity) + configuration.answerTimeout)
            }
        }
        return earliest == .infinity ? nil : earliest
    }

    // MARK: The connection's owner

    /// Connects, and forgets what went wrong before.
    public mutating func connect(now: Double) {
        problem = nil
        connection.connect(now: now)
        performConnectionActions(now)
    }

    /// Ends the connection for good. What is pending stays pending for the next `connect`.
    public mutating func disconnect(now: Double) {
        connection.disconnect(now: now)
        performConnectionActions(now)
    }

    /// Retry: at once instead of later, or again after it was given up.
    public mutating func retryNow(now: Double) {
        problem = nil
        connection.retryNow(now: now)
        performConnectionActions(now)
    }

    /// Sets the token that `fetchToken` requested, or a newer one. An empty one means that there is none.
    public mutating func setToken(_ text: String, now: Double) {
        token = text.isEmpty ? nil : text
        connection.tokenChanged(isAvailable: token != nil, now: now)
        performConnectionActions(now)
    }

    public mutating func tokenFailed(now: Double) {
        connection.tokenFailed(now: now)
        performConnectionActions(now)
    }

    /// A hint of the system: the network came or went, or another one would be better.
    public mutating func networkChanged(isAvailable: Bool, now: Double) {
        connection.networkChanged(isAvailable: isAvailable, now: now)
        performConnectionActions(now)
    }

    /// Ends the connection, because the consultation cannot be reached at all and another attempt would not help.
    /// - Parameter sentence: what is wrong, for the user.
    package mutating func giveUp(_ sentence: String, now: Double) {
        disconnect(now: now)
        problem = sentence
        counts.lastError = problem
    }

    /// The user has read what went wrong.
    public mutating func dismissProblem() { problem = nil }

    /// The token for the handshake of the next socket.
    public var handshakeToken: String? { configuration.authentication == .handshake ? token : nil }

    func date(_ now: Double) -> Double { ((epoch + now) * 1000).rounded() / 1000 }
}

/// Names for messages: 128 random bits, written as a UUID of version 4 in lower case.
struct SeededIdentifiers {
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed ^ 0x6D65_7373_6167_6573)
    }

    mutating func next() -> String {
        let (high, low) = (generator.next() & ~0xF000 | 0x4000, generator.next() & ~(3 << 62) | 1 << 63)
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for digit in 0..<32 {
            if digit == 8 || digit == 12 || digit == 16 || digit == 20 { text.append(UInt8(ascii: "-")) }
            let half = (digit < 16 ? high : low) >> UInt64(60 - digit % 16 * 4) & 0xF
            text.append(UInt8(half < 10 ? 0x30 + half : 0x57 + half))
        }
        return text.withUnsafeBytes { String(utf8: $0) }
    }
}
