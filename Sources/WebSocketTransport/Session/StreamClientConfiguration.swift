public import NIOHTTP1
public import StreamCore

/// How a `StreamClient` behaves. The defaults are meant for a chart on a person's device.
public struct StreamClientConfiguration: Sendable {
    /// Gets the token that opens a connection. Called again when the server refused the last one (`wasRejected`).
    /// Throwing, or returning an empty text, means that there is none: the connection then fails as unauthorized.
    public typealias TokenProvider = @Sendable (_ wasRejected: Bool) async throws -> String

    /// Reconnection, heartbeat, rotation, staleness. Its `defaultMaxRate` is not used: each subscription names its
    /// rate.
    public var session = SessionConfiguration()
    /// The WebSocket's limits. Pings are the session's, so `keepAlive` is off.
    public var transport = WebSocketConfiguration.client
    /// Whether market data may come in the compact encoding, `BinaryMessageWriter.subprotocol`: a third of the bytes. A server
    /// that does not have it sends JSON. Nothing else changes.
    public var offersBinary = true
    /// Sent with each handshake, for example `Origin`.
    public var headers: HTTPHeaders = [:]
    /// For `wss://`: whom to trust, pins, a client certificate. Where TLS fails the session fails, and does not retry.
    public var tls = WebSocketTLS.default
    /// `nil`: the server requires no token. One that requires none accepts any.
    public var token: TokenProvider?
    /// Candles that are kept of each stream, for observers that join later or read their events too slowly.
    public var keptCandles = 2000
    /// Gets every message and ping, without secrets, on the event loop; for a log. Costs a `String` a message.
    public var onFrame: (@Sendable (StreamFrame) -> Void)?
    /// Gets what concerns the session as a whole: problems, latency, unknown messages, a server's announced end.
    /// On the event loop.
    public var onEvent: (@Sendable (SessionEvent) -> Void)?

    public init() {}
}

/// One message or ping of a session, for a log.
///
/// Tokens are not in it: what is sent to authenticate is shown as `{"action":"auth","token":"(hidden)"}`, with the
/// message's true size.
public struct StreamFrame: Sendable, Equatable, CustomStringConvertible {
    public enum Direction: Sendable, Hashable { case received, sent }
    public enum Kind: Sendable, Hashable { case text, binary, ping, pong, close }

    public var direction: Direction
    /// Which of the session's sockets, counted from 1.
    public var socket: SocketNumber
    public var kind: Kind
    /// Bytes of the payload.
    public var byteCount: Int
    /// The message, a binary one in words; of a close its code and reason; empty for ping and pong.
    public var text: String

    init(_ direction: Direction, _ kind: Kind, on socket: SocketNumber, byteCount: Int = 0, text: String = "") {
        self.direction = direction
        self.socket = socket
        self.kind = kind
        self.byteCount = byteCount
        self.text = text
    }

    /// A message that was received.
    init(received bytes: UnsafeRawBufferPointer, isText: Bool, on socket: SocketNumber) {
        let text =
            isText
            ? String(decoding: bytes, as: UTF8.self)
            : (try? ServerMessage.decode(binary: bytes)).map { "\($0)" } ?? "(not readable)"
        self.init(.received, isText ? .text : .binary, on: socket, byteCount: bytes.count, text: text)
    }

    /// A message that is sent; `bytes` as `ClientMessageWriter` writes them.
    init(sending bytes: UnsafeRawBufferPointer, on socket: SocketNumber) {
        let secret = StaticString("{\"action\":\"auth\"")
        let isSecret = bytes.starts(
            with: UnsafeRawBufferPointer(start: secret.utf8Start, count: secret.utf8CodeUnitCount))
        self.init(
            .sent, .text, on: socket, byteCount: bytes.count,
            text: isSecret ? #"{"action":"auth","token":"(hidden)"}"# : String(decoding: bytes, as: UTF8.self))
    }

    public var description: String {
        let arrow = direction == .sent ? "->" : "<-"
        return "socket \(socket.rawValue) \(arrow) \(kind), \(byteCount) bytes" + (text.isEmpty ? "" : ": \(text)")
    }
}
