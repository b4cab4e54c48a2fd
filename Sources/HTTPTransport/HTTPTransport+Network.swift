internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL

extension HTTPTransport {
    /// Over HTTP/1.1 or HTTP/2, with connections that are kept for the next request.
    ///
    /// Redirects are not followed: credentials and orders go only where they were addressed.
    public static func network() -> HTTPTransport {
        HTTPTransport(
            stream: { request, receive throws(HTTPTransportError) in
                var message = HTTPClientRequest(url: request.url)
                message.method = .init(rawValue: request.method)
                for (name, value) in request.headers { message.headers.replaceOrAdd(name: name, value: value) }
                if let body = request.body { message.body = .bytes(ByteBuffer(bytes: body)) }
                do {
                    let deadline = NIODeadline.now() + .nanoseconds(Int64(request.boundedTimeout * 1e9))
                    let answer = try await client.execute(message, deadline: deadline)
                    var headers: [String: String] = [:]
                    for (name, value) in answer.headers { headers[name.lowercased()] = value }
                    guard await receive(.head(status: Int(answer.status.code), headers: headers)) else { return }
                    for try await piece in answer.body {
                        guard await receive(.body(Array(piece.readableBytesView))) else { return }
                    }
                } catch {
                    throw HTTPTransportError(error)
                }
                // The body's sequence may end, and not fail, when its task is cancelled.
                if Task.isCancelled { throw .cancelled }
            })
    }

    /// One for the process: its connections are shared, and it needs no shutting down.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout = .init(connect: .seconds(10))
        // Callers decide about another attempt: see `RetryPolicy`.
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()
}

extension HTTPTransportError {
    fileprivate init(_ error: any Error) {
        switch error {
        case is CancellationError: self = .cancelled
        case let error as HTTPClientError:
            switch error {
            case .cancelled: self = .cancelled
            case .deadlineExceeded, .readTimeout, .writeTimeout: self = .timedOut
            case .connectTimeout, .getConnectionFromPoolTimeout: self = .notConnected("no connection in time")
            case .tlsHandshakeTimeout: self = .notConnected("no TLS handshake in time")
            case .emptyHost, .emptyScheme, .invalidURL: self = .badURL
            default: self = .lost
            }
        // Addresses that need no lookup fail with the system's own error.
        case let error as IOError
        where [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EADDRNOTAVAIL].contains(error.errnoCode):
            self = .notConnected("no connection can be made")
        case is NIOConnectionError: self = .notConnected("no connection can be made")
        case NIOSSLError.handshakeFailed, is NIOSSLExtraError:
            self = .notConnected("the TLS handshake failed: check the server's certificate")
        default: self = .lost
        }
    }
}
