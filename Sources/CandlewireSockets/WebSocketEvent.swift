public import Foundation

/// What happens on a `WebSocket`; the cases of Starscream 4.
///
/// Each attempt to connect ends with exactly one of `disconnected`, `error` and `cancelled`, whatever happens, and nothing
/// comes after it before the next attempt:
///
/// | what happened | events |
/// |---|---|
/// | connected | `viabilityChanged(true)`, `connected` |
/// | `disconnect()`, answered or not | `disconnected(reason, code)`; before it was connected `cancelled` |
/// | `forceDisconnect()` | `cancelled` |
/// | the server sent a close frame | `disconnected(reason, code)`; code 1005 where it had none |
/// | the server ended the TCP connection without one | `viabilityChanged(false)`, `error` (`WSError`, code 1006) |
/// | the network is gone: no answer to a ping, reset | `viabilityChanged(false)`, `error` |
/// | the server broke the protocol or a limit | `error` |
/// | no connection came about | `error` |
///
/// Starscream sends nothing after `disconnect()` and after the loss of the network, and up to three of these otherwise.
///
/// What Starscream sends when the TCP connection ends without a close frame depends on version and transport:
///
/// | file of Starscream | version | event |
/// |---|---|---|
/// | `Sources/Engine/NativeEngine.swift` (`useCustomEngine: false`) | 4.0.1 to 4.0.8 | `error` |
/// | `Sources/Transport/FoundationTransport.swift` (systems before iOS 12 and macOS 10.14) | 4.0.0 to 4.0.8 | `cancelled` |
/// | `Sources/Transport/TCPTransport.swift` (default) | 4.0.0 to 4.0.4 | none |
/// | `Sources/Transport/TCPTransport.swift` (default) | 4.0.5 to 4.0.8 | `peerClosed` |
/// | the same, where the connection is reset | 4.0.0 to 4.0.8 | `error`, then `cancelled` |
///
/// Here it is always `error`: code written for versions before 4.0.5 has no `peerClosed`, and code that has it often
/// leaves it to `default`. An application that reconnects after `error` reconnects after this, too.
public enum WebSocketEvent {
    /// The handshake is done; with the headers of the server's answer.
    case connected([String: String])
    /// The connection ended with a close handshake: the reason and the code.
    case disconnected(String, UInt16)
    case text(String)
    case binary(Data)
    case pong(Data?)
    /// Answered already, unless `respondToPingWithPong` is off.
    case ping(Data?)
    /// No connection came about (`HTTPUpgradeError`, `WSError`), or it was lost (`WSError`).
    case error((any Error)?)
    /// Whether the peer can be reached: true before `connected`, false when it is found to be gone.
    case viabilityChanged(Bool)
    /// A better network is there. Never sent: SwiftNIO does not watch networks.
    case reconnectSuggested(Bool)
    /// We ended it without a close handshake.
    case cancelled
    /// Never sent: an end of the TCP connection without a close frame is an `error`. The case is here for a `switch`
    /// written for Starscream 4.0.5 or newer.
    case peerClosed
}
