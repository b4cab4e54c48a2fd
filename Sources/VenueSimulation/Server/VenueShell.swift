import NIOCore
import NIOHTTP1
import StreamCore
import WebSocketTransport

/// Carries a `VenueMachine` to sockets; on one event loop.
final class VenueShell {
    private var machine: VenueMachine
    private let eventLoop: any EventLoop
    private let clock: VenueClock
    private let state: VenueState
    private var sockets: [Int: WebSocketHandler] = [:]
    private var channels: [ObjectIdentifier: any Channel] = [:]
    private var cancelWakeUp: (@Sendable () -> Void)?
    /// What the timer is set for.
    private var timerAt: Double?
    private var isStopped = false

    init(_ machine: VenueMachine, _ eventLoop: any EventLoop, _ clock: VenueClock, _ state: VenueState) {
        self.machine = machine
        self.eventLoop = eventLoop
        self.clock = clock
        self.state = state
    }

    // MARK: Connections

    func accept(_ channel: any Channel) throws {
        guard !isStopped else { return channel.reset() }
        let identity = ObjectIdentifier(channel)
        channels[identity] = channel
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        channel.closeFuture.whenComplete { _ in bound.value.channels[identity] = nil }
        // Between the decision and the opening: the same channel, the same loop.
        let number = NIOLoopBoundBox<Int?>(nil, eventLoop: eventLoop)
        var configuration = WebSocketConfiguration.client
        configuration.keepAlive = nil
        let upgrade = WebSocketServerUpgrade(
            configuration: configuration,
            shouldUpgrade: { head in bound.value.decide(head, number) },
            onOpen: { socket, head in
                guard let number = number.value else { return socket.terminate() }
                bound.value.open(socket, number, head.uri)
            })
        _ = try upgrade.configure(channel) { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(VenueHTTPHandler(bound.value))
            }
        }
    }

    private func decide(_ head: HTTPRequestHead, _ number: NIOLoopBoundBox<Int?>) -> WebSocketServerUpgrade.Decision {
        let decision = machine.handshake(target: head.uri, now: clock.now)
        drain()
        switch decision {
        case .accept(let connection):
            number.value = connection
            return .accept()
        case .refuse(let status, let retryAfter):
            var headers = HTTPHeaders()
            if let retryAfter { headers.add(name: "Retry-After", value: "\(retryAfter)") }
            return .refuse(HTTPResponseStatus(statusCode: status), headers: headers)
        case .notFound: return .ordinaryRequest
        }
    }

    private func open(_ socket: WebSocketHandler, _ number: Int, _ target: String) {
        sockets[number] = socket
        socket.delegate = VenueSocket(self, number)
        // After the 101 is out: what is sent from inside the upgrade would overtake it.
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        eventLoop.execute { bound.value.run { $0.opened(number, target: target, now: $1) } }
    }

    /// Hands something to the machine and does what follows.
    func run(_ body: (inout VenueMachine, Double) -> Void) {
        guard !isStopped else { return }
        body(&machine, clock.now)
        drain()
        schedule()
    }

    func closed(_ number: Int) {
        sockets[number] = nil
        run { machine, _ in machine.closed(number) }
    }

    func answer(_ request: VenueRequest) -> VenueResponse {
        let response = machine.answer(request, now: clock.now)
        drain()
        return response
    }

    // MARK: Doing what the machine says

    private func drain() {
        var touched: Set<Int> = []
        var sent = 0
        while let action = machine.nextAction() {
            switch action {
            case .send(let connection, let bytes):
                sent += 1
                touched.insert(connection)
                if machine.venue.rules.isBinary {
                    sockets[connection]?.send(binary: ByteBuffer(bytes: bytes), flush: false)
                } else {
                    sockets[connection]?.send(text: ByteBuffer(bytes: bytes), flush: false)
                }
            case .ping(let connection, let payload): sockets[connection]?.ping(payload)
            case .close(let connection, let code, let reason):
                sockets[connection]?.flush()
                sockets[connection]?.close(code, reason: reason)
            case .cut(let connection): cut(connection)
            case .note(let event): state.record(event)
            }
        }
        if sent > 0 { state.sent(sent) }
        for number in touched {
            guard let socket = sockets[number] else { continue }
            socket.flush()
            machine.writable(socket.isWritable, on: number)
        }
    }

    /// A reset throws away what is not sent yet; what was said before it is to arrive.
    private func cut(_ number: Int) {
        guard let socket = sockets[number], let channel = socket.channel else { return }
        let promise = eventLoop.makePromise(of: Void.self)
        socket.send(text: ByteBuffer(), flush: true, promise: promise)
        promise.futureResult.whenComplete { _ in channel.reset() }
    }

    func cutAll() {
        for number in sockets.keys { sockets[number]?.channel?.reset() }
    }

    func stop() {
        isStopped = true
        cancelWakeUp?()
        for channel in channels.values { channel.reset() }
    }

    // MARK: Time

    private func schedule() {
        let due = machine.nextWakeUp
        guard due != timerAt else { return }
        cancelWakeUp?()
        cancelWakeUp = nil
        timerAt = due
        guard let due else { return }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        let eventLoop = eventLoop
        let now = clock.now
        if due > now, let schedule = clock.schedule {
            cancelWakeUp = schedule(due) { eventLoop.execute { bound.value.fire() } }
        } else {
            // Also at once through the loop, so that readers and others come in between.
            let delay = due > now ? Int64(min(due - now, 86_400) * 1e9) + 1 : 0
            let timer = eventLoop.scheduleTask(in: .nanoseconds(delay)) { bound.value.fire() }
            cancelWakeUp = { timer.cancel() }
        }
    }

    private func fire() {
        timerAt = nil
        cancelWakeUp = nil
        run { $0.advance(now: $1) }
    }
}

/// One connection's half of the shell.
private final class VenueSocket: WebSocketHandlerDelegate {
    private let shell: VenueShell
    private let number: Int

    init(_ shell: VenueShell, _ number: Int) {
        self.shell = shell
        self.number = number
    }

    func webSocketText(_ text: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        let text = String(decoding: text, as: UTF8.self)
        shell.run { [number] in $0.received(text, on: number, now: $1) }
    }

    func webSocketBinary(_ bytes: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        let bytes = Array(bytes)
        shell.run { [number] in $0.received(bytes, on: number, now: $1) }
    }

    func webSocketPing(_ payload: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        shell.run { [number] in $0.pinged(on: number, now: $1) }
    }

    func webSocketPong(_ payload: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        let payload = Array(payload)
        shell.run { [number] in $0.ponged(payload, on: number, now: $1) }
    }

    func webSocketWritabilityChanged(_ isWritable: Bool, on socket: WebSocketHandler) {
        shell.run { [number] machine, _ in machine.writable(isWritable, on: number) }
    }

    func webSocketClosed(_ code: WebSocketCloseCode, reason: String, on socket: WebSocketHandler) {
        shell.closed(number)
    }
}

/// Answers requests over HTTP, on the port of the WebSockets.
final class VenueHTTPHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let shell: VenueShell
    private var head: HTTPRequestHead?

    init(_ shell: VenueShell) { self.shell = shell }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch Self.unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body: break
        case .end:
            guard let head else { return }
            self.head = nil
            respond(head, context)
        }
    }

    private func respond(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let fields = Dictionary(head.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
        let response = shell.answer(VenueRequest(method: head.method.rawValue, target: head.uri, headers: fields))
        if response.isLost { return context.close(promise: nil) }
        var headers = HTTPHeaders(response.headers)
        if !headers.contains(name: "Content-Type") { headers.add(name: "Content-Type", value: "application/json") }
        headers.replaceOrAdd(name: "Content-Length", value: "\(response.body.utf8.count)")
        if !head.isKeepAlive { headers.replaceOrAdd(name: "Connection", value: "close") }
        let answer = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: response.status), headers: headers)
        context.write(Self.wrapOutboundOut(.head(answer)), promise: nil)
        context.write(Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: response.body)))), promise: nil)
        let done = context.writeAndFlush(Self.wrapOutboundOut(.end(nil)))
        let channel = context.channel
        if !head.isKeepAlive { done.whenComplete { _ in channel.close(promise: nil) } }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
