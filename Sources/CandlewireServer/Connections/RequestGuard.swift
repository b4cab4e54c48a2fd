import HTTPTypes
import NIOCore
import NIOHTTP1
import WebSocketTransport

/// Counts a connection's bytes before they are parsed: for those that make no part of a request.
final class WireCounter: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private(set) var bytes = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        bytes += Self.unwrapInboundIn(data).readableBytes
        context.fireChannelRead(data)
    }
}

/// Why a request ends that its client has not finished. Its handler must not take what came for the whole.
struct RequestEnded: Error {}

/// Stands between the parser of HTTP and all that answers, as long as a connection is HTTP's: it refuses what is ambiguous, ends
/// what is slow, names the client, and gives every answer the headers for browsers.
final class RequestGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    struct Settings: Sendable {
        var limits = HTTPExchange.Limits()
        /// Whether the connection is encrypted.
        var isSecure = false
    }

    /// How long a connection that is refused may take for its request's head: it takes a place from others.
    private static let spareTime = (plain: TimeAmount.milliseconds(250), secure: TimeAmount.seconds(1))
    private static let checkInterval = TimeAmount.seconds(1)
    /// What a client may still send after it was refused. Closed at once, the connection would be reset, and the answer lost.
    private static let drain = (bytes: 256 << 10, time: TimeAmount.seconds(2))
    private static let healthPaths: [Substring] = ["/health", "/livez", "/readyz"]

    private enum State {
        case open
        /// Nothing more is read; this is sent when the answers before it are complete.
        case refusing(APIError)
        /// Nothing more is read, and the connection ends with the answers before.
        case ending
        /// The last answer is sent; what comes is dropped, up to a number of bytes on the wire.
        case draining(until: Int)
        case closed
    }

    /// What an answer needs to know of its request.
    private struct Asked {
        var host: String?
        var isSecure: Bool
        var isHead: Bool
        /// Counted as long as the request lasts: the client behind a proxy.
        var client: IPAddress?
    }

    private let gate: ConnectionGate
    private let wire: WireCounter
    private let settings: Settings
    private var place: ConnectionGate.Place
    /// Where the connection comes from; behind a PROXY header, what that says.
    private var peer: IPAddress?
    /// Counted as long as the connection lasts: the client that a PROXY header names.
    private var named: IPAddress?
    private var exchange: HTTPExchange
    private var state = State.open
    /// An answer has begun and not ended.
    private var isAnswering = false
    private var asked = CircularBuffer<Asked>(initialCapacity: 1)
    private var timer: Scheduled<Void>?
    private var context: ChannelHandlerContext?

    init(
        gate: ConnectionGate, place: ConnectionGate.Place, peer: IPAddress?, wire: WireCounter, settings: Settings
    ) {
        self.gate = gate
        self.place = place
        self.peer = peer
        self.wire = wire
        self.settings = settings
        exchange = HTTPExchange(limits: settings.limits, now: .now())
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        guard place.shortage != nil else { return }
        let time = settings.isSecure ? Self.spareTime.secure : Self.spareTime.plain
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [weak self] in
            guard let self, exchange.outstanding == 0 else { return }
            close()
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
        self.context = nil
        for request in asked { if let client = request.client { gate.leaveClient(client) } }
        asked.removeAll()
        if let named { gate.leaveClient(named) }
        gate.leave(place)
    }

    /// The connection begins with a PROXY header, which names its client.
    func useAddress(_ address: IPAddress) {
        peer = address
        if gate.enterClient(address) {
            named = address
        } else {
            place.shortage = .address
        }
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = Self.unwrapInboundIn(data)
        guard case .open = state else {
            if case .end = part { exchange.readEnd() }
            return
        }
        switch part {
        case .head(let head):
            guard let head = accept(head) else { return }
            context.fireChannelRead(Self.wrapInboundOut(.head(head)))
        case .body(let bytes):
            exchange.readBody(bytes.readableBytes)
            context.fireChannelRead(data)
        case .end:
            exchange.readEnd()
            context.fireChannelRead(data)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if case .draining(let end) = state {
            if wire.bytes > end { close() } else { context.read() }
        }
        if case .open = state, exchange.hasExcessiveFraming(wire: wire.bytes) {
            gate.change { $0.invalid += 1 }
            end(APIError(.badRequest, "invalid_body", "The chunks of the body have more framing than content."))
        }
        context.fireChannelReadComplete()
    }

    /// - Returns: the head for the handlers; nil where it was refused.
    private func accept(_ head: HTTPRequestHead) -> HTTPRequestHead? {
        exchange.readHead(wire: wire.bytes, now: .now())
        var head = head
        let client = gate.proxies.client(of: head.headers, peer: peer)
        let isSecure = settings.isSecure || client.isSecure
        asked.append(Asked(host: head.headers.first(name: "host"), isSecure: isSecure, isHead: head.method == .HEAD))
        if let flaw = RequestHeadCheck.flaw(of: head) {
            gate.change { $0.invalid += 1 }
            refuse(flaw)
            return nil
        }
        if !exchange.isFirstRequest, Self.isHandshake(head) {
            state = .ending
            if exchange.awaiting == 0, let context { startDraining(context) }
            return nil
        }
        if let shortage = place.shortage, !Self.isAboutHealth(head) {
            refuse(Self.refusal(shortage))
            return nil
        }
        if client.isForwarded, let address = client.address, !gate.proxies.trusts(address) {
            guard gate.enterClient(address) else {
                refuse(Self.refusal(.address))
                return nil
            }
            asked[asked.index(before: asked.endIndex)].client = address
        }
        ClientFields.set(client, isSecure: isSecure, in: &head.headers)
        startChecks()
        return head
    }

    /// Only a connection's first request becomes a WebSocket. A proxy that keeps connections for later requests may send the
    /// handshake on one of them; closed without an answer, it tries again on another (RFC 9110, section 9.2.2).
    private static func isHandshake(_ head: HTTPRequestHead) -> Bool {
        head.headers[canonicalForm: "upgrade"].contains { $0.lowercased() == "websocket" }
    }

    private static func isAboutHealth(_ head: HTTPRequestHead) -> Bool {
        (head.method == .GET || head.method == .HEAD) && healthPaths.contains(head.uri.prefix { $0 != "?" })
    }

    private static func refusal(_ shortage: ConnectionGate.Shortage) -> APIError {
        switch shortage {
        case .address:
            APIError(.tooManyRequests, "too_many_connections", "This address has too many connections.", retryAfter: 10)
        case .total, .descriptors:
            APIError(
                .serviceUnavailable, "too_many_connections", "The server has as many connections as it allows.",
                retryAfter: 10)
        }
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch state {
        case .open, .refusing, .ending: break
        case .draining, .closed:
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch Self.unwrapOutboundIn(data) {
        case .head(var head):
            // Not 101: it belongs to another protocol.
            if head.status.code >= 200 {
                complete(&head)
                isAnswering = true
            }
            context.write(Self.wrapOutboundOut(.head(head)), promise: promise)
        case .body(let body):
            exchange.wrote(body.readableBytes)
            context.write(data, promise: promise)
            startChecks()
        case .end:
            let isLast = exchange.answersEarly || place.shortage != nil
            context.write(data, promise: promise)
            isAnswering = false
            exchange.wroteEnd()
            if let client = asked.popFirst()?.client { gate.leaveClient(client) }
            if isLast {
                startDraining(context)
            } else if case .refusing(let error) = state, exchange.awaiting == 0 {
                send(error, context)
            } else if case .ending = state, exchange.awaiting == 0 {
                startDraining(context)
            }
        }
    }

    private func complete(_ head: inout HTTPResponseHead) {
        let request = asked.first
        SecurityHeaders.add(
            to: &head.headers, host: request?.host, isSecure: request?.isSecure ?? settings.isSecure)
        if exchange.answersEarly || place.shortage != nil {
            head.headers.replaceOrAdd(name: "Connection", value: "close")
        }
    }

    /// Answers what is being read, behind the answers to what was read before, and ends the connection.
    private func refuse(_ error: APIError) {
        guard let context, case .open = state else { return }
        state = .refusing(error)
        guard exchange.awaiting == 0 else { return }
        // What is half sent cannot become another answer.
        if isAnswering { close() } else { send(error, context) }
    }

    private func send(_ error: APIError, _ context: ChannelHandlerContext) {
        let body = error.body
        var headers = HTTPHeaders(error.headers.map { ($0.name.rawName, $0.value) })
        headers.replaceOrAdd(name: "Content-Length", value: "\(body.count)")
        headers.replaceOrAdd(name: "Connection", value: "close")
        var head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: error.status.code), headers: headers)
        complete(&head)
        context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
        if asked.first?.isHead != true {
            context.write(Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        }
        context.write(Self.wrapOutboundOut(.end(nil)), promise: nil)
        startDraining(context)
    }

    // MARK: Ends

    private func startDraining(_ context: ChannelHandlerContext) {
        state = .draining(until: wire.bytes + Self.drain.bytes)
        context.flush()
        timer?.cancel()
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.drain.time) { [weak self] in self?.close() }
        // TLS may not know how; the client knows by `Connection: close`.
        context.close(mode: .output, promise: nil)
        context.read()
    }

    private func close() {
        state = .closed
        context?.close(promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent, case .draining = state { return close() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let parse = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        switch state {
        case .open: break
        // What a client sends that was refused need not be HTTP.
        case .refusing, .ending, .draining, .closed: return
        }
        let hasHead = exchange.isReadingBody
        // The client left in the middle: no answer is of use, though it may still read.
        if parse != .invalidEOFState { gate.change { $0.invalid += 1 } }
        end(
            parse == .headerOverflow
                ? APIError(.requestHeaderFieldsTooLarge, "head_too_large", "The head of the request is too large.")
                : APIError(
                    .badRequest, hasHead ? "invalid_body" : "invalid_request",
                    hasHead ? "The body is not what HTTP/1.1 allows, or incomplete." : "This is no request of HTTP/1.1."
                ))
    }

    /// Refuses a request whose handler may wait for its body.
    private func end(_ error: APIError) {
        let isIncomplete = exchange.isReadingBody
        refuse(error)
        if isIncomplete { context?.fireErrorCaught(RequestEnded()) }
    }

    // MARK: Time

    private func startChecks() {
        guard let context, timer == nil else { return }
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.checkInterval) { [weak self] in self?.check() }
    }

    private func check() {
        timer = nil
        guard let context else { return }
        switch state {
        case .open, .refusing, .ending: break
        case .draining, .closed: return
        }
        let pending = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        switch exchange.check(pending: pending, now: .now()) {
        case .slowReader:
            gate.change { $0.lateReaders += 1 }
            return close()
        case .slowBody:
            gate.change { $0.lateBodies += 1 }
            return end(APIError(.requestTimeout, "body_too_slow", "The body of the request came too slowly."))
        case nil: break
        }
        // A connection between two requests needs none.
        if exchange.isReadingBody || pending > 0 || exchange.outstanding > 0 { startChecks() }
    }
}
