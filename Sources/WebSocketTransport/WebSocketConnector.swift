public import NIOCore
public import NIOHTTP1
import NIOPosix

/// Opens WebSocket connections.
///
/// ```swift
/// let socket = try await WebSocketConnector.connect(url: "wss://stream.example.com/v1/stream")
/// try await socket.send(text: #"{"action":"subscribe","symbol":"BTC-USD","timeframe":"1m"}"#)
/// for await event in socket.events {
///     if case .text(let text) = event { print(text) }
/// }
/// ```
///
/// A name's addresses are tried as RFC 8305 ("happy eyeballs") has it. Proxies are not supported, neither from options
/// nor from the environment; redirects are refused, see `WebSocketUpgradeError`.
public enum WebSocketConnector {
    /// Connects and does the handshake.
    ///
    /// - Parameters:
    ///   - url: `ws://host[:port]/path?query`, or `wss://` for TLS.
    ///   - headers: sent with the handshake, for example `Authorization` or `Origin`. Those of the handshake itself
    ///     (`Host`, `Upgrade`, `Connection`, `Sec-WebSocket-*`) are set here and override yours, `Host` excepted.
    ///   - subprotocols: offered in this order; the server's choice is `WebSocketConnection.subprotocol`. An answer
    ///     with one that was not offered is refused (RFC 6455 section 4.1).
    ///   - tls: for `wss://`: whom to trust, pins, a client certificate.
    ///   - timeout: for the name, TCP, TLS and the handshake together.
    /// - Throws: `WebSocketUpgradeError` where the server answers with another status than 101, `CancellationError`
    ///   where the task is cancelled meanwhile, `WebSocketConnectError` for everything else. None of them holds the
    ///   request's headers or the values of the URL's query.
    public static func connect(
        url: String, headers: HTTPHeaders = [:], subprotocols: [String] = [], tls: WebSocketTLS = .default,
        configuration: WebSocketConfiguration = .client, timeout: TimeAmount = .seconds(5),
        on group: any EventLoopGroup = defaultGroup
    ) async throws -> WebSocketConnection {
        let dial = Dial(
            headers: headers, subprotocols: subprotocols, tls: tls, configuration: configuration, timeout: timeout
        ) { handler, response in
            let subprotocol = response.headers.first(name: "sec-websocket-protocol")
            return try WebSocketConnection(handler: handler, subprotocol: subprotocol)
        }
        return try await dial.cancellable(url, on: group)
    }

    /// Connects for code that lives on the event loop: feeds, benchmarks. No task and no copy per message.
    ///
    /// - Parameter onOpen: called on the connection's event loop before any frame is delivered, with the server's
    ///   answer; it must set the handler's delegate (`WebSocketCallbacks` where closures are enough).
    /// - Returns: the channel, once the handshake is done. Fails like `connect` throws.
    public static func connect(
        url: String, headers: HTTPHeaders = [:], subprotocols: [String] = [], tls: WebSocketTLS = .default,
        configuration: WebSocketConfiguration = .client, timeout: TimeAmount = .seconds(5),
        on group: any EventLoopGroup = defaultGroup,
        onOpen: @escaping @Sendable (WebSocketHandler, HTTPResponseHead) -> Void
    ) -> EventLoopFuture<any Channel> {
        let dial = Dial<any Channel>(
            headers: headers, subprotocols: subprotocols, tls: tls, configuration: configuration, timeout: timeout
        ) { handler, response in
            onOpen(handler, response)
            // Only on a handler whose channel closed already is there none; then its future is the whole answer.
            guard let channel = handler.channel else { throw WebSocketClosedError() }
            return channel
        }
        return dial.run(url, on: group.any())
    }

    /// The event loops that all of the process's clients share unless configured otherwise.
    public static var defaultGroup: any EventLoopGroup { MultiThreadedEventLoopGroup.singleton }
}
