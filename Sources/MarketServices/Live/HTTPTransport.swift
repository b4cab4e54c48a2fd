/// A request as a service makes it.
public struct HTTPTransportRequest: Sendable, Hashable {
    public var method: String
    public var url: String
    public var headers: [String: String]
    /// nil: none.
    public var body: [UInt8]?
    /// Seconds until an answer must be complete.
    public var timeout: Double

    public init(
        method: String = "GET", url: String, headers: [String: String] = [:], body: [UInt8]? = nil,
        timeout: Double = 30
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

/// What came back.
public struct HTTPTransportAnswer: Sendable, Hashable {
    public var status: Int
    /// Names in lower case.
    public var headers: [String: String]
    public var body: [UInt8]

    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Why nothing came back.
public enum HTTPTransportError: Error, Sendable, Hashable {
    /// No connection was made: the request cannot have arrived.
    case notConnected(String)
    /// The connection broke: the request may have arrived.
    case lost(String)
    /// No complete answer in time: the request may have arrived.
    case timedOut
    /// The answer is larger than can be taken.
    case tooLarge
    case cancelled
}

/// How one request is sent and answered: over the network, or in a test by whatever the test says.
///
/// Each request is sent by itself. Two that look alike are two: an order that is placed twice must not become one, nor one
/// market's price another's.
public struct HTTPTransport: Sendable {
    public typealias Send = @Sendable (HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportAnswer

    public var send: Send

    public init(send: @escaping Send) {
        self.send = send
    }
}
