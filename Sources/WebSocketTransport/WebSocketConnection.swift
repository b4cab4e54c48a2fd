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
///     case .disconnected(let code, let reason): …          // always the last, whichever side ended it
///     }
/// }
/// ```
/// Events that are not read are held up to 256 KiB; then reading stops, and the server meets TCP's backpressure. The
/// connection lives as long as this object or its `events` are referenced; when both are let go it closes with 1001.
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
        events = WebSocketEvents {
            // `for await event in socket.events` may be the last that the compiler sees of `socket`.
            defer { withExtendedLifetime(lease) {} }
            return await queue.next()
        }
        func push(_ event: WebSocketConnectionEvent, from socket: WebSocketHandler) {
            if queue.push(event) { socket.pauseReading() }
        }
        handler.delegate = WebSocketCallbacks(
            onText: { push(.text(String(decoding: $0, as: UTF8.self)), from: $1) },
            onBinary: { push(.binary(Array($0)), from: $1) }, onPing: { push(.ping(Array($0)), from: $1) },
            onPong: { push(.pong(Array($0)), from: $1) },
            onClose: { _ = queue.push(.disconnected($0, reason: $1), isLast: true) })
        _ = queue.push(.connected(subprotocol: subprotocol))
    }

    /// Sends a text message and returns when the socket has accepted it: a slow peer slows its sender down.
    /// - Throws: `WebSocketClosedError` where the connection is closing, or what the socket failed with.
    public func send(text: String) async throws { try await write { $0.send(text: text, promise: $1) } }

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
    /// where the server answers but never ends the connection). The last event has the code.
    public func close(code: WebSocketCloseCode = .normal, reason: String = "") async {
        let handler = handler
        channel.eventLoop.execute { handler.value.close(code, reason: reason) }
        try? await channel.closeFuture.get()
    }

    private func write(_ body: @escaping @Sendable (WebSocketHandler, EventLoopPromise<Void>) -> Void) async throws {
        let handler = handler
        let promise = channel.eventLoop.makePromise(of: Void.self)
        channel.eventLoop.execute { body(handler.value, promise) }
        try await promise.futureResult.get()
    }
}

/// The events of a `WebSocketConnection`, each once and in order; ends after `disconnected`.
///
/// It also ends when the consuming task is cancelled, at once and even if more events are here. That does not end the
/// connection: what was not read stays for the next iteration.
public typealias WebSocketEvents = SocketEvents<WebSocketConnectionEvent>

/// Closes the connection when the last reference is gone.
final class ConnectionLease: Sendable {
    private let handler: NIOLoopBound<WebSocketHandler>

    init(_ handler: NIOLoopBound<WebSocketHandler>) { self.handler = handler }

    deinit {
        let handler = handler
        handler.eventLoop.execute { handler.value.close(.goingAway, reason: "") }
    }
}

/// What happens on a `WebSocketConnection`, in order, each once.
public enum WebSocketConnectionEvent: Sendable, Equatable {
    /// Always the first; with the subprotocol the server chose.
    case connected(subprotocol: String?)
    case text(String)
    case binary([UInt8])
    /// The peer checks whether we are there; it is answered already.
    case ping([UInt8])
    case pong([UInt8])
    /// Always the last. `abnormal` (1006) where no close frame came.
    case disconnected(WebSocketCloseCode, reason: String)

    /// What it costs the queue between connection and consumer, in bytes.
    var weight: Int {
        switch self {
        case .connected, .disconnected: 0
        case .text(let text): text.utf8.count + 64
        case .binary(let bytes), .ping(let bytes), .pong(let bytes): bytes.count + 64
        }
    }
}
