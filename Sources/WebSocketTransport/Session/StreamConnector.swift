public import NIOCore
import NIOHTTP1
import StreamCore

/// How a session's sockets are opened: over the network, or in a test over whatever ends in a `WebSocketHandler`.
public struct StreamConnector: Sendable {
    /// Opens one socket on the event loop. `onOpen` must be called there once the handshake is done and before any frame
    /// is delivered; it sets the handler's delegate. The future fails as `WebSocketClient.connect` does.
    public typealias Open =
        @Sendable (
            _ eventLoop: any EventLoop, _ timeout: TimeAmount, _ onOpen: @escaping @Sendable (WebSocketHandler) -> Void
        ) -> EventLoopFuture<Void>

    public var open: Open

    public init(open: @escaping Open) {
        self.open = open
    }

    static func network(url: String, configuration: StreamClientConfiguration) -> StreamConnector {
        var transport = configuration.transport
        transport.keepAlive = nil
        let (headers, tls) = (configuration.headers, configuration.tls)
        return StreamConnector { [transport] eventLoop, timeout, onOpen in
            WebSocketClient.connect(
                url: url, headers: headers, tls: tls, configuration: transport, timeout: timeout, on: eventLoop
            ) { handler, _ in onOpen(handler) }.map { _ in }
        }
    }
}
