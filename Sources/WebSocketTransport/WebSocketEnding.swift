/// What ended a WebSocket conversation; the close code alone does not tell a violation from a polite refusal.
public enum WebSocketEnding: Sendable, Hashable {
    /// A close frame of the peer, answering ours or on its own account.
    case closed
    /// The peer broke the protocol or a limit; the close code is what we told it.
    case violation
    /// The peer ended the TCP connection without a close frame.
    case endOfStream
    /// A ping or a close frame got no answer in time: the peer or the network between is gone.
    case unanswered
    /// The socket failed, for example with a reset.
    case failed
    /// We ended it at once (`WebSocketHandler.terminate`).
    case terminated
}
