import HTTPTypes
import HistoryStore
import Hummingbird
import StreamCore
import TradingCore

extension TradingRoutes {
    func addOrders(to routes: inout RouteTable) {
        routes.on(.get, "v1/orders", .scope(.read)) { try await listOrders($0) }
        routes.on(.post, "v1/orders", .scope(.trade), staysOnLoop: true) { request in
            try request.spend(.orders)
            let (order, account) = try await newOrder(request)
            let openOrders = request.limiter.limits.value(.openOrders, of: request.client)
            let placed = try await change(request) { desk in
                try desk.checkOpenOrders(order, account, limit: openOrders)
                return try desk.place(order, account)
            }
            request.notes?.note(order: placed.order.id.description)
            return .json(placed.order, status: placed.isNew ? .created : .ok)
        }
        routes.on(.delete, "v1/orders", .scope(.trade)) { request in
            let account = try request.account()
            let symbol = try request.querySymbol(registry)
            let (orders, sequence) = try await change(request) {
                (try $0.cancelAll(account, symbol: symbol), try $0.account(account).sequence)
            }
            return .about(account, sequence) { $0.list("orders", orders) }
        }
        routes.on(.post, "v1/orders/preview", .scope(.read)) { request in
            let (order, account) = try await newOrder(request)
            return .json(try await gateway.run(changes: false) { try $0.preview(order, account) })
        }
        routes.on(.post, "v1/orders/cancel-after", .scope(.trade)) { try await cancelAfter($0) }
        routes.on(.get, "v1/orders/:id", .scope(.read)) { request in
            let id = try request.pathOrder()
            return .json(try await order(id))
        }
        routes.on(.patch, "v1/orders/:id", .scope(.trade), staysOnLoop: true) { request in
            try request.spend(.orders)
            let id = try request.pathOrder()
            let body = try await request.body(allowed: ["quantity", "limit_price", "stop_price", "version"])
            let amendment = OrderChange(
                quantity: try body.decimal("quantity"), limitPrice: try body.decimal("limit_price"),
                stopPrice: try body.decimal("stop_price"), version: try body.integer("version"))
            return .json(try await change(request) { try $0.amend(id, amendment) })
        }
        routes.on(.delete, "v1/orders/:id", .scope(.trade), staysOnLoop: true) { request in
            let id = try request.pathOrder()
            return .json(try await change(request) { try $0.cancel(id) })
        }
    }

    /// The dead man's switch of an account.
    private func cancelAfter(_ request: APIRequest) async throws -> Response {
        let body = try await request.body(allowed: ["seconds", "account"])
        let account = try request.account(body)
        let allowed = CancelTimers.allowed
        guard let seconds = try body.integer("seconds") else {
            throw APIError.missing("seconds", "a whole number of seconds, or 0 to switch it off")
        }
        guard seconds == 0 || allowed.contains(seconds) else {
            throw APIError.invalid(
                "seconds",
                "Field \"seconds\" must be from \(allowed.lowerBound) to \(allowed.upperBound), or 0 to switch it off.")
        }
        let (time, file) = try await change(request) { desk in
            (try desk.setCancelTimer(account, seconds: seconds), desk.cancelTimersFile)
        }
        guard await file?.isSaved() != false else {
            throw APIError(
                .serviceUnavailable, "not_stored",
                "The switch is set, and a restart would forget it: the data directory cannot be written.")
        }
        return .object { sink in
            sink.fields("account", account.description, "mode", Paper.name, "seconds", seconds)
            sink.field("cancel_at", time)
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
        let wanted = try StatusFilter(request.query("status") ?? "all")
        let before: Int? = try request.query("before").map { text in
            guard let id = try? OrderID<Paper>(text), id.account == account else {
                throw APIError.invalid("before", "Parameter \"before\" must be an order's id of this account.")
            }
            return id.number
        }
        let (known, older, sequence) = try await gateway.run(changes: false) { desk in
            let exchange = try desk.account(account).exchange
            let state = exchange.account
            let orders = exchange.orders(before: before, limit: limit) {
                (symbol == nil || $0.symbol == symbol) && wanted.includes($0.status)
            }
            // Orders that ended long ago may have higher numbers than some that still wait.
            let first = orders.count == limit ? (orders.last?.id.number ?? 0) + 1 : state.firstOrderNumber
            let older =
                state.hasForgottenOrders && wanted.includesPast
                ? PastTrading(
                    page: .init(
                        account: account.description, first: max(first, state.firstOrderNumber),
                        before: before ?? state.nextOrderNumber, symbol: symbol.map(desk.names.kept),
                        statuses: wanted.status.map { [$0.rawValue] }, limit: limit),
                    names: desk.names) : nil
            return (orders, older, state.sequence)
        }
        var orders = known
        if let older {
            let numbers = Set(known.map(\.id.number))
            orders += try await older.orders(ledger).filter { !numbers.contains($0.id.number) }
            orders = Array(orders.sorted { $0.id.number > $1.id.number }.prefix(limit))
        }
        return .about(account, sequence) { $0.list("orders", orders) }
    }

    /// An order that is known, or that came to its end long ago.
    private func order(_ id: OrderID<Paper>) async throws -> Order<Paper> {
        let (known, older) = try await gateway.run(changes: false) { desk in
            let exchange = try desk.account(id.account).exchange
            let state = exchange.account
            let isPast = state.hasForgottenOrders && id.number >= state.firstOrderNumber
            return (
                exchange.order(id),
                isPast
                    ? PastTrading(
                        page: .init(
                            account: id.account.description, first: id.number, before: id.number + 1, limit: 1),
                        names: desk.names) : nil
            )
        }
        if let known { return known }
        guard let order = try await older?.orders(ledger).first else { throw APIError.unknownOrder(id) }
        return order
    }
}

/// Which states of orders a list has.
private struct StatusFilter: Sendable {
    /// `nil`: several.
    var status: OrderStatus?
    private var word: String

    init(_ text: String) throws(APIError) {
        word = text
        if ["all", "active", "done"].contains(text) { return }
        let status = OrderStatus(rawValue: text)
        if case .unknown = status {
            throw APIError.invalid(
                "status",
                "Parameter \"status\" must be active, done, all, new, partially_filled, filled, cancelled, rejected or "
                    + "expired.")
        }
        self.status = status
    }

    /// Whether there may be some that are no longer in memory.
    var includesPast: Bool { word != "active" && status?.isActive != true }

    func includes(_ other: OrderStatus) -> Bool {
        switch word {
        case "all": true
        case "active": other.isActive
        case "done": !other.isActive
        default: other == status
        }
    }
}
