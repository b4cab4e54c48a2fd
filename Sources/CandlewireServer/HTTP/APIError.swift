import HTTPTypes
import Hummingbird
import NIOCore
import StreamCore

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

/// Answers whose bodies our own writer makes.
enum JSONResponse {
    static func make(status: HTTPResponse.Status = .ok, _ write: (inout [UInt8]) -> Void) -> Response {
        var bytes: [UInt8] = []
        write(&bytes)
        return Response(
            status: status,
            headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// Runs a handler; its `APIError` becomes the answer.
    static func answer(_ handler: () async throws -> Response) async throws -> Response {
        do {
            return try await handler()
        } catch let error as APIError {
            return error.response
        }
    }
}
