internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

extension HTTPTransport {
    /// Over HTTP/1.1 or HTTP/2, with connections that are kept for the next request.
    ///
    /// Redirects are not followed: a request for money goes where it was addressed.
    /// - Parameter maximumBody: bytes of an answer.
    public static func network(maximumBody: Int = 16 << 20) -> HTTPTransport {
        HTTPTransport { (request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportAnswer in
            var message = HTTPClientRequest(url: request.url)
            message.method = .init(rawValue: request.method)
            for (name, value) in request.headers { message.headers.replaceOrAdd(name: name, value: value) }
            if let body = request.body { message.body = .bytes(ByteBuffer(bytes: body)) }
            do {
                let deadline = NIODeadline.now() + .nanoseconds(Int64(min(3600, max(0.001, request.timeout)) * 1e9))
                let answer = try await client.execute(message, deadline: deadline)
                var headers: [String: String] = [:]
                for (name, value) in answer.headers { headers[name.lowercased()] = value }
                let body = try await answer.body.collect(upTo: maximumBody)
                return HTTPTransportAnswer(
                    status: Int(answer.status.code), headers: headers, body: Array(body.readableBytesView))
            } catch {
                throw HTTPTransportError(error)
            }
        }
    }

    /// One for the process: its connections are shared, and it needs no shutting down.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout = .init(connect: .seconds(10))
        // Trying again is this module's own decision: see `RetryPolicy`.
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()
}

extension HTTPTransportError {
    fileprivate init(_ error: any Error) {
        switch error {
        case is CancellationError: self = .cancelled
        case is NIOTooManyBytesError: self = .tooLarge
        case let error as HTTPClientError:
            switch error {
            case .cancelled: self = .cancelled
            case .deadlineExceeded, .readTimeout, .writeTimeout: self = .timedOut
            case .connectTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout, .emptyHost, .emptyScheme,
                .invalidURL:
                self = .notConnected(error.shortDescription)
            default: self = .lost(error.shortDescription)
            }
        case is NIOConnectionError: self = .notConnected("The server cannot be reached.")
        default: self = .lost("The connection broke.")
        }
    }
}
