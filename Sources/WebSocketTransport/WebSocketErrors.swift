/// No WebSocket connection came about, and no HTTP answer either.
public struct WebSocketConnectError: Error, Sendable, CustomStringConvertible {
    public struct Code: Sendable, Hashable {
        private let name: String

        /// Not an absolute `ws://` or `wss://` URL.
        public static let badURL = Code(name: "badURL")
        /// The server is not who it should be (certificate, name, pin), or requires a certificate of ours.
        public static let tlsFailed = Code(name: "tlsFailed")
        /// TLS did not come about, without a verdict on either side: the server supports none, or none of our versions,
        /// or the bytes were garbled.
        public static let tlsHandshakeFailed = Code(name: "tlsHandshakeFailed")
        /// The name does not resolve, or no server listens there.
        public static let unreachable = Code(name: "unreachable")
        /// The time for connecting, TLS and handshake is over.
        public static let timedOut = Code(name: "timedOut")
        /// An answer that is not a valid handshake (wrong `Sec-WebSocket-Accept`, a subprotocol that was not requested).
        public static let invalidHandshake = Code(name: "invalidHandshake")
        /// The peer hung up before it answered.
        public static let closedDuringHandshake = Code(name: "closedDuringHandshake")
    }

    public let code: Code
    /// One sentence for people, without values of the URL's query.
    public let description: String
    public let underlying: (any Error)?

    /// Whether the same attempt may succeed later. Not for a bad URL, and not where a certificate was refused: to try
    /// again in silence would hide an attacker in between, or that a certificate expired.
    public var isRetryable: Bool { code != .badURL && code != .tlsFailed }

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
