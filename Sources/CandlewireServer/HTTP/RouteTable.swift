import HTTPTypes
import Hummingbird

/// The routes of the REST interface. It knows their paths, so that a wrong method is answered as one.
struct RouteTable: Sendable {
    typealias Handler = @Sendable (APIRequest) async throws -> Response

    private struct Route: Sendable {
        var method: HTTPRequest.Method
        var path: String
        var handler: Handler

        func fits(_ parts: [Substring]) -> Bool {
            let pattern = path.split(separator: "/")
            return pattern.count == parts.count && zip(pattern, parts).allSatisfy { $0 == $1 || $0.first == ":" }
        }
    }

    private var routes: [Route] = []

    /// An `APIError` of the handler becomes its answer.
    mutating func on(_ method: HTTPRequest.Method, _ path: String, _ handler: @escaping Handler) {
        routes.append(Route(method: method, path: path, handler: handler))
    }

    /// Each as `GET /v1/orders/{id}`, the way `Web/openapi.json` has it.
    var names: [String] {
        routes.map { route in
            let parts = route.path.split(separator: "/").map { $0.first == ":" ? "{\($0.dropFirst())}" : "\($0)" }
            return "\(route.method.rawValue) /\(parts.joined(separator: "/"))"
        }
    }

    func add(to router: Router<BasicRequestContext>) {
        for route in routes {
            router.on(RouterPath(route.path), method: route.method) { request, context in
                do {
                    return try await route.handler(APIRequest(request: request, parameters: context.parameters))
                } catch let error as APIError {
                    return error.response
                }
            }
        }
    }

    /// What may be done at a path; empty where there is none of these routes.
    func methods(at path: String) -> [String] {
        let fitting = routes.filter { [parts = path.split(separator: "/")] in $0.fits(parts) }
        let literal = fitting.filter { !$0.path.contains(":") }
        let methods = (literal.isEmpty ? fitting : literal).map(\.method.rawValue)
        return methods.contains("GET") ? methods + ["HEAD"] : methods
    }
}
