import Foundation
import HTTPTypes
import Hummingbird

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
