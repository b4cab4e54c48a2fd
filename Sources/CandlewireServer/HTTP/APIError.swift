import HTTPTypes
import Hummingbird
import StreamCore

/// An error as the REST interface tells it: `{"error":{"code","message","field"?}}`.
struct APIError: Error, Equatable {
    var status: HTTPResponse.Status
    var code: String
    var message: String
    var field: String?

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
    var response: Response { JSONResponse.make(status: status) { write(into: &$0) } }

    private func write(into sink: inout [UInt8]) {
        sink.json("{\"error\":{\"code\":")
        sink.string(code)
        sink.json(",\"message\":")
        sink.string(message)
        if let field {
            sink.json(",\"field\":")
            sink.string(field)
        }
        sink.json("}}")
    }
}
