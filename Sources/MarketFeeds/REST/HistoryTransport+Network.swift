internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

extension HistoryTransport {
    /// Over HTTP, with connections that are kept for the next page. Redirects are not followed.
    /// - Parameters:
    ///   - maximumBody: bytes of an answer; a venue's list of markets has some megabytes.
    ///   - fields: sent along, credentials for example; nothing of them is in an error.
    public static func network(maximumBody: Int = 64 << 20, headers fields: [FeedHeader] = []) -> HistoryTransport {
        HistoryTransport { (url, timeout) async throws(HistoryTransportError) -> HistoryAnswer in
            var request = HTTPClientRequest(url: url)
            // Coinbase refuses a client without a name.
            request.headers.add(name: "User-Agent", value: "candlewire")
            request.headers.add(name: "Accept", value: "application/json")
            for field in fields { request.headers.replaceOrAdd(name: field.name, value: field.value) }
            do {
                let deadline = NIODeadline.now() + .nanoseconds(Int64(min(3600, max(0.001, timeout)) * 1e9))
                let answer = try await client.execute(request, deadline: deadline)
                var headers: [String: String] = [:]
                for (name, value) in answer.headers { headers[name.lowercased()] = value }
                let body = try await answer.body.collect(upTo: maximumBody)
                return HistoryAnswer(
                    status: Int(answer.status.code), headers: headers, body: Array(body.readableBytesView))
            } catch {
                throw HistoryTransportError(error)
            }
        }
    }

    /// One for the process: its connections are shared, and it needs no shutting down.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout = .init(connect: .seconds(10))
        // Trying again is decided by `VenueHistory`, which counts it.
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()
}

extension HistoryTransportError {
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
            default: self = .lost
            }
        case is NIOConnectionError: self = .notConnected("no connection can be made")
        default: self = .lost
        }
    }
}
