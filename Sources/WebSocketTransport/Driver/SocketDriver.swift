package import NIOCore
import NIOHTTP1
package import StreamCore

/// The shell of a machine on an event loop: its sockets, one timer and the action queue's reader. It decides nothing.
/// What happens is handed to the machine, and what the machine requests is done, in order.
///
/// ```
/// socket -> handle(event) -> machine -> nextAction() -> perform -> socket, timer, report(event)
/// ```
///
/// Lives on its event loop alone. It holds its sockets and they hold it, until `shutDown`. Everything here is
/// inlinable, so that each driver is compiled for its own machine: a message costs no witness table and no allocation.
package protocol SocketDriver: AnyObject, SendableMetatype {
    associatedtype Session: SocketMachine

    var session: Session { get set }
    var shell: SocketShell<Session.Socket> { get }

    /// Opens a socket. `onOpen` is called on the event loop once the handshake is done, before any frame is delivered.
    func connect(_ onOpen: @escaping @Sendable (WebSocketHandler) -> Void) -> EventLoopFuture<Void>
    func send(_ frame: Session.Frame, to handler: WebSocketHandler)
    /// - Returns: whether the session may have actions, or an earlier deadline.
    func receive(_ bytes: UnsafeRawBufferPointer, on socket: Session.Socket, now: Double) -> Bool
    func report(_ event: Session.Event)
    func fetchToken(wasRejected: Bool)

    // With defaults.

    /// For drivers for which a binary message is other than a text.
    func receiveBinary(_ bytes: UnsafeRawBufferPointer, on socket: Session.Socket, now: Double) -> Bool
    /// Whether connecting again does not help after this failure.
    func isFinal(_ failure: WebSocketConnectError) -> Bool
    /// The earliest time for `timerFired`; infinite for none.
    var timerDeadline: Double { get }
    func timerFired(now: Double)
    /// For a log of the frames.
    func observe(_ event: SocketEvent, on socket: Session.Socket)
    func observe(_ action: SocketAction<Session.Socket, Session.Frame, Session.Event>)
}

extension SocketDriver {
    @inlinable
    package func receiveBinary(_ bytes: UnsafeRawBufferPointer, on socket: Session.Socket, now: Double) -> Bool {
        receive(bytes, on: socket, now: now)
    }
    @inlinable package func isFinal(_ failure: WebSocketConnectError) -> Bool { false }
    @inlinable package var timerDeadline: Double { session.deadline ?? .infinity }
    @inlinable package func timerFired(now: Double) { session.timerFired(now: now) }
    @inlinable package func observe(_ event: SocketEvent, on socket: Session.Socket) {}
    @inlinable package func observe(_ action: SocketAction<Session.Socket, Session.Frame, Session.Event>) {}
    @inlinable package func fetchToken(wasRejected: Bool) {}
}

extension SocketDriver {
    @inlinable package var eventLoop: any EventLoop { shell.eventLoop }
    /// Seconds on a clock that does not go back.
    @inlinable package var now: Double { shell.now }

    /// Changes the session, and does what it requests.
    @inlinable package func update(_ body: (inout Session, _ now: Double) -> Void) {
        guard !shell.isShutDown else { return }
        body(&session, now)
        performActions()
    }

    /// - Parameter last: the last change of the session.
    /// - Returns: whether this was the call that ended it.
    @inlinable @discardableResult
    package func shutDown(_ last: (inout Session, _ now: Double) -> Void) -> Bool {
        guard !shell.isShutDown else { return false }
        update(last)
        shell.isShutDown = true
        shell.timer?.cancel()
        shell.timer = nil
        shell.task?.cancel()
        for socket in shell.sockets.values { socket.release() }
        shell.sockets.removeAll()
        return true
    }

    // MARK: What sockets report

    @inlinable package func handle(_ event: SocketEvent, on socket: Session.Socket) {
        guard !shell.isShutDown else { return }
        observe(event, on: socket)
        let now = now
        switch event {
        case .opened: session.opened(socket, now: now)
        case .received(let bytes, isText: true): guard receive(bytes, on: socket, now: now) else { return }
        case .received(let bytes, isText: false): guard receiveBinary(bytes, on: socket, now: now) else { return }
        case .pong: session.pong(on: socket, now: now)
        case .closed(let code, let reason, let detectedHere):
            shell.sockets.removeValue(forKey: socket)?.release()
            session.closed(socket, code: code, reason: reason, detectedHere: detectedHere, now: now)
        }
        performActions()
    }

    /// A socket could not be opened.
    @inlinable package func failed(_ socket: Session.Socket, _ error: any Error) {
        // One that was released while it was being opened is forgotten already.
        guard let forgotten = shell.sockets.removeValue(forKey: socket) else { return }
        forgotten.release()
        if let refusal = error as? WebSocketUpgradeError {
            update { $0.refused(socket, status: Int(refusal.status.code), retryAfter: refusal.retryAfter, now: $1) }
        } else {
            var code = WebSocketCloseCode.abnormal
            // After that code it is not tried again.
            if let failure = error as? WebSocketConnectError, isFinal(failure) { code = .tlsFailure }
            let reason = NetworkFailure(error).words
            update { $0.closed(socket, code: code, reason: reason, detectedHere: false, now: $1) }
        }
    }

    // MARK: What the session requests

    @inlinable package func performActions() {
        guard !shell.isPerforming else { return }
        shell.isPerforming = true
        while let action = session.nextAction() { perform(action) }
        shell.isPerforming = false
        setTimer()
    }

    @inlinable package func perform(_ action: SocketAction<Session.Socket, Session.Frame, Session.Event>) {
        observe(action)
        switch action {
        case .open(let socket): open(socket)
        case .send(let socket, let frame):
            if let handler = shell.sockets[socket]?.handler { send(frame, to: handler) }
        case .ping(let socket): shell.sockets[socket]?.handler?.ping()
        case .close(let socket, let code, let reason):
            guard let closing = shell.sockets.removeValue(forKey: socket) else { return }
            closing.release()
            closing.handler?.close(code, reason: reason)
        case .drop(let socket):
            guard let dropped = shell.sockets.removeValue(forKey: socket) else { return }
            dropped.release()
            dropped.handler?.terminate()
        case .fetchToken(let wasRejected): fetchToken(wasRejected: wasRejected)
        case .emit(let event): report(event)
        }
    }

    @inlinable package func open(_ number: Session.Socket) {
        let socket = DrivenSocket { [self] event in handle(event, on: number) }
        shell.sockets[number] = socket
        let bound = NIOLoopBound(socket, eventLoop: eventLoop)
        let driver = NIOLoopBound(self, eventLoop: eventLoop)
        connect { handler in bound.value.attach(handler) }.whenFailure { error in driver.value.failed(number, error) }
    }

    /// Runs a task whose result the session gets, unless another one is begun before it ends.
    @inlinable package func fetch<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value,
        apply: @escaping @Sendable (Result<Value, any Error>, inout Session, _ now: Double) -> Void
    ) {
        shell.task?.cancel()
        let driver = NIOLoopBound(WeakDriver(self), eventLoop: eventLoop)
        shell.task = Task { [eventLoop] in
            let result: Result<Value, any Error>
            do { result = .success(try await work()) } catch { result = .failure(error) }
            guard !Task.isCancelled else { return }
            eventLoop.execute { driver.value.driver?.update { apply(result, &$0, $1) } }
        }
    }

    // MARK: The timer

    /// Sets the timer for whatever comes next. One that is set for an earlier time stays: firing early does no harm,
    /// and a heartbeat that moves with every message would otherwise set a timer for every message.
    @inlinable package func setTimer() {
        guard !shell.isShutDown else { return }
        let wanted = timerDeadline
        guard wanted < shell.timerAt else { return }
        shell.timer?.cancel()
        shell.timerAt = wanted
        let delay = max(0, wanted - now) * 1e9
        // Rounded up, so that it does not fire a nanosecond early and has to be set again.
        let time = TimeAmount.nanoseconds(Int64(min(delay, 1e17).rounded(.up)))
        shell.timer = eventLoop.assumeIsolated().scheduleTask(in: time) { [weak self] in
            guard let self else { return }
            shell.timer = nil
            shell.timerAt = .infinity
            timerFired(now: now)
            performActions()
        }
    }
}
