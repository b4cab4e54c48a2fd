import MarketModel
public import NIOCore
import NIOHTTP1
import StreamCore

/// The shell of `StreamSession` on an event loop: sockets, tokens, and who observes which stream and channel. Lives on
/// the event loop alone. It holds its sockets and they hold it, until `shutDown`.
final class SessionDriver: SocketDriver {
    let configuration: StreamClientConfiguration
    let states: StateBroadcast
    var session: StreamSession
    let shell: SocketShell<SocketNumber>
    /// What is observed, by symbol and timeframe.
    var streams = StreamRegistry()
    var channels: [ChannelKey: [ChannelObserver]] = [:]
    /// When an observer is due for what waits for it; infinite where none is.
    var deliveryDeadline = Double.infinity
    var dueObservers: [StreamObserver] = []
    private let connector: StreamConnector

    var isShutDown: Bool { shell.isShutDown }
    var clock: SessionClock { shell.clock }

    /// Must be called on the event loop.
    init(
        on eventLoop: any EventLoop, connector: StreamConnector, configuration: StreamClientConfiguration,
        states: StateBroadcast, seed: UInt64
    ) {
        self.connector = connector
        self.configuration = configuration
        self.states = states
        shell = SocketShell(on: eventLoop)
        var session = configuration.session
        session.defaultMaxRate = nil
        // A server without tokens accepts any.
        if configuration.token != nil { session.requiresToken = true }
        self.session = StreamSession(session, seed: seed)
    }

    func shutDown() {
        guard shutDown({ $0.disconnect(now: $1) }) else { return }
        streams.finishAll()
        for observer in channels.values.joined() { observer.mailbox.finish() }
        channels.removeAll()
        dueObservers.removeAll()
        states.finish()
    }

    // MARK: For the driver

    func connect(_ onOpen: @escaping @Sendable (WebSocketHandler) -> Void) -> EventLoopFuture<Void> {
        let timeout = TimeAmount.nanoseconds(Int64(min(configuration.session.connectTimeout, 1e6) * 1e9))
        return connector.open(eventLoop, timeout, onOpen)
    }

    func send(_ bytes: [UInt8], to handler: WebSocketHandler) {
        bytes.withUnsafeBytes { _ = handler.send(.text, $0) }
    }

    func receive(_ bytes: UnsafeRawBufferPointer, on socket: SocketNumber, now: Double) -> Bool {
        session.received(bytes, on: socket, now: now)
        return true
    }

    func receiveBinary(_ bytes: UnsafeRawBufferPointer, on socket: SocketNumber, now: Double) -> Bool {
        session.received(bytes, isBinary: true, on: socket, now: now)
        return true
    }

    func isFinal(_ failure: WebSocketConnectError) -> Bool { failure.code == .tlsFailed }

    func fetchToken(wasRejected: Bool) {
        let provider = configuration.token
        fetch {
            try await provider?(wasRejected) ?? ""
        } apply: { result, session, now in
            switch result {
            case .success(let token): session.setToken(token, now: now)
            case .failure: session.tokenFailed(now: now)
            }
        }
    }

    func report(_ event: SessionEvent) {
        switch event {
        case .stream(let number, let event): deliver(event, of: number)
        case .channel(let key, let event): deliver(event, of: key)
        case .state(let state):
            let dated = dated(state)
            states.send(dated)
            configuration.onEvent?(.state(dated))
        default: configuration.onEvent?(event)
        }
    }

    var timerDeadline: Double { min(session.deadline ?? .infinity, deliveryDeadline) }

    func timerFired(now: Double) {
        if let deadline = session.deadline, deadline <= now { session.timerFired(now: now) }
        if deliveryDeadline <= now { deliverDue(now) }
    }

    func observe(_ event: SocketEvent, on socket: SocketNumber) {
        guard let onFrame = configuration.onFrame else { return }
        switch event {
        case .received(let bytes, let isText): onFrame(StreamFrame(received: bytes, isText: isText, on: socket))
        case .pong: onFrame(StreamFrame(.received, .pong, on: socket))
        case .closed(let code, let reason, _):
            onFrame(StreamFrame(.received, .close, on: socket, text: "\(code.rawValue) \(reason)"))
        case .opened: break
        }
    }

    func observe(_ action: SessionAction) {
        guard let onFrame = configuration.onFrame else { return }
        switch action {
        case .send(let number, let bytes): bytes.withUnsafeBytes { onFrame(StreamFrame(sending: $0, on: number)) }
        case .ping(let number): onFrame(StreamFrame(.sent, .ping, on: number))
        case .close(let number, let code, let reason):
            onFrame(StreamFrame(.sent, .close, on: number, text: "\(code.rawValue) \(reason)"))
        case .open, .drop, .fetchToken, .emit: break
        }
    }
}

/// How a session's sockets are opened: over the network, or in a test over whatever ends in a `WebSocketHandler`.
public struct StreamConnector: Sendable {
    /// Opens one socket on the event loop. `onOpen` must be called there once the handshake is done and before any
    /// frame is delivered; it sets the handler's delegate. The future fails as `WebSocketConnector.connect` does.
    public typealias Open =
        @Sendable (
            _ eventLoop: any EventLoop, _ timeout: TimeAmount, _ onOpen: @escaping @Sendable (WebSocketHandler) -> Void
        ) -> EventLoopFuture<Void>

    public var open: Open

    public init(open: @escaping Open) { self.open = open }

    static func network(url: String, configuration: StreamClientConfiguration) -> StreamConnector {
        var transport = configuration.transport
        transport.keepAlive = nil
        let (headers, tls) = (configuration.headers, configuration.tls)
        let subprotocols = configuration.offersBinary ? [BinaryMessageWriter.subprotocol] : []
        return StreamConnector { [transport] eventLoop, timeout, onOpen in
            WebSocketConnector.connect(
                url: url, headers: headers, subprotocols: subprotocols, tls: tls, configuration: transport,
                timeout: timeout, on: eventLoop
            ) { handler, _ in onOpen(handler) }.map { _ in }
        }
    }
}
