internal import MarketModel
public import StreamCore

/// The client's side of one conversation: connection, messages, what is on its way, and what the user is told.
///
/// A value without IO, as `StreamSession` is: what the user wants and what the socket reports goes in with the time
/// (seconds on a clock that does not go back), what is to be done comes out of `nextAction`, and `timerFired` is called at
/// `deadline`. `ConsultationSession` is the shell for a view.
public struct ConsultationClient {
    public enum Action: Equatable, Sendable {
        /// Open a socket, with the token in the handshake where there is one; report `opened`, `refused` or `closed`.
        case open(SocketNumber)
        case send(SocketNumber, [UInt8])
        case close(SocketNumber, WebSocketCloseCode, reason: String)
        case drop(SocketNumber)
        /// Get a token and hand it over with `setToken`; an empty one says that there is none.
        case fetchToken(wasRejected: Bool)
        /// No token helps: the user must log in (FIT-20, D-39).
        case loginNeeded
    }

    public let configuration: ConsultationConfiguration
    var connection: ConnectionMachine
    public internal(set) var messages: [ChatMessage] = []
    /// What went wrong, as a sentence for the user; `nil` where nothing is wrong (any more).
    public internal(set) var problem: String?
    public internal(set) var log: FrameLog
    var counts = ConsultationDiagnostics()
    var token: String?
    /// Seconds since 1970 UTC at time zero of the client's clock.
    let epoch: Double
    var random: SeededIdentifiers
    private var actions: [Action] = []
    private var taken = 0

    /// Events that are known, and the answer that goes on.
    var sequence = 0
    var sync = SyncWait()
    /// Messages that the server has not acknowledged, in the order of sending; and since when each waits on an open
    /// connection.
    var pending: [(id: String, since: Double?)] = []
    /// Answers to be stopped, that the server did not say are over.
    var stopping: Set<String> = []
    var authentication: String?
    var ping: String?

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

    /// What is to be done next; to be asked after every call until `nil`.
    public mutating func nextAction() -> Action? {
        guard taken < actions.count else {
            actions.removeAll(keepingCapacity: true)
            taken = 0
            return nil
        }
        taken += 1
        return actions[taken - 1]
    }

    mutating func act(_ action: Action) { actions.append(action) }

    public var state: SessionState { connection.state }
    public var isConnected: Bool { connection.state == .open }

    /// Whether an answer is being written, as far as is known now (FIT-11, D-41): not while there is no connection.
    public var isTyping: Bool { isConnected && messages.contains(where: \.isStreaming) }

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
            earliest = min(earliest, sync.deadline(patience: configuration.patience) ?? .infinity)
            for message in pending { earliest = min(earliest, (message.since ?? .infinity) + configuration.patience) }
        }
        return earliest == .infinity ? nil : earliest
    }

    // MARK: The connection's owner

    /// Connects. A message of what went wrong before is taken back.
    public mutating func connect(now: Double) {
        problem = nil
        connection.connect(now: now)
        settle(now)
    }

    /// Ends the connection for good (FIT-06). What is pending stays pending for the next `connect`.
    public mutating func disconnect(now: Double) {
        connection.disconnect(now: now)
        settle(now)
    }

    /// Retry: at once instead of later, or anew after it was given up (FIT-27).
    public mutating func retryNow(now: Double) {
        problem = nil
        connection.retryNow(now: now)
        settle(now)
    }

    /// Hands over the token that `fetchToken` asked for, or a newer one. An empty one says that there is none.
    public mutating func setToken(_ text: String, now: Double) {
        token = text.isEmpty ? nil : text
        connection.tokenChanged(isAvailable: token != nil, now: now)
        settle(now)
    }

    public mutating func tokenFailed(now: Double) {
        connection.tokenFailed(now: now)
        settle(now)
    }

    /// A hint of the system: the network came or went, or another one would be better (FIT-19).
    public mutating func networkChanged(isAvailable: Bool, now: Double) {
        connection.networkChanged(isAvailable: isAvailable, now: now)
        settle(now)
    }

    /// The consultation cannot be reached at all, and trying again would not help: what is wrong (FIT-03).
    mutating func giveUp(_ error: ConsultationSetupError, now: Double) {
        disconnect(now: now)
        problem = error.description
        counts.lastError = problem
    }

    /// The token for the handshake of the next socket.
    public var handshakeToken: String? { configuration.authentication == .handshake ? token : nil }

    func date(_ now: Double) -> Double { ((epoch + now) * 1000).rounded() / 1000 }
}

/// Names for messages: 128 random bits, written as a UUID of version 4 in lower case (FIT-44).
struct SeededIdentifiers {
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed ^ 0x6D65_7373_6167_6573)
    }

    mutating func next() -> String {
        let (high, low) = (generator.next() & ~0xF000 | 0x4000, generator.next() & ~(3 << 62) | 1 << 63)
        func hex(_ value: UInt64, _ digits: Int) -> String {
            let text = String(value, radix: 16)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        return "\(hex(high >> 32, 8))-\(hex(high >> 16 & 0xFFFF, 4))-\(hex(high & 0xFFFF, 4))-\(hex(low >> 48, 4))-"
            + hex(low & 0xFFFF_FFFF_FFFF, 12)
    }
}
