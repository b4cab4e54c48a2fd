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
}
