import HTTPTypes
import Hummingbird

/// An error as the REST interface sends it: `{"error":{"code","message","field"?,"retry_after"?}}`. Where it has a time for the
/// next attempt, the header `Retry-After` (RFC 9110, section 10.2.3) has it, too.
struct APIError: Error, Equatable {
    var status: HTTPResponse.Status
    var code: String
    var message: String
    var field: String?
    /// Seconds.
    var retryAfter: Double?

    /// At most a day is sent.
    private static let longestWait = 86_400.0

    static func invalid(_ field: String, _ message: String) -> APIError {
        APIError(status: .badRequest, code: "invalid_field", message: message, field: field)
    }

    static let noTracker = APIError(
        status: .notFound, code: "no_tracker", message: "This server tracks no stocks; --feed tracker does.")

    var statusCode: Int { status.code }

    /// The error as an answer.
    var response: Response {
        let wait = retryAfter.map { min(max(0, $0), Self.longestWait) }
        var response = Response.object(status: status) { sink in
            sink.object("error") { sink in
                sink.field("code", code)
                sink.field("message", message)
                sink.field("field", field)
                sink.field("retry_after", wait)
            }
        }
        // Whole seconds, and none that would be too early.
        if let wait { response.headers[.retryAfter] = "\(max(1, Int(wait.rounded(.up))))" }
        return response
    }
}
