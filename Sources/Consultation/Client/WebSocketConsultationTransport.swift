internal import NIOCore
public import NIOHTTP1
public import StreamCore
public import WebSocketTransport

/// A session's sockets over the network.
@MainActor
public final class WebSocketConsultationTransport: ConsultationTransport {
    public var onEvent: ((ConsultationTransportEvent) -> Void)?

    private let url: String
    private let link: DriverLink<ConsultationSocketDriver>

    /// - Parameters:
    ///   - url: `wss://{host}/ws/consultation?consultation_id={id}`. The token does not belong into it: it goes in the
    ///     header `Authorization`.
    ///   - headers: for example `X-API-Key` with the app's key, where the server requires it beside the user's token.
    ///   - timeout: seconds until a socket must be open.
    public init(url: String, headers: HTTPHeaders = [:], tls: WebSocketTLS = .default, timeout: Double = 10) {
        self.url = url
        let (events, continuation) = AsyncStream.makeStream(of: ConsultationTransportEvent.self)
        let loop = WebSocketConnector.defaultGroup.any()
        let timeout = TimeAmount.milliseconds(Int64(min(600, timeout) * 1000))
        link = DriverLink(eventLoop: loop) {
            ConsultationSocketDriver(
                url: url, headers: headers, tls: tls, timeout: timeout, events: continuation, on: loop)
        }
        Task { [weak self, link] in
            for await event in events {
                self?.onEvent?(event)
                if case .text(_, let bytes) = event { link.run { $0.delivered(bytes.count) } }
            }
        }
    }

    deinit { link.run { $0.shutDown() } }

    public func open(_ socket: SocketNumber, token: String?) throws(ConsultationSetupError) {
        guard url.hasPrefix("ws://") || url.hasPrefix("wss://"), url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .invalidURL
        }
        link.run { driver in
            driver.token = token
            driver.update { sockets, _ in sockets.request(.open(socket)) }
        }
    }

    public func send(_ frame: [UInt8], on socket: SocketNumber) { request(.send(socket, frame)) }

    public func close(_ socket: SocketNumber, _ code: WebSocketCloseCode, reason: String) {
        request(.close(socket, code, reason: reason))
    }

    public func drop(_ socket: SocketNumber) { request(.drop(socket)) }

    private func request(_ action: ConsultationSockets.Action) {
        link.run { driver in driver.update { sockets, _ in sockets.request(action) } }
    }
}

/// Passes on what a session requests of its sockets, and what happens to them: the session's own machine decides.
struct ConsultationSockets: SocketMachine {
    typealias Action = SocketAction<SocketNumber, [UInt8], ConsultationTransportEvent>

    private var actions = ActionQueue<Action>()
    /// Those without an answer to their handshake.
    private var opening: Set<SocketNumber> = []

    mutating func request(_ action: Action) {
        switch action {
        case .open(let socket): opening.insert(socket)
        case .close(let socket, _, _), .drop(let socket): opening.remove(socket)
        case .send, .ping, .fetchToken, .emit: break
        }
        actions.append(action)
    }

    mutating func report(_ event: ConsultationTransportEvent) { actions.append(.emit(event)) }

    mutating func opened(_ socket: SocketNumber, now: Double) {
        opening.remove(socket)
        report(.opened(socket))
    }

    mutating func refused(_ socket: SocketNumber, status: Int, retryAfter: Double?, now: Double) {
        opening.remove(socket)
        report(.refused(socket, status: status, retryAfter: retryAfter))
    }

    mutating func pong(on socket: SocketNumber, now: Double) {}

    mutating func closed(
        _ socket: SocketNumber, code: WebSocketCloseCode, reason: String, detectedHere: Bool, now: Double
    ) {
        if opening.remove(socket) != nil {
            // The driver's word for an address to which no other attempt leads, either.
            report(.refused(socket, status: code == .tlsFailure ? 400 : 0, retryAfter: nil))
        } else {
            report(.closed(socket, code, reason: reason, detectedHere: detectedHere))
        }
    }

    mutating func timerFired(now: Double) {}
    mutating func nextAction() -> Action? { actions.popFirst() }
    var deadline: Double? { nil }
}

/// The shell of `ConsultationSockets`. Lives on its event loop alone.
final class ConsultationSocketDriver: SocketDriver {
    var session = ConsultationSockets()
    let shell: SocketShell<SocketNumber>
    /// For the handshake of the next socket.
    var token: String?
    private let url: String
    private let headers: HTTPHeaders
    private let tls: WebSocketTLS
    private let timeout: TimeAmount
    private let events: AsyncStream<ConsultationTransportEvent>.Continuation
    /// Bytes of text that the session has not had yet. With more than `maxUndelivered` the sockets are not read, so that
    /// the server learns of it by TCP.
    private var undelivered = 0
    private static let maxUndelivered = 256 * 1024

    init(
        url: String, headers: HTTPHeaders, tls: WebSocketTLS, timeout: TimeAmount,
        events: AsyncStream<ConsultationTransportEvent>.Continuation, on eventLoop: any EventLoop
    ) {
        self.url = url
        self.headers = headers
        self.tls = tls
        self.timeout = timeout
        self.events = events
        shell = SocketShell(on: eventLoop)
    }

    func shutDown() {
        for socket in shell.sockets.keys { session.request(.close(socket, .goingAway, reason: "")) }
        shutDown { _, _ in }
        events.finish()
    }

    func connect(_ onOpen: @escaping @Sendable (WebSocketHandler) -> Void) -> EventLoopFuture<Void> {
        var headers = headers
        if let token { headers.replaceOrAdd(name: "Authorization", value: "Bearer \(token)") }
        return WebSocketConnector.connect(url: url, headers: headers, tls: tls, timeout: timeout, on: eventLoop) {
            handler, _ in onOpen(handler)
        }.map { _ in }
    }

    func send(_ frame: [UInt8], to handler: WebSocketHandler) { frame.withUnsafeBytes { _ = handler.send(.text, $0) } }

    func receive(_ bytes: UnsafeRawBufferPointer, on socket: SocketNumber, now: Double) -> Bool {
        session.report(.text(socket, Array(bytes)))
        undelivered += bytes.count
        if undelivered > Self.maxUndelivered { shell.sockets[socket]?.handler?.pauseReading() }
        return true
    }

    func delivered(_ count: Int) {
        undelivered -= count
        guard undelivered <= Self.maxUndelivered / 2 else { return }
        for socket in shell.sockets.values { socket.handler?.resumeReading() }
    }

    func receiveBinary(_ bytes: UnsafeRawBufferPointer, on socket: SocketNumber, now: Double) -> Bool {
        session.report(.binary(socket, bytes: bytes.count))
        return true
    }

    func report(_ event: ConsultationTransportEvent) { events.yield(event) }

    func isFinal(_ failure: WebSocketConnectError) -> Bool { failure.code == .badURL }
}
