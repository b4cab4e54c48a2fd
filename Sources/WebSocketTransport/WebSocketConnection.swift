import NIOCore
public import StreamCore

/// An open client connection for code that lives in tasks.
///
/// ```swift
/// for await event in socket.events {
///     switch event {
///     case .connected(let subprotocol): …                  // always the first
///     case .text(let text): …
///     case .binary, .ping, .pong: …
///     case .disconnected(let code, let reason): …          // always the last, whoever ended it
///     }
/// }
/// ```
/// Events that nobody takes are held up to 256 KiB; then reading stops, and the server meets TCP's backpressure. The
/// connection lives as long as this object or its `events` are held by somebody; when both are let go it closes with
/// 1001.
public final class WebSocketConnection: Sendable {
    /// The server's choice among the offered subprotocols.
    public let subprotocol: String?
    /// For one consumer.
    public let events: WebSocketEvents

    private let channel: any Channel
    private let handler: NIOLoopBound<WebSocketHandler>
    private let lease: ConnectionLease

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
        let lease = ConnectionLease(bound)
        self.lease = lease
        events = WebSocketEvents(queue: queue, lease: lease)
        handler.delegate = ConnectionDelegate(queue: queue)
        _ = queue.push(.connected(subprotocol: subprotocol))
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

/// The events of a `WebSocketConnection`, each once and in order; ends after `disconnected`.
///
/// It also ends when the consuming task is cancelled, at once and even if more events are here. That does not end the
/// connection: what was not taken stays for whoever iterates next.
public struct WebSocketEvents: AsyncSequence, Sendable {
    public typealias Element = WebSocketConnectionEvent

    let queue: EventQueue
    let lease: ConnectionLease

    public func makeAsyncIterator() -> Iterator { Iterator(queue: queue, lease: lease) }

    public struct Iterator: AsyncIteratorProtocol {
        let queue: EventQueue
        /// `for await event in socket.events` may be the last that the compiler sees of `socket`.
        let lease: ConnectionLease

        public mutating func next() async -> WebSocketConnectionEvent? { await queue.next() }
    }
}

/// Closes the connection when nobody holds it any more.
final class ConnectionLease: Sendable {
    private let handler: NIOLoopBound<WebSocketHandler>

    init(_ handler: NIOLoopBound<WebSocketHandler>) {
        self.handler = handler
    }

    deinit {
        let handler = handler
        handler.eventLoop.execute { handler.value.close(.goingAway, reason: "") }
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
