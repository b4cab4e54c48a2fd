import HTTPTypes
import Hummingbird
import StreamCore
import TradingCore

extension TradingRoutes {
    func addOrders(to router: Router<Context>) {
        on(.get, "v1/orders", router) { try await listOrders($0) }
        on(.post, "v1/orders", router) { [gateway, registry] request in
            let body = try await request.body(allowed: OrderRequest.fields)
            let account = try request.account(body)
            let order = try OrderRequest(body, registry)
            let placed = try await gateway.run(changes: true) { desk throws(APIError) in try desk.place(order, account)
            }
            return JSONResponse.make(status: placed.isNew ? .created : .ok) {
                OrderDocument.write(placed.order, into: &$0)
            }
        }
        on(.post, "v1/orders/preview", router) { [gateway, registry] request in
            let body = try await request.body(allowed: OrderRequest.fields)
            let account = try request.account(body)
            let order = try OrderRequest(body, registry)
            let preview = try await gateway.run(changes: false) { desk throws(APIError) in
                try desk.preview(order, account)
            }
            return JSONResponse.make { TradingDocument.preview(preview, into: &$0) }
        }
        on(.get, "v1/orders/:id", router) { [gateway] request in
            let id = try request.pathOrder()
            let order = try await gateway.run(changes: false) { desk throws(APIError) in try desk.order(id) }
            return JSONResponse.make { OrderDocument.write(order, into: &$0) }
        }
        on(.patch, "v1/orders/:id", router) { [gateway] request in
            let id = try request.pathOrder()
            let body = try await request.body(allowed: ["quantity", "limit_price", "stop_price", "version"])
            let amendment = OrderChange(
                quantity: try body.decimal("quantity"), limitPrice: try body.decimal("limit_price"),
                stopPrice: try body.decimal("stop_price"), version: try body.integer("version"))
            let order = try await gateway.run(changes: true) { desk throws(APIError) in try desk.amend(id, amendment) }
            return JSONResponse.make { OrderDocument.write(order, into: &$0) }
        }
        on(.delete, "v1/orders/:id", router) { [gateway] request in
            let id = try request.pathOrder()
            let order = try await gateway.run(changes: true) { desk throws(APIError) in try desk.cancel(id) }
            return JSONResponse.make { OrderDocument.write(order, into: &$0) }
        }
        on(.delete, "v1/orders", router) { [gateway, registry] request in
            let account = try request.account()
            let symbol = try request.querySymbol(registry)
            let (orders, sequence) = try await gateway.run(changes: true) { desk throws(APIError) in
                (try desk.cancelAll(account, symbol: symbol), try desk.account(account).sequence)
            }
            return list(orders, account, sequence)
        }
    }

    private func listOrders(_ request: TradingRequest) async throws -> Response {
        let account = try request.account()
        let symbol = try request.querySymbol(registry)
        let limit = try request.limit(100, most: 1000)
        let wanted = try status(request.query("status") ?? "all")
        let before: Int? = try request.query("before").map { text in
            guard let id = try? OrderID<Paper>(text), id.account == account else {
                throw APIError.invalid("before", "Parameter \"before\" must be an order's id of this account.")
            }
            return id.number
        }
        let (orders, sequence) = try await gateway.run(changes: false) { desk throws(APIError) in
            let state = try desk.account(account).exchange.account
            let orders = state.orders(before: before, limit: limit) {
                (symbol == nil || $0.symbol == symbol) && wanted($0.status)
            }
            return (orders, state.sequence)
        }
        return list(orders, account, sequence)
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

    private func list(_ orders: [Order<Paper>], _ account: AccountID<Paper>, _ sequence: Int) -> Response {
        JSONResponse.make { sink in
            TradingDocument.head(account, sequence, into: &sink)
            sink.list("orders", orders) { OrderDocument.write($0, into: &$1) }
            sink.json("}")
        }
    }
}
