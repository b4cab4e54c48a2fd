public import NIOCore
public import NIOHTTP1
import NIOPosix

/// Opens WebSocket connections.
///
/// ```swift
/// let socket = try await WebSocketClient.connect(url: "ws://127.0.0.1:8080/v1/stream")
/// try await socket.send(text: #"{"action":"subscribe","symbol":"BTC-USD","timeframe":"1m"}"#)
/// for await event in socket.events {
///     if case .text(let text) = event { print(text) }
/// }
/// ```
public enum WebSocketClient {
    /// Connects and does the handshake.
    ///
    /// - Parameters:
    ///   - url: `ws://host[:port]/path?query`.
    ///   - headers: sent with the handshake, for example `Authorization` or `Origin`. Those of the handshake itself
    ///     (`Host`, `Upgrade`, `Connection`, `Sec-WebSocket-*`) are set here and override yours, `Host` excepted.
    ///   - subprotocols: offered in this order; the server's choice is `WebSocketConnection.subprotocol`.
    ///   - timeout: for connecting and handshake together.
    /// - Throws: `WebSocketUpgradeError` where the server answers with another status than 101,
    ///   `WebSocketConnectError` for everything else.
    public static func connect(
        url: String, headers: HTTPHeaders = [:], subprotocols: [String] = [],
        configuration: WebSocketConfiguration = .client, timeout: TimeAmount = .seconds(5),
        on group: any EventLoopGroup = defaultGroup
    ) async throws -> WebSocketConnection {
        let opened = try await open(
            url: url, headers: headers, subprotocols: subprotocols, configuration: configuration, timeout: timeout,
            on: group
        ) { handler, response in
            let subprotocol = response.headers.first(name: "sec-websocket-protocol")
            return try WebSocketConnection(handler: handler, subprotocol: subprotocol)
        }.get()
        return opened
    }

    /// Connects for code that lives on the event loop: feeds, benchmarks. No task and no copy per message.
    ///
    /// - Parameter onOpen: called on the connection's event loop before any frame is delivered, with the server's
    ///   answer; it must set the handler's delegate (`WebSocketCallbacks` where closures are enough).
    /// - Returns: the channel, once the handshake is done. Fails like `connect` throws.
    public static func connect(
        url: String, headers: HTTPHeaders = [:], subprotocols: [String] = [],
        configuration: WebSocketConfiguration = .client, timeout: TimeAmount = .seconds(5),
        on group: any EventLoopGroup = defaultGroup,
        onOpen: @escaping @Sendable (WebSocketHandler, HTTPResponseHead) -> Void
    ) -> EventLoopFuture<any Channel> {
        open(
            url: url, headers: headers, subprotocols: subprotocols, configuration: configuration, timeout: timeout,
            on: group
        ) { handler, response in
            onOpen(handler, response)
            // Only on a handler whose channel closed already is there none; then its future is all there is to say.
            guard let channel = handler.channel else { throw WebSocketClosedError() }
            return channel
        }
    }

    /// The event loops that all of the process's clients share unless told otherwise.
    public static var defaultGroup: any EventLoopGroup { MultiThreadedEventLoopGroup.singleton }

    private static func open<Opened: Sendable>(
        url: String, headers: HTTPHeaders, subprotocols: [String], configuration: WebSocketConfiguration,
        timeout: TimeAmount, on group: any EventLoopGroup,
        onOpen: @escaping @Sendable (WebSocketHandler, HTTPResponseHead) throws -> Opened
    ) -> EventLoopFuture<Opened> {
        let eventLoop = group.any()
        let parsed: WebSocketURL
        do {
            parsed = try WebSocketURL(url)
            guard !parsed.isSecure else {
                throw WebSocketConnectError(
                    .tlsUnavailable,
                    "wss:// needs TLS, which this version does not have yet: use ws:// or put a TLS proxy in front")
            }
        } catch {
            return eventLoop.makeFailedFuture(error)
        }
        let handshake = ClientHandshake(
            url: parsed, headers: headers, subprotocols: subprotocols, configuration: configuration, onOpen: onOpen)
        let started = NIODeadline.now()
        return ClientBootstrap(group: eventLoop)
            .connectTimeout(timeout)
            .connect(host: parsed.host, port: parsed.port)
            .flatMapErrorThrowing { error in
                if case ChannelError.connectTimeout = error { throw handshake.timedOut(after: timeout) }
                throw WebSocketConnectError(
                    .unreachable, "cannot connect to \(parsed.hostHeader): \(Self.reason(error))", underlying: error)
            }
            .flatMap { channel in handshake.run(on: channel, deadline: started + timeout, timeout: timeout) }
    }

    /// NIO wraps the failures of all addresses of a name; one of them says enough.
    private static func reason(_ error: any Error) -> String {
        guard let failure = error as? NIOConnectionError else { return "\(error)" }
        if let first = failure.connectionErrors.first { return "\(first.error)" }
        if let lookup = failure.dnsAError ?? failure.dnsAAAAError { return "the name does not resolve (\(lookup))" }
        return "the name does not resolve"
    }
}
