public import NIOCore
import NIOHTTP1
import NIOPosix
import StreamCore
public import WebSocketTransport

/// An echo endpoint in this process, on a free port of the loopback interface: what the tracker talks to where no other
/// echo server is named, so that it works without one.
///
/// The same as a server's `/raw`, with smaller limits: messages of up to 64 KiB.
public struct LoopbackEcho: Sendable {
    private let channel: any Channel

    /// `ws://127.0.0.1:PORT/raw`.
    public var url: String { "ws://127.0.0.1:\(channel.localAddress?.port ?? 0)\(Self.path)" }

    static let path = "/raw"

    /// - Throws: where no port can be had.
    public static func start(
        on group: any EventLoopGroup = WebSocketConnector.defaultGroup
    ) async throws -> LoopbackEcho {
        try await listen(on: group).get()
    }

    static func listen(on group: any EventLoopGroup) -> EventLoopFuture<LoopbackEcho> {
        let upgrade = WebSocketServerUpgrade(
            configuration: configuration,
            shouldUpgrade: { $0.uri == path ? .accept() : .refuse(.notFound, message: "The echo is at \(path).") },
            onOpen: { socket, _ in socket.delegate = WebSocketEcho() })
        return ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    // Other requests are not answered here.
                    _ = try upgrade.configure(channel) { channel in channel.close() }
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .map(LoopbackEcho.init)
    }

    /// Accepts no more connections. Those that are open stay until their own end.
    public func stop() async { try? await channel.close() }

    /// The same, without waiting for it.
    func close() { channel.close(promise: nil) }

    private static var configuration: WebSocketConfiguration {
        WebSocketConfiguration(limits: .server, keepAlive: nil, outboundLimit: 1 << 20, idleTimeout: .minutes(10))
    }
}
