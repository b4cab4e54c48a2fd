public import Foundation

/// What happens on a `WebSocket`; the cases of Starscream 4.
///
/// Each attempt to connect ends with exactly one of `disconnected`, `peerClosed`, `error` and `cancelled`, whatever
/// happens, and nothing comes after it before the next `connected`:
///
/// | what happened | events |
/// |---|---|
/// | connected | `viabilityChanged(true)`, `connected` |
/// | `disconnect()`, answered or not | `disconnected(reason, code)`; before it was connected `cancelled` |
/// | `forceDisconnect()` | `cancelled` |
/// | the server sent a close frame | `disconnected(reason, code)`; code 1005 where it had none |
/// | the server ended the TCP connection without one | `viabilityChanged(false)`, `peerClosed` |
/// | the network is gone: no answer to a ping, reset | `viabilityChanged(false)`, `error` |
/// | the server broke the protocol or a limit | `error` |
/// | no connection came about | `error` |
///
/// Starscream sends nothing after `disconnect()` and after the loss of the network, and up to three of these otherwise.
public enum WebSocketEvent {
    /// The handshake is done; with the headers of the server's answer.
    case connected([String: String])
    /// The conversation ended with a close handshake: the reason and the code.
    case disconnected(String, UInt16)
    case text(String)
    case binary(Data)
    case pong(Data?)
    /// Answered already, unless `respondToPingWithPong` is off.
    case ping(Data?)
    /// No connection came about (`HTTPUpgradeError`, `WSError`), or it failed (`WSError`).
    case error((any Error)?)
    /// Whether the peer can be reached: true before `connected`, false when it is found to be gone.
    case viabilityChanged(Bool)
    /// A better network is there. Never sent: SwiftNIO does not watch networks.
    case reconnectSuggested(Bool)
    /// We ended it without a close handshake.
    case cancelled
    /// The server ended the TCP connection without a close frame.
    case peerClosed
}
