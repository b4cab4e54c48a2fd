public import NIOHTTP1

/// The server answered the handshake with something else than "101 Switching Protocols".
///
/// 401 and 403 ask for other credentials, 404 for another path, 5xx for patience; a redirect (3xx) is not followed,
/// because headers with secrets would go to wherever it points. Its target is in `headers`.
public struct WebSocketUpgradeError: Error, Sendable, CustomStringConvertible {
    public let status: HTTPResponseStatus
    public let headers: HTTPHeaders
    /// The start of the answer's body (at most 16 KiB), where servers say why.
    public let body: String

    public var description: String {
        var text = "the server refused the WebSocket: HTTP \(status.code) \(status.reasonPhrase)"
        if (300..<400).contains(status.code), let location = headers.first(name: "location") {
            text += " (redirects are not followed; it points to \(location))"
        }
        return text
    }
}

/// No WebSocket connection came about, and no HTTP answer either.
public struct WebSocketConnectError: Error, Sendable, CustomStringConvertible {
    public struct Code: Sendable, Hashable {
        private enum Value: Sendable {
            case badURL, tlsUnavailable, unreachable, timedOut, invalidHandshake, closedDuringHandshake
        }
        private let value: Value

        /// Not an absolute `ws://` URL.
        public static let badURL = Code(value: .badURL)
        /// `wss://` was asked for, which this build cannot do.
        public static let tlsUnavailable = Code(value: .tlsUnavailable)
        /// The name does not resolve, or nobody listens there.
        public static let unreachable = Code(value: .unreachable)
        /// The time for connecting and for the handshake is over.
        public static let timedOut = Code(value: .timedOut)
        /// An answer that is no valid handshake (wrong `Sec-WebSocket-Accept`, a subprotocol nobody asked for).
        public static let invalidHandshake = Code(value: .invalidHandshake)
        /// The peer hung up before it answered.
        public static let closedDuringHandshake = Code(value: .closedDuringHandshake)
    }

    public let code: Code
    /// One sentence for people.
    public let description: String
    public let underlying: (any Error)?

    init(_ code: Code, _ description: String, underlying: (any Error)? = nil) {
        self.code = code
        self.description = description
        self.underlying = underlying
    }
}

/// Something was to be sent on a connection that is closed or closing.
public struct WebSocketClosedError: Error, Sendable, CustomStringConvertible {
    public init() {}
    public var description: String { "the WebSocket connection is closed" }
}
