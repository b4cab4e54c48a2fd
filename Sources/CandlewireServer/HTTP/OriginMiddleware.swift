import HTTPTypes
import Hummingbird

/// Refuses what changes something where it comes from a web page of elsewhere: a browser lets any page send such a
/// request to a server of the visitor's own machine, and only keeps the answer from it.
struct OriginMiddleware<Context: RequestContext>: RouterMiddleware {
    let origins: OriginPolicy

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let isReading = [.get, .head, .options].contains(request.method)
        guard isReading || origins.allows(origin: request.headers[.origin], host: request.head.authority) else {
            return APIError(
                status: .forbidden, code: "origin_not_allowed",
                message: "Pages of this origin may not change anything here; --allow-origin names those that may."
            ).response
        }
        return try await next(request, context)
    }
}
