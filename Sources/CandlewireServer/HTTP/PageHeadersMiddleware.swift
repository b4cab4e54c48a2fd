import HTTPTypes
import Hummingbird

/// Headers of the page's files: always revalidated, so that a new build is seen at once, and nothing from elsewhere.
struct PageHeadersMiddleware<Context: RequestContext>: RouterMiddleware {
    private static var policy: String {
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
            + "img-src 'self' data:; connect-src 'self' ws: wss:; frame-ancestors 'self'; base-uri 'none'"
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-cache" }
        if request.uri.path.hasSuffix(".wasm") { response.headers[.contentType] = "application/wasm" }
        response.headers[.contentSecurityPolicy] = Self.policy
        response.headers[.xContentTypeOptions] = "nosniff"
        return response
    }
}
