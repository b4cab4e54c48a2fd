import HTTPTypes
import Hummingbird

/// Refuses requests for a name under which only a page of elsewhere can have reached this server: see
/// `OriginPolicy.answers(toHost:)`.
struct HostMiddleware<Context: RequestContext>: RouterMiddleware {
    let origins: OriginPolicy

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard origins.answers(toHost: request.head.authority) else {
            return APIError(status: .misdirectedRequest, code: "unknown_host", message: OriginPolicy.hostRefusal)
                .response
        }
        return try await next(request, context)
    }
}
