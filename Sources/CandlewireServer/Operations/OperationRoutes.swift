import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// What programs that watch the server ask: whether it is alive, whether it wants clients, and what it counts.
extension Routes {
    func addOperations(to routes: inout RouteTable) { addOperations(to: &routes, operations.metrics) }

    private func addOperations(to routes: inout RouteTable, _ metricsAccess: MetricsAccess) {
        routes.on(.get, "health", .open) { [self] _ in .json(try await health()) }
        routes.on(.get, "livez", .open) { _ in .object { $0.field("status", "ok") } }
        routes.on(.get, "readyz", .open) { [readiness = operations.readiness] _ in
            switch readiness.current {
            case .ready: .object { $0.field("status", "ready") }
            case .starting: .object(status: .serviceUnavailable) { $0.field("status", "starting") }
            case .draining: .object(status: .serviceUnavailable) { $0.field("status", "draining") }
            }
        }
        routes.on(.get, "metrics", .open) { [self] request in
            try metricsAccess.check(request, access)
            return .file(try await metrics(), type: PrometheusText.contentType)
        }
    }

    private func metrics() async throws -> [UInt8] {
        let asked = ContinuousClock.now
        let delay = try await core.loop.submit { asked.duration(to: .now).inSeconds }.get()
        let document = MetricsDocument(
            health: try await health(), requests: operations.requests.totals, readiness: operations.readiness.current,
            marketLoopDelay: delay, isReplay: operations.isReplay)
        var text = PrometheusText()
        document.write(into: &text)
        operations.library?.write(into: &text)
        return text.bytes
    }

    /// A server of these routes alone, for programs of this machine, whoever may do what at the other port.
    func operationsServer(port: Int, _ group: MultiThreadedEventLoopGroup) -> some Service {
        var routes = RouteTable()
        addOperations(to: &routes, .everyone)
        let router = Router(context: ClientContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: CorrelationMiddleware())
        router.add(middleware: FileHeadersMiddleware())
        router.add(middleware: ErrorMiddleware(routes: routes))
        router.add(middleware: GateMiddleware(origins: OriginPolicy(allowed: [], allowsLoopback: true)))
        routes.add(to: router, access: access, limiter: limiter, audit: nil)
        return Application(
            responder: router.buildResponder(),
            configuration: .init(address: .hostname("127.0.0.1", port: port), serverName: "candlewire"),
            eventLoopGroupProvider: .shared(group), logger: logger)
    }
}
