public import NIOHTTP1

/// The server answered the handshake with something else than "101 Switching Protocols".
///
/// 401 and 403 mean other credentials, 404 another path, 5xx a later attempt; a redirect (3xx) is not followed,
/// because headers with secrets would go to wherever it points.
public struct WebSocketUpgradeError: Error, Sendable, CustomStringConvertible {
    public let status: HTTPResponseStatus
    public let headers: HTTPHeaders
    /// The start of the answer's body (at most 16 KiB), where servers explain.
    public let body: String

    /// 5xx: it is not our fault, and may pass.
    public var isServerError: Bool { (500..<600).contains(status.code) }
    /// 3xx; where to is `redirectTarget`.
    public var isRedirect: Bool { (300..<400).contains(status.code) }

    /// Where a redirect points, as the server wrote it.
    public var redirectTarget: String? { isRedirect ? headers.first(name: "location") : nil }

    /// How many seconds the server requires to wait (`Retry-After`, RFC 9110 section 10.2.3); nil where it does not
    /// say. A date counts relative to the answer's own `Date`, so that a wrong clock here does no harm.
    public var retryAfter: Double? {
        headers.first(name: "retry-after").flatMap { RetryAfter.seconds($0, date: headers.first(name: "date")) }
    }

    /// Whether the same request may succeed later: 408, 425, 429 and 5xx, except 501 and 505. A 401 is not among them,
    /// because it needs other credentials.
    public var isRetryable: Bool {
        switch status.code {
        case 408, 425, 429: true
        case 501, 505: false
        default: isServerError
        }
    }

    /// One sentence with the status; nothing of the body, and of a redirect's target no values in its query.
    public var description: String {
        let text = "the server refused the WebSocket: HTTP \(status.code) \(status.reasonPhrase)"
        guard let target = redirectTarget else { return text }
        return text + " (redirects are not followed; it points to \(WebSocketURL.redacted(target)))"
    }
}
