/// What came back of a request.
public struct HistoryAnswer: Sendable, Equatable {
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
public enum HistoryTransportError: Error, Sendable, Equatable {
    /// No connection was made; the reason in a few words.
    case notConnected(String)
    /// The connection broke.
    case lost
    case timedOut
    /// The answer is larger than is taken.
    case tooLarge
    case cancelled
}

/// How one address is asked for: over the network, or in a test by whatever the test says.
public struct HistoryTransport: Sendable {
    public typealias Get =
        @Sendable (_ url: String, _ timeout: Double) async throws(HistoryTransportError) -> HistoryAnswer

    public var get: Get

    public init(_ get: @escaping Get) { self.get = get }
}
