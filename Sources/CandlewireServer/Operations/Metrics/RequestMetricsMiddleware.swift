import HTTPTypes
import Hummingbird

/// Counts each request by its route's pattern, which is one of few, and never by its path, which a client chooses.
struct RequestMetricsMiddleware<Context: RequestContext>: RouterMiddleware {
    let counts: RequestCounts

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        counts.began()
        var status: Int?
        defer {
            counts.ended(
                .init(route: Self.route(context.endpointPath), method: Self.method(request.method)),
                status: status, seconds: start.duration(to: .now).inSeconds)
        }
        let response = try await next(request, context)
        status = response.status.code
        return response
    }

    /// `/v1/orders/{id}` for the pattern `v1/orders/:id`. Hummingbird has names of its own for what is no route.
    private static func route(_ pattern: String?) -> String {
        guard let pattern, pattern != "NotFound" else { return "none" }
        guard pattern != "FileMiddleware" else { return "page" }
        let parts = pattern.split(separator: "/").map { $0.first == ":" ? "{\($0.dropFirst())}" : "\($0)" }
        return "/" + parts.joined(separator: "/")
    }

    private static func method(_ method: HTTPRequest.Method) -> String {
        [.get, .head, .post, .put, .patch, .delete, .options].contains(method) ? method.rawValue : "other"
    }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
