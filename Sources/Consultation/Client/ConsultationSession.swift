public import Observation
public import StreamCore

/// A consultation for a view: what it shows, and what its buttons do.
///
/// ```swift
/// let session = ConsultationSession(transport: try WebSocketConsultationTransport(url: url))
/// session.connect()                        // when the view appears
/// try session.send("I want to lose weight")
/// ForEach(session.messages) { MessageBubble($0) }
/// session.disconnect()                     // when it disappears
/// ```
///
/// The connection comes back by itself and goes on where it was; what could not be sent waits for it. With a `storage` that
/// lasts beyond the process: see <doc:KeepingConversations>. Everything a view reads changes on the main actor, and only
/// when it is another value.
@MainActor
@Observable
public final class ConsultationSession {
    /// The connection is open, and the server has accepted the token.
    public private(set) var isConnected = false
    /// The newest messages, oldest first.
    public private(set) var messages: [ChatMessage] = []
    /// An answer is being written.
    public private(set) var isAITyping = false
    /// What went wrong, as a sentence; `nil` where nothing is.
    public private(set) var connectionError: String?
    /// No token helps: the user must log in. After that: `setToken` and `connect`.
    public private(set) var needsLogin = false
    public private(set) var state = SessionState.idle
    /// Why the conversation is not kept on the device at the moment, as a sentence; `nil` where it is, or needs not be.
    public private(set) var storageError: String?

    /// Gets a token; `wasRejected`: the last one was refused. `nil`: there is none to be had. What it throws counts as a
    /// service that does not answer, and is tried again.
    public typealias TokenSource = @MainActor (_ wasRejected: Bool) async throws -> String?

    @ObservationIgnored private var client: ConsultationClient
    /// `nil` where nothing is kept.
    @ObservationIgnored private var keeper: ConversationKeeper?
    @ObservationIgnored private let storage: (any ConversationStorage)?
    @ObservationIgnored private let transport: any ConsultationTransport
    @ObservationIgnored private let clock: ConsultationClock
    @ObservationIgnored private let tokens: TokenSource?
    @ObservationIgnored private var timer: Task<Void, Never>?
    @ObservationIgnored private var timerAt = Double.infinity
    @ObservationIgnored private var fetching: Task<Void, Never>?

    /// - Parameters:
    ///   - storage: where the device keeps the conversation; what it has is shown at once. `nil`: nowhere.
    ///   - tokens: where tokens come from; `nil`: the server requires none.
    ///   - seed: for ids and jitter; by chance unless a test says it.
    public init(
        _ configuration: ConsultationConfiguration = .init(), transport: any ConsultationTransport,
        storage: (any ConversationStorage)? = nil, clock: ConsultationClock = .system, tokens: TokenSource? = nil,
        seed: UInt64 = .random(in: 0 ... .max)
    ) {
        var configuration = configuration
        configuration.connection.requiresToken = tokens != nil
        client = ConsultationClient(configuration, epoch: clock.epoch, seed: seed)
        self.transport = transport
        self.clock = clock
        self.tokens = tokens
        self.storage = storage
        load()
        transport.onEvent = { [weak self] in self?.happened($0) }
    }

    deinit {
        timer?.cancel()
        fetching?.cancel()
    }

    // MARK: What the user requests

    /// Connects; while connected, or on the way there, nothing.
    public func connect() {
        needsLogin = false
        act { $0.connect(now: $1) }
    }

    /// Ends the connection for good, until the next `connect`.
    public func disconnect() { act { $0.disconnect(now: $1) } }

    /// Shows the message at once and sends it, now or when there is a connection; with a `storage` also after a restart of
    /// the app. Until the server has it, its state is `pending`.
    /// - Parameter details: what is on the screen, and which message this one replaces.
    /// - Returns: its id.
    /// - Throws: `ConsultationSendError` where it has no text, is too long, or too many wait already.
    @discardableResult public func send(
        _ text: String, _ details: MessageDetails = MessageDetails()
    ) throws(ConsultationSendError) -> String {
        let now = clock.now()
        let id: String
        if keeper == nil {
            id = try client.send(text, details, now: now)
        } else {
            id = try client.queue(text, details, characters: text.count, now: now)
        }
        performActions()
        return id
    }

    /// Sends a message that failed again; of an answer, requests another one.
    public func retry(_ id: ChatMessage.ID) { act { $0.retry(id, now: $1) } }

    /// Stops an answer, or whatever answers the message.
    public func cancel(_ id: ChatMessage.ID) { act { $0.cancel(id, now: $1) } }

    /// Removes a message that failed to be sent; with a `storage` also one that waits and was given to no connection.
    /// - Returns: whether it is gone. If not, the server may have it: `cancel` stops its answer.
    @discardableResult public func discard(_ id: ChatMessage.ID) -> Bool {
        let count = client.messages.count
        if keeper?.discard(id, &client) == nil { client.discard(id) }
        performActions()
        return client.messages.count < count
    }

    /// The Retry of the connection's banner: at once, and the error is gone.
    public func reconnect() {
        needsLogin = false
        act { $0.retryNow(now: $1) }
    }

    /// A newer token, for the open connection or the next one. It is not shown or logged anywhere.
    public func setToken(_ token: String) { act { $0.setToken(token, now: $1) } }

    /// A hint of the system that the network came or went.
    public func networkChanged(isAvailable: Bool) { act { $0.networkChanged(isAvailable: isAvailable, now: $1) } }

    // MARK: For a developer

    public var diagnostics: ConsultationDiagnostics { client.diagnostics }
    /// Seconds that the present connection has been open.
    public var uptime: Double { client.diagnostics.uptime(now: clock.now()) }
    /// The last frames, without secrets: see `ConsultationConfiguration.loggedFrames`.
    public var frames: [FrameLog.Line] { client.log.lines }

    // MARK: The machine's shell

    private func act(_ body: (inout ConsultationClient, Double) -> Void) {
        body(&client, clock.now())
        performActions()
    }

    private func happened(_ event: ConsultationTransportEvent) {
        act { client, now in
            switch event {
            case .opened(let socket): client.opened(socket, now: now)
            case .refused(let socket, let status, let retryAfter):
                client.refused(socket, status: status, retryAfter: retryAfter, now: now)
            case .text(let socket, let bytes):
                bytes.withUnsafeBytes { client.received($0, on: socket, now: now) }
            case .binary(let socket, let bytes): client.receivedBinary(bytes: bytes, on: socket, now: now)
            case .closed(let socket, let code, let reason, let detectedHere):
                client.closed(socket, code: code, reason: reason, detectedHere: detectedHere, now: now)
            }
        }
    }

    private func performActions() {
        keep()
        while let action = client.nextAction() {
            switch action {
            case .open(let socket):
                do { try transport.open(socket, token: client.handshakeToken) } catch {
                    client.giveUp(error.description, now: clock.now())
                }
            case .send(let socket, let frame): transport.send(frame, on: socket)
            case .close(let socket, let code, let reason): transport.close(socket, code, reason: reason)
            case .drop(let socket): transport.drop(socket)
            case .fetchToken(let wasRejected): fetchToken(wasRejected)
            case .loginNeeded: needsLogin = true
            }
        }
        publish()
        setTimer()
    }

    private func publish() {
        if isConnected != client.isConnected { isConnected = client.isConnected }
        if messages != client.messages { messages = client.messages }
        if isAITyping != client.isTyping { isAITyping = client.isTyping }
        if connectionError != client.problem { connectionError = client.problem }
        if state != client.state { state = client.state }
    }

    private func load() {
        guard let storage else { return }
        do {
            let stored = try storage.load()
            if let stored { client.restore(stored) }
            keeper = ConversationKeeper(stored, maxBytes: storage.maxBytes)
            messages = client.messages
        } catch {
            // What cannot be read must not be overwritten.
            storageError = "\(error)"
        }
    }

    /// Writes what has changed, before anything is sent.
    private func keep() {
        guard let storage, keeper != nil else { return }
        let now = clock.now()
        keeper?.sendWaiting(&client, now: now)
        guard let change = keeper?.change(client, now: now) else { return }
        do {
            try storage.save(change)
            keeper?.written(now: now)
            if storageError != nil { storageError = nil }
        } catch {
            keeper?.failed(now: now)
            if storageError != "\(error)" { storageError = "\(error)" }
        }
    }

    private func fetchToken(_ wasRejected: Bool) {
        fetching?.cancel()
        fetching = Task { [weak self, tokens] in
            do {
                let token = try await tokens?(wasRejected) ?? ""
                guard !Task.isCancelled else { return }
                self?.act { client, now in
                    if token.isEmpty, !wasRejected {
                        client.giveUp(ConsultationSetupError.noToken.description, now: now)
                    } else {
                        client.setToken(token, now: now)
                    }
                }
            } catch {
                guard !Task.isCancelled else { return }
                self?.act { $0.tokenFailed(now: $1) }
            }
        }
    }

    /// One timer; one that is set for earlier may stay.
    private func setTimer() {
        let deadline = min(client.deadline ?? .infinity, keeper?.deadline(client) ?? .infinity)
        guard deadline < timerAt else { return }
        timer?.cancel()
        timerAt = deadline
        timer = Task { [weak self, clock] in
            do { try await clock.sleep(deadline) } catch { return }
            self?.timerFired()
        }
    }

    private func timerFired() {
        timerAt = .infinity
        timer = nil
        // Woken a little early, or for a deadline that has moved: it is set again.
        act { client, now in
            if let deadline = client.deadline, deadline <= now + ConsultationClock.resolution {
                client.timerFired(now: max(deadline, now))
            }
        }
    }
}

extension ConsultationClient {
    /// Shows a message at once and sends it, with its characters counted as Swift counts them.
    /// - Returns: the message's id.
    @discardableResult public mutating func send(
        _ text: String, _ details: MessageDetails = MessageDetails(), now: Double
    ) throws(ConsultationSendError) -> String {
        try send(text, details, characters: text.count, now: now)
    }
}
