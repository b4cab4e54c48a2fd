public import NIOCore
public import NIOHTTP1
import NIOWebSocket
import StreamCore

/// How a server answers requests for a WebSocket, on a port it shares with HTTP.
///
/// ```swift
/// let upgrade = WebSocketServerUpgrade(
///     shouldUpgrade: { head in head.uri.hasPrefix("/v1/stream") ? .accept() : .ordinaryRequest },
///     onOpen: { socket, head in socket.delegate = Session(socket) })
/// ```
///
/// NIO does the handshake (`Sec-WebSocket-Accept` needs SHA-1, which it brings); the frames are ours, see
/// `WebSocketHandler`.
public struct WebSocketServerUpgrade: Sendable {
    /// The answer to one request.
    public enum Decision: Sendable {
        /// 101 with these headers. A subprotocol must be one that the client offered. The configuration is this
        /// connection's own, for a path with other needs than the rest; nil means the upgrade's.
        case accept(
            headers: HTTPHeaders = [:], subprotocol: String? = nil, configuration: WebSocketConfiguration? = nil)
        /// This status and text instead; the connection is closed.
        case refuse(HTTPResponseStatus, headers: HTTPHeaders = [:], message: String = "")
        /// No WebSocket lives here: the request goes on as any other (and usually gets a 404).
        case ordinaryRequest
    }

    /// For connections whose `accept` has none of its own.
    public var configuration: WebSocketConfiguration
    /// Called on the event loop for each request for a WebSocket that is well-formed, with the connection it came by.
    /// Malformed ones are refused with 400, other versions than 13 with 426.
    public var decide: @Sendable (HTTPRequestHead, any Channel) -> Decision
    /// Called on the event loop, after the 101 and before any frame: the place to set the handler's delegate.
    public var onOpen: @Sendable (WebSocketHandler, HTTPRequestHead) -> Void
    /// How long a connection has for its first request; then it is answered 408 and closed.
    public var requestTimeout: TimeAmount
    /// How large the head of a request may be; a larger one is answered 431 and the connection closed. The path counts.
    public var headLimits: NIOHTTPDecoderLimitConfiguration
    /// How many WebSockets one address may have; others are refused with 429 and `Retry-After`. nil for any number.
    public var connectionLimit: WebSocketConnectionLimit?
    /// The address that a request counts for, where that is not the connection's: a proxy's clients. nil: it is not counted.
    package var clientAddress: (@Sendable (HTTPRequestHead) -> IPAddress?)?
    /// Called on the event loop for each connection that made no request within `requestTimeout`, for counters.
    public var onRequestTimeout: (@Sendable () -> Void)?

    /// Decides by the request alone.
    public init(
        configuration: WebSocketConfiguration = .server, requestTimeout: TimeAmount = .seconds(30),
        shouldUpgrade: @escaping @Sendable (HTTPRequestHead) -> Decision,
        onOpen: @escaping @Sendable (WebSocketHandler, HTTPRequestHead) -> Void
    ) {
        self.init(
            configuration: configuration, requestTimeout: requestTimeout, decide: { head, _ in shouldUpgrade(head) },
            onOpen: onOpen)
    }

    public init(
        configuration: WebSocketConfiguration = .server, requestTimeout: TimeAmount = .seconds(30),
        decide: @escaping @Sendable (HTTPRequestHead, any Channel) -> Decision,
        onOpen: @escaping @Sendable (WebSocketHandler, HTTPRequestHead) -> Void
    ) {
        self.configuration = configuration
        self.requestTimeout = requestTimeout
        headLimits = NIOHTTPDecoderLimitConfiguration()
        headLimits.maxHeaderFieldSize = 16 << 10
        headLimits.maxHeaderListSize = 64 << 10
        headLimits.maxHeaderFieldCount = 100
        self.decide = decide
        self.onOpen = onOpen
    }

    /// The subprotocols a client offers, in its order of preference.
    public static func offeredSubprotocols(_ head: HTTPRequestHead) -> [String] {
        head.headers[canonicalForm: "sec-websocket-protocol"].map(String.init)
    }

    /// What became of a connection at its first request.
    public enum Outcome<Ordinary: Sendable>: Sendable {
        /// `onOpen` was called; the channel belongs to its `WebSocketHandler`.
        case webSocket(any Channel)
        /// A WebSocket was requested and refused; the channel closes by itself.
        case refused(any Channel)
        /// The channel uses HTTP, set up by the `ordinary` closure.
        case ordinary(Ordinary)
    }

    /// Sets up the pipeline of an accepted connection: HTTP/1 first, and after the first request a WebSocket, a refusal
    /// or what `ordinary` makes of it (its handlers get `HTTPServerRequestPart`s, starting with the first request).
    ///
    /// Must be called on the channel's event loop.
    public func configure<Ordinary: Sendable>(
        _ channel: any Channel, ordinary: @escaping @Sendable (any Channel) -> EventLoopFuture<Ordinary>
    ) throws -> EventLoopFuture<Outcome<Ordinary>> {
        try configure(channel, guards: nil, ordinary: ordinary)
    }

    /// Handlers that stay as long as the connection is HTTP's.
    package struct Guards {
        /// Before the decoder, where the bytes are.
        let bytes: any RemovableChannelHandler
        /// Behind it: requests and answers.
        let requests: any RemovableChannelHandler

        package init(bytes: any RemovableChannelHandler, requests: any RemovableChannelHandler) {
            self.bytes = bytes
            self.requests = requests
        }
    }

    package func configure<Ordinary: Sendable>(
        _ channel: any Channel, guards: Guards?,
        ordinary: @escaping @Sendable (any Channel) -> EventLoopFuture<Ordinary>
    ) throws -> EventLoopFuture<Outcome<Ordinary>> {
        let waiting = FirstRequestHandler(timeout: requestTimeout)
        waiting.onTimeout = onRequestTimeout
        let boundWaiting = NIOLoopBound(waiting, eventLoop: channel.eventLoop)
        let upgrader = ServerUpgrader<Ordinary>(upgrade: self, eventLoop: channel.eventLoop)
        let upgradeConfiguration = NIOTypedHTTPServerUpgradeConfiguration<Outcome<Ordinary>>(
            upgraders: [upgrader],
            notUpgradingCompletionHandler: { channel in
                let pipeline = channel.pipeline.syncOperations
                if case .refused(let refusal) = upgrader.verdict.value {
                    return channel.eventLoop.makeCompletedFuture {
                        try pipeline.addHandler(RefusalHandler(refusal))
                        return .refused(channel)
                    }
                }
                return channel.eventLoop.makeCompletedFuture {
                    if let head = boundWaiting.value.head { try pipeline.addHandler(HeadReplayHandler(head)) }
                }.flatMap { ordinary(channel).map { .ordinary($0) } }
            })

        // By hand and not by NIO's convenience, to have `waiting` see the request's head. No pipelining handler: the
        // shells behind answer requests one after the other.
        let encoder = HTTPResponseEncoder()
        let decoder = ByteToMessageHandler(
            HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: headLimits))
        let validator = NIOHTTPResponseHeadersValidator()
        // The guards leave first: what the decoder has left over is no HTTP any more.
        let extra = [guards?.requests, guards?.bytes].compactMap(\.self)
        let upgradeHandler = NIOTypedHTTPServerUpgradeHandler(
            httpEncoder: encoder, extraHTTPHandlers: extra + [decoder, validator],
            upgradeConfiguration: upgradeConfiguration)
        let handlers: [(any ChannelHandler)?] = [
            guards?.bytes, encoder, decoder, validator, guards?.requests, waiting, upgradeHandler,
        ]
        try channel.pipeline.syncOperations.addHandlers(handlers.compactMap(\.self))
        let outcome = upgradeHandler.upgradeResultFuture
        outcome.whenComplete { _ in boundWaiting.value.requestArrived() }
        return outcome
    }
}
