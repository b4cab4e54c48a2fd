import Foundation
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

/// Refuses paths that no file and no route can have, before anything looks for them on the disk: control characters,
/// backslashes and empty parts.
struct PathMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard Self.isUsual(request.uri.path) else {
            return APIError(
                status: .badRequest, code: "invalid_path", message: "The path has characters it must not have."
            ).response
        }
        return try await next(request, context)
    }

    static func isUsual(_ path: String) -> Bool {
        guard let decoded = path.removingPercentEncoding, !path.contains("//"), !decoded.contains("\\") else {
            return false
        }
        return decoded.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}
