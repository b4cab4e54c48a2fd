import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import StreamCore
import WebSocketTransport

/// Opens a client's sockets when the test says so, on an event loop whose time the test moves.
final class ScriptedConnector: Sendable {
    private struct Request {
        var onOpen: @Sendable (WebSocketHandler) -> Void
        var promise: EventLoopPromise<Void>
    }

    let loop = NIOAsyncTestingEventLoop()
    private let requests = NIOLockedValueBox<[Request]>([])
    private let total = NIOLockedValueBox(0)

    /// Sockets that were requested, over the client's life.
    var count: Int { total.withLockedValue { $0 } }

    var connector: StreamConnector {
        StreamConnector { [self] eventLoop, _, onOpen in
            let promise = eventLoop.makePromise(of: Void.self)
            requests.withLockedValue { $0.append(Request(onOpen: onOpen, promise: promise)) }
            total.withLockedValue { $0 += 1 }
            return promise.futureResult
        }
    }

    /// Opens the oldest socket that waits for it.
    func open() async throws -> NIOAsyncTestingChannel {
        let request = requests.withLockedValue { $0.removeFirst() }
        let channel = NIOAsyncTestingChannel(loop: loop)
        try await loop.executeInContext {
            let handler = WebSocketHandler(role: .client, configuration: .client)
            try channel.pipeline.syncOperations.addHandler(handler)
        }
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
        try await loop.executeInContext {
            request.onOpen(try channel.pipeline.syncOperations.handler(type: WebSocketHandler.self))
        }
        request.promise.succeed()
        return channel
    }

    func fail(_ error: any Error) {
        requests.withLockedValue { $0.removeFirst() }.promise.fail(error)
    }

    /// Lets everything happen that was requested until now.
    func waitUntilQuiet() async {
        await loop.run()
    }

    func advance(by time: TimeAmount) async {
        await loop.advanceTime(by: time)
    }
}
