import HTTPTypes
import Hummingbird
import NIOCore

/// An error as the REST interface sends it: `{"error":{"code","message","field"?,"retry_after"?}}`. Where it has a time for the
/// next attempt, the header `Retry-After` (RFC 9110, section 10.2.3) has it, too.
struct APIError: Error, Equatable {
    var status: HTTPResponse.Status
    var code: String
    var message: String
    var field: String?
    /// Seconds.
    var retryAfter: Double?
    /// The limit that was reached, for the answer's headers.
    var balance: ClientLimiter.Answer?

    init(
        _ status: HTTPResponse.Status, _ code: String, _ message: String, field: String? = nil,
        retryAfter: Double? = nil
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.field = field
        self.retryAfter = retryAfter
    }

    /// At most a day is sent.
    private static let longestWait = 86_400.0

    static func invalid(_ field: String, _ message: String) -> APIError {
        APIError(.badRequest, "invalid_field", message, field: field)
    }

    /// The number in a parameter.
    static func wholeNumber(_ name: String, _ text: String, max: Int) throws(APIError) -> Int {
        if let number = Int(text), 1...max ~= number { return number }
        throw .invalid(name, "Parameter \"\(name)\" must be a whole number from 1 to \(max).")
    }

    var statusCode: Int { status.code }

    /// The error as an answer.
    var response: Response {
        Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }

    var body: [UInt8] {
        var bytes: [UInt8] = []
        bytes.object { sink in
            sink.object("error") { sink in
                sink.fields("code", code, "message", message, "field", field, "retry_after", wait)
            }
        }
        return bytes
    }

    var headers: HTTPFields {
        var headers: HTTPFields = [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"]
        // Whole seconds, and none that would be too early.
        if let wait { headers[.retryAfter] = "\(max(1, Int(wait.rounded(.up))))" }
        return headers
    }

    private var wait: Double? { retryAfter.map { min(max(0, $0), Self.longestWait) } }
}
