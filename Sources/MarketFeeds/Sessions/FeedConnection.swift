public import NIOCore
import NIOHTTP1
import StreamCore
public import WebSocketTransport

/// The shell of a `FeedSession` on an event loop: sockets, one timer, and the task that fetches a token. It decides
/// nothing.
///
/// Lives on its event loop alone; holds its sockets and they hold it, until `stop`.
public final class FeedConnection {
    /// Gets what the connection brings, on its event loop. The trades are in `session.decoder` during the call only.
    public protocol Receiver: AnyObject {
        func feed(_ connection: FeedConnection, received kind: VenueMessageKind)
        func feed(_ connection: FeedConnection, event: FeedEvent)
    }

    public struct Options: Sendable {
        public var tls = WebSocketTLS.default
        /// Fetches a token, for venues that need one.
        public var token: (@Sendable (_ wasRejected: Bool) async throws -> String)?
        /// The largest message taken, in bytes: order book snapshots of 5 MB were recorded.
        public var maximumMessage = 16 << 20
        /// For the name, TCP, TLS and the handshake together.
        public var connectTimeout = TimeAmount.seconds(5)

        public init() {}
    }

    public private(set) var session: FeedSession
    public weak var receiver: (any Receiver)?
    private let eventLoop: any EventLoop
    private let options: Options
    private let start: NIODeadline
    private var sockets: [SocketNumber: FeedSocket] = [:]
    private var timer: Scheduled<Void>?
    private var timerAt = Double.infinity
    private var tokenTask: Task<Void, Never>?
    private var isPerforming = false
    private var isStopped = false

    /// Must be called on the event loop.
    public init(_ session: FeedSession, on eventLoop: any EventLoop, options: Options = Options()) {
        self.session = session
        self.eventLoop = eventLoop
        self.options = options
        start = eventLoop.now
    }

    private var now: Double { Double((eventLoop.now - start).nanoseconds) / 1e9 }

    public func connect() { tell { $0.connect(now: $1) } }
    /// Ends a wait for the next attempt.
    public func retryNow() { tell { $0.retryNow(now: $1) } }
    public func add(_ symbol: String) { tell { $0.add(symbol, now: $1) } }
    public func setWanted(_ symbol: Int, _ isWanted: Bool) { tell { $0.setWanted(symbol, isWanted, now: $1) } }

    /// Closes the connection for good.
    public func stop() {
        guard !isStopped else { return }
        tell { $0.disconnect(now: $1) }
        isStopped = true
        timer?.cancel()
        tokenTask?.cancel()
        for socket in sockets.values { socket.letGo() }
        sockets.removeAll()
    }

    private func tell(_ body: (inout FeedSession, _ now: Double) -> Void) {
        guard !isStopped else { return }
        body(&session, now)
        settle()
    }

    // MARK: What sockets report

    fileprivate func opened(_ socket: SocketNumber) { tell { $0.opened(socket, now: $1) } }
    fileprivate func pong(on socket: SocketNumber) { tell { $0.pong(on: socket, now: $1) } }

    fileprivate func received(_ bytes: UnsafeRawBufferPointer, on socket: SocketNumber) {
        guard !isStopped else { return }
        let kind = session.received(bytes, on: socket, now: now)
        // The trades first: what the session wants done may bring the next message.
        receiver?.feed(self, received: kind)
        // Trades ask for nothing, and move no deadline to an earlier time.
        if session.hasActions { settle() }
    }

    fileprivate func closed(_ socket: SocketNumber, _ code: WebSocketCloseCode, _ reason: String, isOurs: Bool) {
        sockets.removeValue(forKey: socket)?.letGo()
        tell { $0.closed(socket, code: code, reason: reason, detectedHere: isOurs, now: $1) }
    }

    private func failed(_ socket: SocketNumber, _ error: any Error) {
        guard let forgotten = sockets.removeValue(forKey: socket) else { return }
        forgotten.letGo()
        if let refusal = error as? WebSocketUpgradeError {
            tell { $0.refused(socket, status: Int(refusal.status.code), retryAfter: refusal.retryAfter, now: $1) }
        } else {
            // Certificates included: a venue that renews a broken one must not need us to be started again.
            tell { $0.closed(socket, code: .abnormal, reason: "\(error)", detectedHere: true, now: $1) }
        }
    }

    // MARK: What the session wants

    private func settle() {
        guard !isPerforming else { return }
        isPerforming = true
        while let action = session.nextAction() { perform(action) }
        isPerforming = false
        setTimer()
    }

    private func perform(_ action: FeedSession.Action) {
        switch action {
        case .open(let number): open(number)
        case .send(let number, .text(let text)): _ = sockets[number]?.handler?.send(text: text)
        case .send(let number, .binary(let bytes)):
            _ = sockets[number]?.handler?.send(binary: ByteBuffer(bytes: bytes))
        case .ping(let number): sockets[number]?.handler?.ping()
        case .close(let number, let code, let reason):
            guard let socket = sockets.removeValue(forKey: number) else { return }
            socket.letGo()
            socket.handler?.close(code, reason: reason)
        case .drop(let number):
            guard let socket = sockets.removeValue(forKey: number) else { return }
            socket.letGo()
            socket.handler?.terminate()
        case .fetchToken(let wasRejected): fetchToken(wasRejected)
        case .event(let event): receiver?.feed(self, event: event)
        }
    }

    private func open(_ number: SocketNumber) {
        let socket = FeedSocket(number, self)
        sockets[number] = socket
        let bound = NIOLoopBound(socket, eventLoop: eventLoop)
        let connection = NIOLoopBound(self, eventLoop: eventLoop)
        var configuration = WebSocketConfiguration.client
        configuration.limits.messageBytes = options.maximumMessage
        configuration.limits.frameBytes = options.maximumMessage
        WebSocketClient.connect(
            url: session.url, headers: HTTPHeaders(session.adapter.headers.map { ($0.name, $0.value) }),
            tls: options.tls, configuration: configuration, timeout: options.connectTimeout,
            on: eventLoop
        ) { handler, _ in bound.value.attach(handler) }
        .whenFailure { error in connection.value.failed(number, error) }
    }

    private func fetchToken(_ wasRejected: Bool) {
        tokenTask?.cancel()
        let fetch = options.token
        let connection = NIOLoopBound(self, eventLoop: eventLoop)
        tokenTask = Task { [eventLoop] in
            let result: Result<String?, any Error>
            do { result = .success(try await fetch?(wasRejected)) } catch { result = .failure(error) }
            guard !Task.isCancelled else { return }
            eventLoop.execute {
                connection.value.tell { session, now in
                    switch result {
                    case .success(let token?): session.setToken(token, now: now)
                    case .success(nil):
                        session.tokenFailed(FeedTokenError(isRefusal: true, "There are no credentials."), now: now)
                    case .failure(let error): session.tokenFailed(error as? FeedTokenError, now: now)
                    }
                }
            }
        }
    }

    // MARK: The timer

    /// One that is set for an earlier time stays: firing early does no harm.
    private func setTimer() {
        guard !isStopped, let wanted = session.deadline, wanted < timerAt else { return }
        timer?.cancel()
        timerAt = wanted
        let delay = min(max(0, wanted - now) * 1e9, 1e17).rounded(.up)
        timer = eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(Int64(delay))) { [weak self] in
            guard let self else { return }
            timer = nil
            timerAt = .infinity
            tell { $0.timerFired(now: $1) }
        }
    }
}

/// One socket: passes on what it hears, until it is let go.
private final class FeedSocket: WebSocketHandlerDelegate {
    let number: SocketNumber
    private(set) var handler: WebSocketHandler?
    private var connection: FeedConnection?

    init(_ number: SocketNumber, _ connection: FeedConnection) {
        self.number = number
        self.connection = connection
    }

    func attach(_ handler: WebSocketHandler) {
        handler.delegate = self
        guard let connection else {
            handler.terminate()
            return
        }
        self.handler = handler
        connection.opened(number)
    }

    func letGo() { connection = nil }

    func webSocketText(_ text: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        connection?.received(text, on: number)
    }

    /// The same as text: some venues send it so.
    func webSocketBinary(_ bytes: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        connection?.received(bytes, on: number)
    }

    func webSocketPong(_ payload: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        connection?.pong(on: number)
    }

    func webSocketClosed(_ code: WebSocketCloseCode, reason: String, on socket: WebSocketHandler) {
        handler = nil
        connection?.closed(number, code, reason, isOurs: socket.ending == .violation)
    }
}
