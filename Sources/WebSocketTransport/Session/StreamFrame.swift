public import StreamCore

/// One message or ping of a session, for a log.
///
/// Tokens are not in it: what is sent to authenticate is shown as `{"action":"auth","token":"(hidden)"}`, with the
/// message's true size.
public struct StreamFrame: Sendable, Equatable, CustomStringConvertible {
    public enum Direction: Sendable, Hashable { case received, sent }
    public enum Kind: Sendable, Hashable { case text, ping, pong, close }

    public var direction: Direction
    /// Which of the session's sockets, counted from 1.
    public var socket: SocketNumber
    public var kind: Kind
    /// Bytes of the payload.
    public var byteCount: Int
    /// The message; of a close its code and reason; empty for ping and pong.
    public var text: String

    init(_ direction: Direction, _ kind: Kind, on socket: SocketNumber, byteCount: Int = 0, text: String = "") {
        self.direction = direction
        self.socket = socket
        self.kind = kind
        self.byteCount = byteCount
        self.text = text
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
