import NIOCore
import NIOHTTP1
import NIOPosix
import StreamCore
import Synchronization
import WebSocketTransport

/// A real WebSocket server on a loopback port that plays a script, to test a client with that knows nothing of it.
///
/// ```swift
/// let server = try await ScriptedServer.start([
///     [.expect("hello"), .send("welcome"), .cut],         // the first connection
///     [.refuse(status: 503, retryAfter: 1)],              // the second
///     [.expect("hello"), .send("welcome back"), .expectClose(.normal)],
/// ])
/// let client = MyClient(url: server.url)
/// ...
/// try await server.finish()                               // throws where the client did something else
/// ```
public final class ScriptedServer: Sendable {
    fileprivate struct State {
        var scripts: [[PeerStep]]
        var connections = 0
        var finished = 0
        var failures: [ScriptFailure] = []
        /// Text messages that came, of all connections.
        var received: [String] = []
        var channels: [Int: any Channel] = [:]
    }

    private let listener = Mutex<(any Channel)?>(nil)
    fileprivate let state: Mutex<State>

    private init(_ scripts: [[PeerStep]]) { state = Mutex(State(scripts: scripts)) }

    /// Listens on a free port of the loopback interface.
    /// - Parameter scripts: one for each connection, in the order they come. A further connection is refused with 503
    ///   and counts as a failure.
    public static func start(_ scripts: [[PeerStep]]) async throws -> ScriptedServer {
        let server = ScriptedServer(scripts)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try server.accept(channel) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        server.listener.withLock { $0 = channel }
        return server
    }

    /// `ws://127.0.0.1:PORT/`
    public var url: String { "ws://127.0.0.1:\(port)/" }
    public var port: Int { listener.withLock { $0?.localAddress?.port } ?? 0 }
    /// Connections that came so far.
    public var connections: Int { state.withLock { $0.connections } }
    /// Text messages that came so far.
    public var received: [String] { state.withLock { $0.received } }
    public var failures: [ScriptFailure] { state.withLock { $0.failures } }
    /// Scripts that were played to their ends.
    public var finished: Int { state.withLock { $0.finished } }

    /// Waits until every script was played to its end, and stops.
    /// - Parameter seconds: the most time for that.
    /// - Throws: the first `ScriptFailure`, also where the time did not suffice.
    public func finish(within seconds: Double = 30) async throws {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < deadline {
            let isOver = state.withLock { !$0.failures.isEmpty || $0.finished >= $0.scripts.count }
            if isOver { break }
            try await Task.sleep(for: .milliseconds(5))
        }
        await stop()
        try state.withLock { state in
            if let failure = state.failures.first { throw failure }
            guard state.finished >= state.scripts.count else {
                let left = state.scripts.count - state.finished
                let what = "\(left) scripts were not played to their ends in \(seconds) s"
                throw ScriptFailure(connection: state.finished, what: what)
            }
        }
    }

    /// Stops listening and cuts what is open.
    public func stop() async {
        try? await listener.withLock { $0 }?.close()
        let open = state.withLock { $0.channels.values.map { $0 } }
        for channel in open { channel.eventLoop.execute { channel.reset() } }
    }

    private func accept(_ channel: any Channel) throws {
        let (number, script) = state.withLock { state -> (Int, [PeerStep]?) in
            defer { state.connections += 1 }
            state.channels[state.connections] = channel
            let script = state.connections < state.scripts.count ? state.scripts[state.connections] : nil
            if script == nil {
                let failure = ScriptFailure(connection: state.connections, what: "more connections than scripts")
                state.failures.append(failure)
            }
            return (state.connections, script)
        }
        channel.closeFuture.whenComplete { _ in self.state.withLock { $0.channels[number] = nil } }
        guard let first = script?.first, first.replacesHandshake else { return try upgrade(channel, number, script) }
        switch first {
        case .refuse: try upgrade(channel, number, script)
        case .stall: state.withLock { $0.finished += 1 }
        default: try channel.pipeline.syncOperations.addHandler(HandshakeReplacement(first, self))
        }
    }

    private func upgrade(_ channel: any Channel, _ number: Int, _ script: [PeerStep]?) throws {
        var configuration = WebSocketConfiguration.client
        configuration.keepAlive = nil
        let upgrade = WebSocketServerUpgrade(
            configuration: configuration,
            shouldUpgrade: { _ in
                switch script?.first {
                case .refuse(let status, let retryAfter)?:
                    self.state.withLock { $0.finished += 1 }
                    var headers = HTTPHeaders()
                    if let retryAfter { headers.add(name: "Retry-After", value: "\(retryAfter)") }
                    return .refuse(HTTPResponseStatus(statusCode: status), headers: headers)
                case nil where script == nil: return .refuse(.serviceUnavailable)
                default: return .accept()
                }
            },
            onOpen: { socket, _ in
                let playback = ScriptPlayback(number, script ?? [], socket, self)
                socket.delegate = playback
                playback.begin()
            })
        _ = try upgrade.configure(channel) { channel in channel.close() }
    }
}

/// Plays one script on an open connection; on its event loop.
private final class ScriptPlayback: WebSocketHandlerDelegate {
    private let number: Int
    private let steps: [PeerStep]
    private let socket: WebSocketHandler
    private let server: ScriptedServer
    private var index = 0
    private var inbox: [String] = []
    private var isWaiting = false
    private var isOver = false
    private var lastWrite: EventLoopFuture<Void>?

    init(_ number: Int, _ steps: [PeerStep], _ socket: WebSocketHandler, _ server: ScriptedServer) {
        self.number = number
        self.steps = steps
        self.socket = socket
        self.server = server
    }

    /// After the 101 is out: what is sent from inside the upgrade would overtake it.
    func begin() {
        guard let eventLoop = socket.channel?.eventLoop else { return }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        isWaiting = true
        eventLoop.execute {
            bound.value.isWaiting = false
            bound.value.advance()
        }
    }

    private func advance() {
        while !isOver, !isWaiting {
            guard index < steps.count else { return end() }
            guard perform(steps[index]) else { return }
            index += 1
        }
    }

    /// - Returns: false where the step is not done yet.
    private func perform(_ step: PeerStep) -> Bool {
        switch step {
        case .expect, .expectText, .expectAnything:
            guard !inbox.isEmpty else { return false }
            let text = inbox.removeFirst()
            guard step.accepts(text) == true else {
                fail("\(step) was to come, but it was \"\(text)\"")
                return false
            }
        case .expectClose:
            if let text = inbox.first { fail("\(step) was to come, but it was \"\(text)\"") }
            return false
        case .send(let text): _ = socket.send(text: text, promise: newWrite())
        case .sendBinary(let bytes): _ = socket.send(binary: ByteBuffer(bytes: bytes), promise: newWrite())
        case .sendRaw(let bytes): _ = socket.send(preframed: ByteBuffer(bytes: bytes))
        case .wait(let seconds):
            isWaiting = true
            guard let eventLoop = socket.channel?.eventLoop else { return false }
            let bound = NIOLoopBound(self, eventLoop: eventLoop)
            eventLoop.scheduleTask(in: .nanoseconds(Int64(seconds * 1e9))) {
                bound.value.isWaiting = false
                bound.value.advance()
            }
        case .stall:
            socket.pauseReading()
            end()
            return false
        case .cut:
            end()
            guard let channel = socket.channel else { return false }
            // A reset throws away what is not sent yet; what the script sent before it is to arrive.
            (lastWrite ?? channel.eventLoop.makeSucceededVoidFuture()).whenComplete { _ in channel.reset() }
            return false
        case .close(let code, let reason):
            end()
            socket.close(code, reason: reason)
            return false
        case .refuse:
            fail("a connection that is open cannot be refused")
            return false
        }
        return true
    }

    private func newWrite() -> EventLoopPromise<Void>? {
        let promise = socket.channel?.eventLoop.makePromise(of: Void.self)
        lastWrite = promise?.futureResult
        return promise
    }

    private func end() {
        index = steps.count
        guard !isOver else { return }
        isOver = true
        server.state.withLock { $0.finished += 1 }
    }

    private func fail(_ what: String) {
        guard !isOver else { return }
        isOver = true
        server.state.withLock { $0.failures.append(ScriptFailure(connection: number, step: index, what: what)) }
        socket.close(.internalError, reason: "not in the script")
    }

    func webSocketText(_ text: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        let text = String(decoding: text, as: UTF8.self)
        server.state.withLock { $0.received.append(text) }
        guard !isOver else { return }
        inbox.append(text)
        advance()
    }

    func webSocketBinary(_ bytes: UnsafeRawBufferPointer, on socket: WebSocketHandler) {}

    func webSocketClosed(_ code: WebSocketCloseCode, reason: String, on socket: WebSocketHandler) {
        guard !isOver, index < steps.count else { return end() }
        if case .expectClose(let expected) = steps[index], expected == nil || expected == code {
            index += 1
            guard index < steps.count else { return end() }
            return fail("the script goes on after the close")
        }
        fail("the client closed with \(code.rawValue), but \(steps[index]) was next")
    }
}

/// Answers the first bytes of a connection with something that is not a handshake.
private final class HandshakeReplacement: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let step: PeerStep
    private let server: ScriptedServer
    private var isDone = false

    init(_ step: PeerStep, _ server: ScriptedServer) {
        self.step = step
        self.server = server
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDone else { return }
        isDone = true
        server.state.withLock { $0.finished += 1 }
        if case .sendRaw(let bytes) = step {
            context.channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
        } else {
            context.channel.reset()
        }
    }
}
