import HTTPTypes
import Tracing

/// What people need to look after a server; one for each.
struct Operations: Sendable {
    let requests = RequestCounts()
    let readiness: Readiness
    /// What libraries count; `nil`: nothing is kept of it.
    let library: MetricsRegistry?
    /// `nil`: the logger's levels are not the server's to change.
    let levels: LogLevels?
    /// `nil`: nothing is traced.
    let tracer: (any Tracer)?
    let metrics: MetricsAccess
    let isReplay: Bool

    init(_ configuration: ServerConfiguration) {
        readiness = configuration.readiness
        library = configuration.libraryMetrics
        levels = configuration.logLevels
        tracer = configuration.tracing?.tracer
        metrics = MetricsAccess(configuration)
        isReplay = configuration.isReplay
    }
}

/// Who may read `/metrics` at the server's port. At `--metrics-port` everyone on this machine may.
enum MetricsAccess: Sendable {
    case everyone
    case tokens
    /// Others can reach the server, and it has only logins, which give no such right.
    case nobody
    /// They have a port of their own.
    case elsewhere

    init(_ configuration: ServerConfiguration) {
        if configuration.metricsPort != nil {
            self = .elsewhere
        } else if configuration.streamTokens != nil {
            self = .tokens
        } else {
            self = configuration.isLoopback || configuration.isOpenToEveryone ? .everyone : .nobody
        }
    }

    func check(_ request: APIRequest, _ access: AccessControl) throws(APIError) {
        switch self {
        case .everyone: break
        case .tokens: try access.principal(request.header, from: request.address).check(.read)
        case .nobody:
            throw APIError(
                .forbidden, "metrics_forbidden",
                "Other machines can reach this server, and it has no stream tokens: give it --stream-token-file, or "
                    + "--metrics-port for programs of its own machine.")
        case .elsewhere:
            throw APIError(.notFound, "not_found", "The metrics of this server are at its --metrics-port.")
        }
    }
}
