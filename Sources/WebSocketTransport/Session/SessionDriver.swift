import MarketModel
import NIOCore
import NIOHTTP1
import StreamCore

/// The shell of `StreamSession` on an event loop: sockets, one timer and the token's task. It decides nothing: what
/// happens is told to the session, and what the session wants is done, in order.
///
/// Lives on the event loop alone. It holds its sockets and they hold it, until `shutDown`.
final class SessionDriver {
    let eventLoop: any EventLoop
    let configuration: StreamClientConfiguration
    let clock: SessionClock
    let states: StateBroadcast
    var session: StreamSession
    /// What is observed, by symbol and timeframe.
    var streams = StreamRegistry()
    /// Who observes which channel.
    var channels: [ChannelKey: [ChannelObserver]] = [:]
    /// When an observer is due for what waits for it; infinite where none is.
    var deliveryDeadline = Double.infinity
    var dueObservers: [StreamObserver] = []

    private let connector: StreamConnector
    private var sockets: [SocketNumber: SessionSocket] = [:]
    private var timer: Scheduled<Void>?
    private var timerAt = Double.infinity
    private var tokenTask: Task<Void, Never>?
    /// An action may report something from inside (a socket that fails while it is written to): the loop that is
    /// running performs what follows from it.
    private var isPerforming = false
    private(set) var isShutDown = false

    /// Must be called on the event loop.
    init(
        on eventLoop: any EventLoop, connector: StreamConnector, configuration: StreamClientConfiguration,
        states: StateBroadcast, seed: UInt64
    ) {
        self.eventLoop = eventLoop
        self.connector = connector
        self.configuration = configuration
        self.states = states
        clock = SessionClock(start: eventLoop.now)
        var session = configuration.session
        session.defaultMaxRate = nil
        self.session = StreamSession(session, seed: seed)
    }

    var now: Double { clock.seconds(eventLoop.now) }

    /// Tells the session something, and does what it wants.
    func tell(_ body: (inout StreamSession, _ now: Double) -> Void) {
        guard !isShutDown else { return }
        body(&session, now)
        settle()
    }

    func shutDown() {
        guard !isShutDown else { return }
        tell { $0.disconnect(now: $1) }
        isShutDown = true
        timer?.cancel()
        timer = nil
        tokenTask?.cancel()
        for socket in sockets.values { socket.letGo() }
        sockets.removeAll()
        streams.finishAll()
        for observer in channels.values.joined() { observer.mailbox.finish() }
        channels.removeAll()
        dueObservers.removeAll()
        states.finish()
    }

    // MARK: What sockets report

    func opened(_ socket: SocketNumber) {
        tell { $0.opened(socket, now: $1) }
    }

    func received(_ text: UnsafeRawBufferPointer, on socket: SocketNumber) {
        configuration.onFrame?(
            StreamFrame(
                .received, .text, on: socket, byteCount: text.count, text: String(decoding: text, as: UTF8.self)))
        tell { $0.received(text, on: socket, now: $1) }
    }

    func pong(on socket: SocketNumber) {
        configuration.onFrame?(StreamFrame(.received, .pong, on: socket))
        tell { $0.pong(on: socket, now: $1) }
    }

    /// - Parameter detectedHere: the code is ours, about what the peer sent.
    func closed(_ socket: SocketNumber, code: WebSocketCloseCode, reason: String, detectedHere: Bool) {
        configuration.onFrame?(StreamFrame(.received, .close, on: socket, text: "\(code.rawValue) \(reason)"))
        sockets.removeValue(forKey: socket)?.letGo()
        tell { $0.closed(socket, code: code, reason: reason, detectedHere: detectedHere, now: $1) }
    }

    private func failed(_ socket: SocketNumber, _ error: any Error) {
        // A socket that was let go while it was being opened is forgotten already.
        guard let forgotten = sockets.removeValue(forKey: socket) else { return }
        forgotten.letGo()
        if let refusal = error as? WebSocketUpgradeError {
            tell { $0.refused(socket, status: Int(refusal.status.code), retryAfter: refusal.retryAfter, now: $1) }
        } else if let failure = error as? WebSocketConnectError, failure.code == .tlsFailed {
            tell { $0.closed(socket, code: .tlsFailure, reason: failure.description, now: $1) }
        } else {
            tell { $0.closed(socket, code: .abnormal, reason: "\(error)", now: $1) }
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

    private func perform(_ action: SessionAction) {
        switch action {
        case .open(let number): open(number)
        case .send(let number, let bytes):
            bytes.withUnsafeBytes { bytes in
                if let onFrame = configuration.onFrame { onFrame(StreamFrame(sending: bytes, on: number)) }
                _ = sockets[number]?.handler?.send(.text, bytes)
            }
        case .ping(let number):
            configuration.onFrame?(StreamFrame(.sent, .ping, on: number))
            sockets[number]?.handler?.ping()
        case .close(let number, let code, let reason):
            configuration.onFrame?(StreamFrame(.sent, .close, on: number, text: "\(code.rawValue) \(reason)"))
            guard let socket = sockets.removeValue(forKey: number) else { return }
            socket.letGo()
            socket.handler?.close(code, reason: reason)
        case .drop(let number):
            guard let socket = sockets.removeValue(forKey: number) else { return }
            socket.letGo()
            socket.handler?.terminate()
        case .fetchToken(let wasRejected): fetchToken(wasRejected: wasRejected)
        case .emit(.stream(let number, let event)): deliver(event, of: number)
        case .emit(.channel(let key, let event)): deliver(event, of: key)
        case .emit(let event): emit(event)
        }
    }

    private func open(_ number: SocketNumber) {
        let socket = SessionSocket(number, self)
        sockets[number] = socket
        let bound = NIOLoopBound(socket, eventLoop: eventLoop)
        let driver = NIOLoopBound(self, eventLoop: eventLoop)
        let timeout = TimeAmount.nanoseconds(Int64(min(configuration.session.connectTimeout, 1e6) * 1e9))
        connector.open(eventLoop, timeout) { handler in bound.value.attach(handler) }
            .whenFailure { error in driver.value.failed(number, error) }
    }

    private func fetchToken(wasRejected: Bool) {
        tokenTask?.cancel()
        let provider = configuration.token
        let driver = NIOLoopBound(WeakDriver(self), eventLoop: eventLoop)
        tokenTask = Task { [eventLoop] in
            do {
                let token = try await provider?(wasRejected) ?? ""
                guard !Task.isCancelled else { return }
                eventLoop.execute { driver.value.driver?.tell { $0.setToken(token, now: $1) } }
            } catch {
                guard !Task.isCancelled else { return }
                eventLoop.execute { driver.value.driver?.tell { $0.tokenFailed(now: $1) } }
            }
        }
    }

    private func emit(_ event: SessionEvent) {
        guard case .state(let state) = event else {
            configuration.onEvent?(event)
            return
        }
        let told = dated(state)
        states.send(told)
        configuration.onEvent?(.state(told))
    }

    // MARK: The timer

    /// Sets the timer for whatever comes next. One that is set for an earlier time stays: firing early does no harm, and
    /// a heartbeat that moves with every message would otherwise set a timer for every message.
    func setTimer() {
        guard !isShutDown else { return }
        let wanted = min(session.deadline ?? .infinity, deliveryDeadline)
        guard wanted < timerAt else { return }
        timer?.cancel()
        timerAt = wanted
        let delay = max(0, wanted - now) * 1e9
        // Rounded up, so that it does not fire a nanosecond early and has to be set again.
        let time = TimeAmount.nanoseconds(Int64(min(delay, 1e17).rounded(.up)))
        timer = eventLoop.assumeIsolated().scheduleTask(in: time) { [weak self] in self?.timerFired() }
    }

    private func timerFired() {
        timer = nil
        timerAt = .infinity
        let now = now
        if let deadline = session.deadline, deadline <= now { session.timerFired(now: now) }
        if deliveryDeadline <= now { deliverDue(now) }
        settle()
    }
}

/// For whoever must not keep the driver alive.
final class WeakDriver {
    weak var driver: SessionDriver?

    init(_ driver: SessionDriver) {
        self.driver = driver
    }
}
