public import HummingbirdCore
public import Logging
public import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
public import WebSocketTransport

/// HTTP/1.1 for Hummingbird and WebSockets for us on one port.
///
/// ```swift
/// Application(
///     responder: router.buildResponder(),
///     server: HTTPServerBuilder { responder in
///         WebSocketCapableHTTPChannel(responder: responder, upgrade: upgrade)
///     })
/// ```
/// The first request of a connection decides: a WebSocket stays on its event loop and never meets a task per message;
/// everything else goes on exactly as in Hummingbird's `HTTP1Channel`.
public struct WebSocketCapableHTTPChannel: ServerChildChannel, HTTPChannelHandler {
    /// One accepted connection, before or after its first request.
    public struct Value: ServerChildChannelValue {
        public let channel: any Channel
        let outcome: EventLoopFuture<WebSocketServerUpgrade.Outcome<NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>>>
    }

    public let responder: HTTPChannelHandler.Responder
    public let upgrade: WebSocketServerUpgrade
    /// Encrypts all of it; `nil`: none.
    public let tls: WebSocketServerTLS?
    /// How long an HTTP connection may lie idle between requests; nil for ever.
    public let idleTimeout: TimeAmount?
    private let webSockets = OpenWebSockets()

    public init(
        responder: @escaping HTTPChannelHandler.Responder, upgrade: WebSocketServerUpgrade,
        tls: WebSocketServerTLS? = nil, idleTimeout: TimeAmount? = .seconds(75)
    ) {
        self.responder = responder
        self.upgrade = upgrade
        self.tls = tls
        self.idleTimeout = idleTimeout
    }

    public func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            try tls?.install(on: channel)
            let idleTimeout = idleTimeout
            let isSecure = tls != nil
            let outcome = try upgrade.configure(channel) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: isSecure))
                    try pipeline.addHandler(
                        HTTPConnectionStateHandler(idleTimeout: idleTimeout.map { Duration($0) }, logger: logger))
                    return try NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: true))
                }
            }
            return Value(channel: channel, outcome: outcome)
        }
    }

    public func handle(value: Value, logger: Logger) async {
        let channel = value.channel
        // Graceful shutdown reaches each connection as an event on its loop; this is for when its time is over.
        await withTaskCancellationHandler {
            do {
                switch try await value.outcome.get() {
                case .ordinary(let http): await handleHTTP(asyncChannel: http, logger: logger)
                case .webSocket(let channel): await webSockets.stay(channel)
                case .refused(let channel): try await channel.closeFuture.get()
                }
            } catch {
                logger.trace("connection ended before its first request", metadata: ["error": "\(error)"])
                channel.close(promise: nil)
            }
        } onCancel: {
            channel.close(promise: nil)
        }
    }
}
