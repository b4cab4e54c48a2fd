import NIOCore
public import StreamCore

/// An open client connection for code that lives in tasks.
///
/// Events that nobody takes are held up to 256 KiB; then reading stops, and the server meets TCP's backpressure. A
/// connection that is let go closes with 1001.
public final class WebSocketConnection: Sendable {
    /// The server's choice among the offered subprotocols.
    public let subprotocol: String?
    /// For one consumer.
    public let events: WebSocketEvents

    private let channel: any Channel
    private let handler: NIOLoopBound<WebSocketHandler>

    /// Must be called on the event loop, before the handler gets bytes.
    /// - Throws: `WebSocketClosedError` where the channel is closed already.
    init(handler: WebSocketHandler, subprotocol: String?) throws {
        guard let channel = handler.channel else { throw WebSocketClosedError() }
        self.channel = channel
        self.subprotocol = subprotocol
        let eventLoop = channel.eventLoop
        let bound = NIOLoopBound(handler, eventLoop: eventLoop)
        self.handler = bound
        let queue = EventQueue(onDrained: { eventLoop.execute { bound.value.resumeReading() } })
        events = WebSocketEvents(queue: queue)
        handler.delegate = ConnectionDelegate(queue: queue)
        _ = queue.push(.connected(subprotocol: subprotocol))
    }

    deinit {
        let handler = handler
        channel.eventLoop.execute { handler.value.close(.goingAway, reason: "") }
    }

    /// Sends a text message and returns when the socket has taken it: a slow peer slows its sender down.
    /// - Throws: `WebSocketClosedError` where the connection is closing, or what the socket failed with.
    public func send(text: String) async throws {
        try await write { $0.send(text: text, promise: $1) }
    }

    /// Sends a binary message; like `send(text:)`.
    public func send(binary: [UInt8]) async throws {
        try await write { $0.send(binary: ByteBuffer(bytes: binary), promise: $1) }
    }

    /// Sends a ping of at most 125 bytes; the answer is an event.
    public func ping(_ payload: [UInt8] = []) {
        let handler = handler
        channel.eventLoop.execute { handler.value.ping(payload) }
    }

    /// Does the close handshake and returns when the connection is gone, at the latest after `closeTimeout` (twice,
    /// where the server answers but never ends the connection). The last event tells the code.
    public func close(code: WebSocketCloseCode = .normal, reason: String = "") async {
        let handler = handler
        channel.eventLoop.execute { handler.value.close(code, reason: reason) }
        try? await channel.closeFuture.get()
    }

    private func write(
        _ body: @escaping @Sendable (WebSocketHandler, EventLoopPromise<Void>) -> Void
    ) async throws {
        let handler = handler
        let promise = channel.eventLoop.makePromise(of: Void.self)
        channel.eventLoop.execute { body(handler.value, promise) }
        try await promise.futureResult.get()
    }
}

/// The events of a `WebSocketConnection`; ends after `disconnected`, or when the task is cancelled.
public struct WebSocketEvents: AsyncSequence, Sendable {
    public typealias Element = WebSocketConnectionEvent

    let queue: EventQueue

    public func makeAsyncIterator() -> Iterator { Iterator(queue: queue) }

    public struct Iterator: AsyncIteratorProtocol {
        let queue: EventQueue

        public mutating func next() async -> WebSocketConnectionEvent? { await queue.next() }
    }
}

/// Moves what arrives on the event loop into the queue.
private final class ConnectionDelegate: WebSocketHandlerDelegate {
    private let queue: EventQueue

    init(queue: EventQueue) {
        self.queue = queue
    }

    private func push(_ event: WebSocketConnectionEvent, from socket: WebSocketHandler) {
        if queue.push(event) { socket.pauseReading() }
    }

    func webSocketText(_ text: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        push(.text(String(decoding: text, as: UTF8.self)), from: socket)
    }

    func webSocketBinary(_ bytes: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        push(.binary(Array(bytes)), from: socket)
    }

    func webSocketPing(_ payload: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        push(.ping(Array(payload)), from: socket)
    }

    func webSocketPong(_ payload: UnsafeRawBufferPointer, on socket: WebSocketHandler) {
        push(.pong(Array(payload)), from: socket)
    }

    func webSocketClosed(_ code: WebSocketCloseCode, reason: String, on socket: WebSocketHandler) {
        _ = queue.push(.disconnected(code, reason: reason), isLast: true)
    }
}
