public import Foundation
public import StreamCore

/// What a scripted server does with one connection, step by step. The same script plays over a real socket
/// (`ScriptedServer`) and in memory on a manual clock (`ScriptedTransport`).
///
/// ```swift
/// let script: [PeerStep] = [
///     .expectText(containing: #""action":"subscribe""#),
///     .send(#"{"type":"subscribed","symbol":"A","timeframe":"1m","epoch":"e","offset":0,"recovered":false}"#),
///     .wait(2), .cut,
/// ]
/// ```
///
/// A script that begins with anything else than `refuse`, `stall`, `cut` or `sendRaw` accepts the connection first.
/// Where it ends, the connection stays open and everything the client sends is read and ignored.
public enum PeerStep: Sendable, Equatable {
    /// Answers the handshake with this HTTP status instead of 101. Only as the first step.
    case refuse(status: Int, retryAfter: Int? = nil)
    /// The next text message must be this one.
    case expect(String)
    /// The next text message must have this in it.
    case expectText(containing: String)
    /// The next text message, whatever its content.
    case expectAnything
    /// The client must close, with this code where one is given.
    case expectClose(WebSocketCloseCode? = nil)
    case send(String)
    case sendBinary([UInt8])
    /// These bytes as they are, frames or not: to break the protocol with. As the first step: instead of the
    /// handshake's answer.
    case sendRaw([UInt8])
    /// Does nothing for this many seconds. Pings are answered.
    case wait(Double)
    /// Reads and answers nothing any more, and closes nothing: the peer that hangs. As the first step: a handshake that
    /// is never answered.
    case stall
    /// Ends the connection without a farewell (a TCP reset).
    case cut
    /// Begins the close handshake.
    case close(WebSocketCloseCode, reason: String = "")

    /// Whether it stands in place of the handshake's answer, where it comes first.
    var replacesHandshake: Bool {
        switch self {
        case .refuse, .stall, .cut, .sendRaw: true
        default: false
        }
    }

    /// Whether a message is what this step waits for; `nil`: this step waits for no message.
    func accepts(_ text: String) -> Bool? {
        switch self {
        case .expect(let expected): text == expected
        case .expectText(containing: let part): text.contains(part)
        case .expectAnything: true
        case .expectClose: false
        default: nil
        }
    }
}

/// Something differed from the script.
public struct ScriptFailure: LocalizedError, Sendable, Equatable, CustomStringConvertible {
    /// From 0, in the order of connecting.
    public var connection: Int
    /// From 0; `nil`: outside of the script.
    public var step: Int?
    public var what: String

    public var description: String { "connection \(connection)" + (step.map { ", step \($0)" } ?? "") + ": \(what)" }
    public var errorDescription: String? { description }
}
