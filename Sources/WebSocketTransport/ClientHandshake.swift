import NIOCore
import NIOHTTP1
import NIOWebSocket
import StreamCore

/// The client's half of the opening handshake (RFC 6455 section 4.1) on a connected channel. NIO makes the key and
/// checks the answer to it; what it does not check (subprotocols and extensions that were not requested) and what it
/// does not report (status and headers of a refusal) is added here.
struct ClientHandshake<Opened: Sendable>: Sendable {
    let url: WebSocketURL
    let headers: HTTPHeaders
    let subprotocols: [String]
    let configuration: WebSocketConfiguration
    let onOpen: @Sendable (WebSocketHandler, HTTPResponseHead) throws -> Opened

    enum Outcome: Sendable {
        case upgraded(NIOLoopBound<WebSocketHandler>, HTTPResponseHead)
        case refused(EventLoopFuture<WebSocketUpgradeError>)
    }

    /// - Returns: what `onOpen` returned. Where it fails, the channel is closed.
    func run(on channel: any Channel, deadline: NIODeadline, timeout: TimeAmount) -> EventLoopFuture<Opened> {
        let promise = channel.eventLoop.makePromise(of: Opened.self)
        let collector = NIOLoopBoundBox<RefusalCollector?>.makeEmptyBox(
            valueType: RefusalCollector.self, eventLoop: channel.eventLoop)
        // A server that accepts and then is silent is bounded too. One that refused and does not come to the end of
        // its explanation has sent what matters.
        let timer = channel.eventLoop.scheduleTask(deadline: deadline) {
            if collector.value?.giveUp() == true { return }
            promise.fail(timedOut(after: timeout))
        }
        promise.futureResult.whenComplete { result in
            timer.cancel()
            if case .failure = result { channel.close(promise: nil) }
        }
        channel.eventLoop.execute {
            channel.eventLoop.makeCompletedFuture(Result { try start(on: channel, collector) }).flatMap { $0 }
                .flatMapErrorThrowing { error in throw Self.explain(error) }
                .flatMap { outcome in
                    switch outcome {
                    case .upgraded(let handler, let response):
                        // Here and not in the upgrader: until NIO calls its upgrade done, it fails every write, while
                        // no frame is delivered before this returns.
                        channel.eventLoop.makeCompletedFuture { try onOpen(handler.value, response) }
                    case .refused(let refusal): refusal.flatMapThrowing { throw $0 }
                    }
                }
                .cascade(to: promise)
        }
        return promise.futureResult
    }

    func timedOut(after timeout: TimeAmount) -> WebSocketConnectError {
        WebSocketConnectError(
            .timedOut, "cannot connect to \(url.hostAndPort): no WebSocket within \(timeout.nanoseconds / 1_000_000) ms"
        )
    }

    private func start(
        on channel: any Channel, _ refusals: NIOLoopBoundBox<RefusalCollector?>
    ) throws -> EventLoopFuture<Outcome> {
        let upgrader = ClientUpgrader(handshake: self)
        let upgradeConfiguration = NIOTypedHTTPClientUpgradeConfiguration<Outcome>(
            upgradeRequestHead: requestHead(), upgraders: [upgrader],
            notUpgradingCompletionHandler: { channel in
                channel.eventLoop.makeCompletedFuture {
                    let collector = RefusalCollector(eventLoop: channel.eventLoop)
                    refusals.value = collector
                    try channel.pipeline.syncOperations.addHandler(collector)
                    return .refused(collector.refusal)
                }
            })
        var pipeline = NIOUpgradableHTTPClientPipelineConfiguration(upgradeConfiguration: upgradeConfiguration)
        // A server's first frames may lie in the same packet as its 101.
        pipeline.leftOverBytesStrategy = .forwardBytes
        return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(configuration: pipeline)
    }

    private func requestHead() -> HTTPRequestHead {
        var all = headers
        for name in ["Connection", "Upgrade", "Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-WebSocket-Extensions"]
        {
            all.remove(name: name)
        }
        if !all.contains(name: "Host") { all.add(name: "Host", value: url.hostHeader) }
        if !subprotocols.isEmpty {
            all.replaceOrAdd(name: "Sec-WebSocket-Protocol", value: subprotocols.joined(separator: ", "))
        }
        if let compression = configuration.compression {
            all.add(name: "Sec-WebSocket-Extensions", value: compression.offer.headerValue)
        }
        return HTTPRequestHead(version: .http1_1, method: .GET, uri: url.target, headers: all)
    }

    /// What the server answered to the offer of compression.
    func negotiate(_ response: HTTPResponseHead) -> WebSocketCompression.Verdict {
        guard let answers = WebSocketExtension.parse(response.headers["sec-websocket-extensions"]) else {
            return .invalid
        }
        return configuration.compression?.judge(answers) ?? (answers.isEmpty ? .declined : .invalid)
    }

    private static func explain(_ error: any Error) -> any Error {
        switch error {
        case is WebSocketConnectError, is WebSocketUpgradeError: error
        case is NIOHTTPClientUpgradeError:
            WebSocketConnectError(.invalidHandshake, "the server's answer is not a valid handshake", underlying: error)
        case is HTTPParserError:
            WebSocketConnectError(.invalidHandshake, "the server does not speak HTTP", underlying: error)
        default:
            WebSocketConnectError(
                .closedDuringHandshake, "the connection ended during the handshake", underlying: error)
        }
    }
}

/// The upgrader of one connection.
private final class ClientUpgrader<Opened: Sendable>: NIOTypedHTTPClientProtocolUpgrader {
    typealias UpgradeResult = ClientHandshake<Opened>.Outcome

    let supportedProtocol = "websocket"
    let requiredUpgradeHeaders: [String] = []
    private let handshake: ClientHandshake<Opened>
    private let nio = NIOTypedWebSocketClientUpgrader<Void>(
        upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })

    init(handshake: ClientHandshake<Opened>) { self.handshake = handshake }

    func addCustom(upgradeRequestHeaders: inout HTTPHeaders) {
        nio.addCustom(upgradeRequestHeaders: &upgradeRequestHeaders)
    }

    func shouldAllowUpgrade(upgradeResponse: HTTPResponseHead) -> Bool {
        guard nio.shouldAllowUpgrade(upgradeResponse: upgradeResponse) else { return false }
        let connection = upgradeResponse.headers[canonicalForm: "connection"]
        guard connection.contains(where: { $0.lowercased() == "upgrade" }) else { return false }
        // Section 4.1, points 5 and 6: what was not offered cannot have been agreed on.
        guard handshake.negotiate(upgradeResponse) != .invalid else { return false }
        let chosen = upgradeResponse.headers["sec-websocket-protocol"]
        return chosen.isEmpty || chosen.count == 1 && handshake.subprotocols.contains(chosen[0])
    }

    func upgrade(channel: any Channel, upgradeResponse: HTTPResponseHead) -> EventLoopFuture<UpgradeResult> {
        channel.eventLoop.makeCompletedFuture {
            var agreement: DeflateAgreement?
            if case .agreed(let agreed) = handshake.negotiate(upgradeResponse) { agreement = agreed }
            let handler = WebSocketHandler(role: .client, configuration: handshake.configuration, agreement: agreement)
            try channel.pipeline.syncOperations.addHandler(handler)
            return .upgraded(NIOLoopBound(handler, eventLoop: channel.eventLoop), upgradeResponse)
        }
    }
}

/// Collects the HTTP answer of a server that did not upgrade, as far as it helps to explain.
final class RefusalCollector: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    let refusal: EventLoopFuture<WebSocketUpgradeError>
    private let promise: EventLoopPromise<WebSocketUpgradeError>
    private var head: HTTPResponseHead?
    private var body = ByteBuffer()
    private var isDone = false

    static let bodyLimit = 16 << 10

    init(eventLoop: any EventLoop) {
        promise = eventLoop.makePromise(of: WebSocketUpgradeError.self)
        refusal = promise.futureResult
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch Self.unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body(var part):
            if var slice = part.readSlice(length: min(part.readableBytes, Self.bodyLimit - body.readableBytes)) {
                body.writeBuffer(&slice)
            }
            if body.readableBytes >= Self.bodyLimit { finish() }
        case .end: finish()
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { finish() }

    func channelInactive(context: ChannelHandlerContext) {
        finish()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { finish() }

    /// Time is over: what has come of the answer must do.
    /// - Returns: whether that is enough for an explanation: status and headers.
    func giveUp() -> Bool {
        guard head != nil else { return false }
        finish()
        return true
    }

    private func finish() {
        guard !isDone else { return }
        isDone = true
        guard let head else {
            return promise.fail(
                WebSocketConnectError(.closedDuringHandshake, "the connection ended during the handshake"))
        }
        promise.succeed(WebSocketUpgradeError(status: head.status, headers: head.headers, body: String(buffer: body)))
    }
}
