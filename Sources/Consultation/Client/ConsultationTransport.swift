public import StreamCore

/// What happened to a session's sockets.
public enum ConsultationTransportEvent: Sendable, Equatable {
    case opened(SocketNumber)
    /// The handshake was answered with another status than 101; 0 where there was no answer.
    /// - Parameter retryAfter: seconds, from the header of that name.
    case refused(SocketNumber, status: Int, retryAfter: Double?)
    case text(SocketNumber, [UInt8])
    /// So many bytes that are no text.
    case binary(SocketNumber, bytes: Int)
    /// `abnormal` where no close frame came. `detectedHere`: the code is this side's, about what it received.
    case closed(SocketNumber, WebSocketCloseCode, reason: String, detectedHere: Bool)
}

/// How a session's sockets are opened: over the network, simulated, or by a test. One session, one transport.
@MainActor
public protocol ConsultationTransport: AnyObject {
    /// Set by the session; to be called on the main actor, never from within one of the calls below.
    var onEvent: ((ConsultationTransportEvent) -> Void)? { get set }

    /// - Parameter token: for the handshake; `nil`: none.
    /// - Throws: what is wrong with where it goes, in a sentence; no event follows.
    func open(_ socket: SocketNumber, token: String?) throws(ConsultationSetupError)
    func send(_ frame: [UInt8], on socket: SocketNumber)
    /// Begins the close handshake. Nothing of the socket needs to be reported any more.
    func close(_ socket: SocketNumber, _ code: WebSocketCloseCode, reason: String)
    /// Ends the socket at once. Nothing of it needs to be reported any more.
    func drop(_ socket: SocketNumber)
}

/// What keeps a consultation from being reached at all. A sentence for the user.
public enum ConsultationSetupError: Error, Sendable, Hashable, CustomStringConvertible {
    case noToken
    case invalidURL

    public var description: String {
        switch self {
        case .noToken: "No authentication token"
        case .invalidURL: "Invalid URL"
        }
    }
}
