package import HTTPTransport

/// Fetches the token that a venue needs in the address of its stream: over REST, with the owner's credentials.
///
/// ```swift
/// var options = FeedConnection.Options()
/// options.token = try FeedTokenSource(adapter, credentials: .apiKey(key)).fetch
/// ```
///
/// Nothing of the credentials or the token is in an error.
package struct FeedTokenSource: Sendable {
    /// Seconds until the answer must be there: less than a session waits for it.
    static let timeout = 9.0
    /// The longest accepted token, in bytes: it becomes part of an address.
    static let maxTokenLength = 8192

    private let title: String
    private let place: String
    private let request: HTTPTransportRequest
    private let transport: HTTPTransport

    /// - Parameters:
    ///   - url: the stream's address (`ws://`, `wss://`) in place of the venue's own: the token comes from the same host.
    /// - Throws: `FeedError` where the venue has no tokens, or accepts no credentials of this kind.
    package init(
        _ adapter: any FeedAdapter, credentials: FeedCredentials, url: String? = nil,
        transport: HTTPTransport = .network()
    ) throws(FeedError) {
        guard let request = adapter.tokenRequest(credentials) else {
            throw FeedError(.usage, "\(adapter.title) does not accept \(credentials) for a token.")
        }
        title = adapter.title
        place = FeedAddress.rest(url ?? adapter.endpoint)
        self.request = HTTPTransportRequest(
            url: place + request.target, headers: request.headers.reduce(into: [:]) { $0[$1.name] = $1.value },
            timeout: Self.timeout, maximumBody: 64 << 10)
        self.transport = transport
    }

    /// What a connection of this feed fetches its tokens with; `nil` where it needs none.
    /// - Throws: `FeedError` where there must be credentials and there are none.
    package static func fetcher(
        _ adapter: any FeedAdapter, _ credentials: FeedCredentials?, url: String?
    ) throws(FeedError) -> (@Sendable (_ wasRejected: Bool) async throws -> String)? {
        guard adapter.needsToken else { return nil }
        guard let credentials else {
            throw .needsCredentials("The feed \"\(adapter.name)\"", adapter.credentialsName ?? adapter.name)
        }
        return try FeedTokenSource(adapter, credentials: credentials, url: url).fetch
    }

    /// A new token. Has the shape of `FeedConnection.Options.token`; the old one plays no part.
    @Sendable package func fetch(wasRejected: Bool = false) async throws -> String {
        let answer: HTTPTransportAnswer
        do {
            answer = try await transport.send(request)
        } catch {
            if error == .cancelled { throw CancellationError() }
            throw FeedTokenError(isRefusal: false, "\(title) gives no token: \(place) cannot be reached.")
        }
        switch answer.status {
        case 200: break
        case 401, 403:
            throw FeedTokenError(isRefusal: true, "\(title) says that you are not authorised: check the key.")
        default:
            throw FeedTokenError(
                isRefusal: false, "\(title) gives no token: \(place) answered with HTTP status \(answer.status).")
        }
        let token = String(decoding: answer.body, as: UTF8.self).trimmingPrefix { $0.isWhitespace }
        let end = token.lastIndex { !$0.isWhitespace }.map { token.index(after: $0) } ?? token.startIndex
        let text = token[..<end]
        guard !text.isEmpty, text.utf8.count <= Self.maxTokenLength, text.utf8.allSatisfy({ $0 > 32 && $0 < 127 })
        else {
            throw FeedTokenError(isRefusal: false, "\(title) answered with something that is not a valid token.")
        }
        return String(text)
    }
}
