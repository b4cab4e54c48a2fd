import HTTPTypes
import Hummingbird

/// What a request needs to be answered. Checked in one place, before the handler runs.
enum RouteAccess: Sendable, Equatable {
    /// Nothing.
    case open
    /// A login that may read, where the server requires one for reading (`--require-login all`).
    case markets
    /// A login with this scope, where the server has logins; handlers check the account.
    case scope(AccessScopes)
    /// The scope `admin` for all accounts: what it changes is everyone's.
    case server
    /// A login of consultations, which their routes check.
    case consultations
}

/// The routes of the REST interface. It knows their paths, so that a wrong method is answered as one.
struct RouteTable: Sendable {
    typealias Handler = @Sendable (APIRequest) async throws -> Response

    private struct Route: Sendable {
        var method: HTTPRequest.Method
        var path: String
        var access: RouteAccess
        var staysOnLoop: Bool
        var cost: @Sendable (APIRequest) -> Double
        var handler: Handler

        func fits(_ parts: [Substring]) -> Bool {
            let pattern = path.split(separator: "/")
            return pattern.count == parts.count && zip(pattern, parts).allSatisfy { $0 == $1 || $0.first == ":" }
        }

        /// Whether it changes something, which the audit log has.
        var isChange: Bool {
            guard method != .get else { return false }
            return switch access {
            case .open, .markets, .scope(.read): false
            case .scope, .server, .consultations: true
            }
        }
    }

    private var routes: [Route] = []

    /// An `APIError` of the handler becomes its answer.
    /// - Parameters:
    ///   - staysOnLoop: runs the handler on the connection's event loop: it computes for microseconds, and never blocks.
    ///   - cost: how many requests it counts as.
    mutating func on(
        _ method: HTTPRequest.Method, _ path: String, _ access: RouteAccess, staysOnLoop: Bool = false,
        cost: @escaping @Sendable (APIRequest) -> Double = { _ in 1 }, _ handler: @escaping Handler
    ) {
        routes.append(
            Route(
                method: method, path: path, access: access, staysOnLoop: staysOnLoop, cost: cost, handler: handler))
    }

    /// Each as `GET /v1/orders/{id}`, the way `Web/openapi.json` has it.
    var names: [String] {
        routes.map { route in
            let parts = route.path.split(separator: "/").map { $0.first == ":" ? "{\($0.dropFirst())}" : "\($0)" }
            return "\(route.method.rawValue) /\(parts.joined(separator: "/"))"
        }
    }

    func add(to router: Router<ClientContext>, access: AccessControl, limiter: ClientLimiter, audit: AuditLog?) {
        for route in routes {
            let answers = RouteResponder(access: access, limiter: limiter, audit: route.isChange ? audit : nil)
            router.on(RouterPath(route.path), method: route.method) { request, context in
                if route.staysOnLoop {
                    return try await answers.answer(request, context, route.access, route.cost, route.handler)
                }
                return try await withTaskExecutorPreference(globalConcurrentExecutor) {
                    try await answers.answer(request, context, route.access, route.cost, route.handler)
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

/// Answers requests: who it is, whether it may, whether it is too much; then the handler; then the audit log.
private struct RouteResponder: Sendable {
    let access: AccessControl
    let limiter: ClientLimiter
    /// `nil`: the route changes nothing.
    let audit: AuditLog?

    func answer(
        _ request: Request, _ context: ClientContext, _ needs: RouteAccess,
        _ cost: @Sendable (APIRequest) -> Double, _ handler: RouteTable.Handler
    ) async throws -> Response {
        let notes = audit.map { _ in AuditNotes() }
        var call = APIRequest(
            request: request, parameters: context.parameters, address: ClientAddress(request), limiter: limiter,
            notes: notes)
        var balance: ClientLimiter.Answer?
        let outcome: Result<Response, any Error>
        do {
            call.principal = try principal(call, needs)
            if needs != .open { balance = try limiter.spend(.requests, cost(call), of: call.client) }
            outcome = .success(try await handler(call))
        } catch let error as APIError {
            outcome = .success(error.response)
            if let refused = error.balance { balance = refused }
            notes?.note(code: error.code)
        } catch {
            outcome = .failure(error)
        }
        if let audit, let notes {
            audit.append(
                AuditRecord(
                    call, notes, method: request.method.rawValue, path: request.uri.path,
                    correlationID: context.correlationID, status: (try? outcome.get())?.status.code ?? 500))
        }
        var response = try outcome.get()
        balance?.write(into: &response)
        return response
    }

    private func principal(_ call: APIRequest, _ needs: RouteAccess) throws(APIError) -> Principal {
        switch needs {
        case .open, .consultations: return .visitor
        case .markets:
            guard access.requiresLoginToRead else { return .visitor }
            return try logged(call, .read)
        case .scope(let scope): return try logged(call, scope)
        case .server:
            let principal = try logged(call, .admin)
            guard principal.accounts == .all else {
                throw APIError(
                    .forbidden, "insufficient_scope",
                    "This changes what all accounts share, and needs the scope \"admin\" for all accounts; "
                        + "\(principal.name) is for \(principal.accounts).")
            }
            return principal
        }
    }

    private func logged(_ call: APIRequest, _ scope: AccessScopes) throws(APIError) -> Principal {
        let principal = try access.principal(call.header, from: call.address)
        // Also where it is refused.
        call.notes?.note(principal: principal.name)
        try principal.check(scope)
        return principal
    }
}

/// What routes know of a request beside itself.
struct ClientContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// As the answer names it.
    var correlationID: String

    init(source: Source) {
        coreContext = .init(source: source)
        correlationID = ""
    }
}
