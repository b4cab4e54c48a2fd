/// Why a WebSocket connection ended: the status code of RFC 6455 section 7.4, and what it means for a client.
///
/// Any 16-bit number can be held, because a peer may send any; `isAllowedOnWire` says which of them are legal in a
/// close frame.
public struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable {
    public let rawValue: UInt16

    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The purpose of the connection has been fulfilled.
    public static let normal = WebSocketCloseCode(rawValue: 1000)
    /// The server is shutting down, or the page is left.
    public static let goingAway = WebSocketCloseCode(rawValue: 1001)
    /// The peer broke the protocol.
    public static let protocolError = WebSocketCloseCode(rawValue: 1002)
    /// A kind of data that the endpoint does not accept (binary where only text is understood).
    public static let unacceptableData = WebSocketCloseCode(rawValue: 1003)
    /// The close frame held no code. Never sent: it exists only for the application.
    public static let noStatus = WebSocketCloseCode(rawValue: 1005)
    /// The connection was lost without a close frame. Never sent.
    public static let abnormal = WebSocketCloseCode(rawValue: 1006)
    /// A text message or a close reason that is not UTF-8.
    public static let invalidPayload = WebSocketCloseCode(rawValue: 1007)
    /// A rule of the endpoint was broken for which there is no better code.
    public static let policyViolation = WebSocketCloseCode(rawValue: 1008)
    /// A frame or message beyond the limits.
    public static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
    /// The server did not agree to an extension that the client cannot do without.
    public static let mandatoryExtension = WebSocketCloseCode(rawValue: 1010)
    /// The server failed.
    public static let internalError = WebSocketCloseCode(rawValue: 1011)
    /// The server restarts; come back after a while.
    public static let serviceRestart = WebSocketCloseCode(rawValue: 1012)
    /// The server is overloaded; come back later.
    public static let tryAgainLater = WebSocketCloseCode(rawValue: 1013)
    /// A gateway got no valid answer from the server behind it.
    public static let badGateway = WebSocketCloseCode(rawValue: 1014)
    /// The TLS handshake failed. Never sent.
    public static let tlsFailure = WebSocketCloseCode(rawValue: 1015)
    /// Candlewire: come back with backoff.
    public static let reconnect = WebSocketCloseCode(rawValue: 4000)
    /// Candlewire: no answer to a ping. It may reconnect.
    public static let pingTimeout = WebSocketCloseCode(rawValue: 4001)
    /// Candlewire: the peer read too slowly and its queue was full. It may reconnect.
    public static let slowReader = WebSocketCloseCode(rawValue: 4008)
    /// Candlewire: the peer sent more messages a second than it may. It may reconnect.
    public static let tooManyMessages = WebSocketCloseCode(rawValue: 4009)
    /// Candlewire: more connections from one address than it may have. It may try later.
    public static let tooManyConnections = WebSocketCloseCode(rawValue: 4010)
    /// Candlewire: the peer sent one bad request after the other. It must not reconnect.
    public static let badRequests = WebSocketCloseCode(rawValue: 4100)
    /// Candlewire: no valid token. It must not reconnect with the same one.
    public static let unauthorized = WebSocketCloseCode(rawValue: 4101)
    /// Candlewire: the token does not allow this. It must not reconnect.
    public static let forbidden = WebSocketCloseCode(rawValue: 4102)

    /// Whether the code may stand in a close frame: 1000-1003, 1007-1014 and 3000-4999.
    ///
    /// RFC 6455 section 7.4.2 and the IANA registry: 1004 is reserved, 1005, 1006 and 1015 only exist locally, and
    /// 1016-2999 are kept for later versions of the protocol.
    @inlinable public var isAllowedOnWire: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    /// Whether it makes sense to connect again (after a delay), judged by the code alone.
    ///
    /// 4000-4099 may reconnect and 4100-4199 must not: the table of the stream protocol. Of the standard codes those
    /// that the same conversation would only run into again (no binary, too big, policy, missing extension), the normal
    /// end, and a server that is not who it should be (1015: to retry in silence would hide it) are final. A broken
    /// frame (1002) or text that is not UTF-8 (1007) is more often a network that garbles bytes than a peer that cannot
    /// speak, whichever side saw it. An unknown code may reconnect: backoff bounds what that costs, while a wrong "no"
    /// would leave a chart dead.
    @inlinable public var isRetryable: Bool {
        switch rawValue {
        case 1000, 1003, 1008...1010, 1015, 4100...4199: false
        default: true
        }
    }
}
