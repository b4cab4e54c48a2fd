public import Foundation
@_exported public import StreamErrors

/// How HTTP requests are sent and answered: over the network, or in a test as the test says.
///
/// ```swift
/// let answer = try await HTTPTransport.network().send(HTTPTransportRequest(url: "http://127.0.0.1:8080/health"))
/// print(answer.status, answer.body.count)
/// ```
///
/// Each request is sent by itself. Two that look alike are two: an order that is placed twice must not become one, nor one
/// market's price another's. Nothing is repeated here: ``RetryPolicy`` says when a caller may send a request again.
public struct HTTPTransport: Sendable {
    public typealias Send = @Sendable (HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportAnswer
    public typealias Stream =
        @Sendable (HTTPTransportRequest, _ receive: (HTTPTransportPart) async -> Bool) async throws(HTTPTransportError)
        -> Void

    /// Sends a request and collects its answer.
    public var send: Send
    /// Sends a request and hands its answer over as it arrives, the head first, until `receive` returns false. The
    /// request's timeout ends with the head; its bound on the body does not apply.
    public var stream: Stream

    /// A transport whose answers come whole, as in a test.
    public init(send: @escaping Send) {
        self.send = send
        stream = { request, receive throws(HTTPTransportError) in
            let answer = try await send(request)
            guard await receive(.head(status: answer.status, headers: answer.headers)) else { return }
            _ = await receive(.body(answer.body))
        }
    }

    /// A transport whose answers come in parts. `send` collects them, within the request's bounds of time and size.
    public init(stream: @escaping Stream) {
        self.stream = stream
        send = { request throws(HTTPTransportError) in
            let outcome = await withTaskGroup(of: Result<HTTPTransportAnswer, HTTPTransportError>.self) { group in
                group.addTask { await Self.collect(request, stream) }
                group.addTask {
                    let limit = Duration.seconds(request.boundedTimeout)
                    guard (try? await Task.sleep(for: limit)) != nil else { return .failure(.cancelled) }
                    return .failure(.timedOut)
                }
                defer { group.cancelAll() }
                return await group.next() ?? .failure(.cancelled)
            }
            return try outcome.get()
        }
    }

    private static func collect(
        _ request: HTTPTransportRequest, _ stream: Stream
    ) async -> Result<HTTPTransportAnswer, HTTPTransportError> {
        var answer = HTTPTransportAnswer(status: 0)
        var isTooLarge = false
        do throws(HTTPTransportError) {
            try await stream(request) { part in
                switch part {
                case .head(let status, let headers):
                    (answer.status, answer.headers) = (status, headers)
                    isTooLarge = headers["content-length"].flatMap { Int($0) }.map { $0 > request.maximumBody } ?? false
                case .body(let bytes):
                    isTooLarge = answer.body.count + bytes.count > request.maximumBody
                    if !isTooLarge { answer.body += bytes }
                }
                return !isTooLarge
            }
        } catch {
            return .failure(error)
        }
        return isTooLarge ? .failure(.tooLarge) : .success(answer)
    }
}

/// A request. Its description shows no header, no query and no body: they may hold secrets.
public struct HTTPTransportRequest: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    public var method: String
    public var url: String
    public var headers: [String: String]
    /// nil: none.
    public var body: [UInt8]?
    /// Seconds until an answer must be complete, at most an hour.
    public var timeout: Double
    /// Bytes that the answer's body may have.
    public var maximumBody: Int

    public init(
        method: String = "GET", url: String, headers: [String: String] = [:], body: [UInt8]? = nil,
        timeout: Double = 30, maximumBody: Int = 16 << 20
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.maximumBody = maximumBody
    }

    var boundedTimeout: Double { timeout > 0.001 ? min(timeout, 3600) : 0.001 }

    public var description: String { "\(method) \(url.prefix { $0 != "?" && $0 != "#" })" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A complete answer.
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

/// A part of an answer that is still arriving.
public enum HTTPTransportPart: Sendable, Hashable {
    /// The first part. Names of headers are in lower case.
    case head(status: Int, headers: [String: String])
    case body([UInt8])
}

/// Why there is no complete answer. Nothing of the request is in it.
public enum HTTPTransportError: LocalizedError, Sendable, Hashable {
    /// The URL cannot be one: nothing was sent.
    case badURL
    /// No connection was made, so the request cannot have arrived; the reason in a few words.
    case notConnected(String)
    /// The connection broke: the request may have arrived.
    case lost
    /// No complete answer in time: the request may have arrived.
    case timedOut
    /// The answer is larger than the request allows.
    case tooLarge
    case cancelled

    public var errorDescription: String? {
        switch self {
        case .badURL: "the address is not a URL"
        case .notConnected(let reason): "the server cannot be reached: \(reason)"
        case .lost: "the connection broke before the answer was complete"
        case .timedOut: "the server did not answer in time"
        case .tooLarge: "the answer is too large"
        case .cancelled: "the request was cancelled"
        }
    }
}
