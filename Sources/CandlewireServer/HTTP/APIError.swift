import HTTPTypes
import Hummingbird
import StreamCore

/// An error as the REST interface tells it: `{"error":{"code","message","field"?,"retry_after"?}}`. Where it says when asking
/// again makes sense, the header `Retry-After` (RFC 9110, section 10.2.3) says so, too.
struct APIError: Error, Equatable {
    var status: HTTPResponse.Status
    var code: String
    var message: String
    var field: String?
    /// Seconds.
    var retryAfter: Double?

    /// What is beyond a day is said to be a day.
    private static let longestWait = 86_400.0

    static func invalid(_ field: String, _ message: String) -> APIError {
        APIError(status: .badRequest, code: "invalid_field", message: message, field: field)
    }

    static func unknownSymbol(_ symbol: String, _ registry: MarketRegistry) -> APIError {
        APIError(
            status: .notFound, code: "unknown_symbol",
            message: "Unknown symbol \"\(symbol.prefix(40))\"; this server has \(registry.allowedNames).",
            field: "symbol")
    }

    static let noTracker = APIError(
        status: .notFound, code: "no_tracker", message: "This server tracks no stocks; --feed tracker does.", field: nil
    )

    var statusCode: Int { status.code }

    /// The error as an answer.
    var response: Response {
        let wait = retryAfter.map { min(max(0, $0), Self.longestWait) }
        var response = JSONResponse.make(status: status) { write(into: &$0, wait) }
        // Whole seconds, and none that would be too early.
        if let wait { response.headers[.retryAfter] = "\(max(1, Int(wait.rounded(.up))))" }
        return response
    }

    private func write(into sink: inout [UInt8], _ wait: Double?) {
        sink.json("{\"error\":{\"code\":")
        sink.string(code)
        sink.json(",\"message\":")
        sink.string(message)
        if let field {
            sink.json(",\"field\":")
            sink.string(field)
        }
        if let wait { sink.field("retry_after", wait) }
        sink.json("}}")
    }
}
