package import StreamCore

/// A client that decides as a value: what happens to its sockets goes in with the time, actions come out, and
/// `deadline` says when it needs `timerFired`. A `SocketDriver` runs it.
package protocol SocketMachine: SendableMetatype {
    associatedtype Socket: Hashable & Sendable
    associatedtype Frame
    associatedtype Event

    mutating func opened(_ socket: Socket, now: Double)
    /// The handshake was answered with another status than 101.
    mutating func refused(_ socket: Socket, status: Int, retryAfter: Double?, now: Double)
    mutating func pong(on socket: Socket, now: Double)
    /// - Parameter detectedHere: the code is this side's, about what the peer sent.
    mutating func closed(_ socket: Socket, code: WebSocketCloseCode, reason: String, detectedHere: Bool, now: Double)
    mutating func timerFired(now: Double)
    mutating func nextAction() -> SocketAction<Socket, Frame, Event>?
    var deadline: Double? { get }
}

extension StreamSession: SocketMachine {}

/// What happened to a socket.
package enum SocketEvent {
    case opened
    /// One message, text or binary: some venues send JSON as binary, and what is not a message is counted as malformed.
    case received(UnsafeRawBufferPointer, isText: Bool)
    case pong
    case closed(WebSocketCloseCode, reason: String, detectedHere: Bool)
}
