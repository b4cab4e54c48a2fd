import HTTPTypes
import Hummingbird
import StreamCore
import TradingCore

extension TradingRoutes {
    func addOrders(to routes: inout RouteTable) {
        on(.get, "v1/orders", &routes) { try await listOrders($0) }
        on(.post, "v1/orders", &routes) { request in
            let (order, account) = try await newOrder(request)
            let placed = try await gateway.run(changes: true) { try $0.place(order, account) }
            return .json(placed.order, status: placed.isNew ? .created : .ok)
        }
        on(.delete, "v1/orders", &routes) { request in
            let account = try request.account()
            let symbol = try request.querySymbol(registry)
            let (orders, sequence) = try await gateway.run(changes: true) {
                (try $0.cancelAll(account, symbol: symbol), try $0.account(account).sequence)
            }
            return .about(account, sequence) { $0.list("orders", orders) }
        }
        on(.post, "v1/orders/preview", &routes) { request in
            let (order, account) = try await newOrder(request)
            return .json(try await gateway.run(changes: false) { try $0.preview(order, account) })
        }
        on(.get, "v1/orders/:id", &routes) { request in
            let id: OrderID<Paper> = try request.pathID("id")
            return .json(try await gateway.run(changes: false) { try $0.order(id) })
        }
        on(.patch, "v1/orders/:id", &routes) { request in
            let id: OrderID<Paper> = try request.pathID("id")
            let body = try await request.body(allowed: ["quantity", "limit_price", "stop_price", "version"])
            let change = OrderChange(
                quantity: try body.decimal("quantity"), limitPrice: try body.decimal("limit_price"),
                stopPrice: try body.decimal("stop_price"), version: try body.integer("version"))
            return .json(try await gateway.run(changes: true) { try $0.amend(id, change) })
        }
        on(.delete, "v1/orders/:id", &routes) { request in
            let id: OrderID<Paper> = try request.pathID("id")
            return .json(try await gateway.run(changes: true) { try $0.cancel(id) })
        }
    }

    /// The order in the body, and its account.
    private func newOrder(_ request: APIRequest) async throws -> (OrderRequest, AccountID<Paper>) {
        let body = try await request.body(allowed: OrderRequest.fields + ["account"])
        let account = try request.account(body)
        return (try OrderRequest(body, registry), account)
    }

    private func listOrders(_ request: APIRequest) async throws -> Response {
        let account = try request.account()
        let symbol = try request.querySymbol(registry)
        let limit = try request.limit(100, max: 1000)
        let wanted = try status(request.query("status") ?? "all")
        let before: Int? = try request.query("before").map { text in
            guard let id = try? OrderID<Paper>(text), id.account == account else {
                throw APIError.invalid("before", "Parameter \"before\" must be an order's id of this account.")
            }
            return id.number
        }
        let (orders, sequence) = try await gateway.run(changes: false) { desk in
            let state = try desk.account(account).exchange.account
            let orders = state.orders(before: before, limit: limit) {
                (symbol == nil || $0.symbol == symbol) && wanted($0.status)
            }
            return (orders, state.sequence)
        }
        return .about(account, sequence) { $0.list("orders", orders) }
    }

    private func status(_ text: String) throws -> @Sendable (OrderStatus) -> Bool {
        switch text {
        case "all": return { _ in true }
        case "active": return { $0.isActive }
        case "done": return { !$0.isActive }
        default:
            let status = OrderStatus(rawValue: text)
            if case .unknown = status {
                throw APIError.invalid(
                    "status",
                    "Parameter \"status\" must be active, done, all, new, partially_filled, filled, cancelled, rejected or "
                        + "expired.")
            }
            return { $0 == status }
        }
    }
}
