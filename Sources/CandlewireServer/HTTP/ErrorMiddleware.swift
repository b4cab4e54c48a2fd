import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Gives errors that no handler has put into words the house's form.
struct ErrorMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as any HTTPResponseError where error.status == .notFound {
            if let better = Self.answer(to: request) { return better }
            return JSONResponse.make(status: .notFound) {
                APIError(
                    status: .notFound, code: "not_found",
                    message:
                        "There is nothing at \(request.uri.path); see /v1/markets, /v1/candles, /v1/stream, /health."
                ).write(into: &$0)
            }
        } catch let error as any HTTPResponseError {
            return JSONResponse.make(status: error.status) {
                APIError(status: error.status, code: "http_\(error.status.code)", message: error.status.reasonPhrase)
                    .write(into: &$0)
            }
        } catch {
            // The details go to the log and not to whoever asked.
            context.logger.error("a request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return JSONResponse.make(status: .internalServerError) {
                APIError(
                    status: .internalServerError, code: "internal", message: "The server could not answer this request."
                ).write(into: &$0)
            }
        }
    }

    /// What is wrong with a request for a path that there is: the method, or a missing upgrade.
    private static func answer(to request: Request) -> Response? {
        let path = request.uri.path
        let isStream = path == "/v1/stream" || path == "/ws"
        if isStream, request.method == .get {
            var response = JSONResponse.make(status: .upgradeRequired) {
                APIError(
                    status: .upgradeRequired, code: "upgrade_required",
                    message: "\(path) is a WebSocket; connect to it as one."
                ).write(into: &$0)
            }
            response.headers[.upgrade] = "websocket"
            return response
        }
        guard isStream || path == "/health" || path.hasPrefix("/v1/candles") || path.hasPrefix("/v1/markets"),
            request.method != .get, request.method != .head
        else { return nil }
        var response = JSONResponse.make(status: .methodNotAllowed) {
            APIError(
                status: .methodNotAllowed, code: "method_not_allowed",
                message: "\(request.method.rawValue) is not possible at \(path); allowed are GET and HEAD."
            ).write(into: &$0)
        }
        response.headers[.allow] = "GET, HEAD"
        return response
    }
}
