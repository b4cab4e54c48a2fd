import HTTPTypes
import HistoryStore
import Hummingbird
import MarketModel
import StreamCore
import TradingCore

/// `/v1/accounts`, `/v1/orders`, `/v1/positions`, `/v1/portfolio`, `/v1/fills` and `/v1/events`.
///
/// An answer is sent when what it reports is on disk.
struct TradingRoutes: Sendable {
    let gateway: TradingGateway
    let ledger: LedgerStore
    var registry: MarketRegistry { gateway.core.registry }

    func add(to routes: inout RouteTable) {
        addAccounts(to: &routes)
        addOrders(to: &routes)
        addPositions(to: &routes)
        addHistory(to: &routes)
    }

    func health() async throws -> TradingHealth {
        let (ledger, headProblem) = (ledger.statistics, ledger.headProblem)
        return try await gateway.core.loop.submit { [gateway] in
            let desk = gateway.desk.value
            return TradingHealth(
                ledgerState: desk.ledgerState, accounts: desk.accounts.count, events: desk.events.count, ledger: ledger,
                headProblem: headProblem,
                fillModel: desk.options.settings.fillModelTitle)
        }.get()
    }

    /// Changes something; the ledger's entries carry the name of the one who asks.
    func change<R: Sendable>(
        _ request: APIRequest, _ body: @escaping @Sendable (TradingDesk) throws -> R
    ) async throws -> R {
        try await gateway.run(changes: true, principal: request.principal.name, body)
    }

    // MARK: Accounts

    private func addAccounts(to routes: inout RouteTable) {
        routes.on(.get, "v1/accounts", .scope(.read)) { request in
            let visible = request.principal.accounts
            let accounts = try await gateway.run(changes: false) { desk in
                desk.accounts.filter { visible.contains($0.id) }.map(\.summary)
            }
            return .object { sink in
                sink.field("mode", Paper.name)
                sink.list("accounts", accounts)
            }
        }
        routes.on(.post, "v1/accounts", .server) { request in
            let body = try await request.body(allowed: ["name", "currency", "capital"])
            guard let name = try body.text("name") else {
                throw APIError.missing("name", "1 to 32 letters, digits or _")
            }
            let id: AccountID<Paper>
            do throws(IdentifierError) {
                id = try AccountID<Paper>(name: name)
            } catch {
                throw APIError(error, "name")
            }
            request.notes?.note(account: id.description)
            let currencies = registry.quoteCurrencies
            let named = try body.text("currency")
            if let named, !currencies.contains(named) {
                throw APIError.unknownWord("currency", named, currencies.joined(separator: ", "))
            }
            let amount = try body.decimal("capital") ?? TradingDesk.initialCapital
            let capital = (named.map { [$0] } ?? currencies).map { Money(amount, $0) }
            return .json(try await change(request) { try $0.open(id, capital: capital) }, status: .created)
        }
        routes.on(.get, "v1/accounts/:id", .scope(.read)) { request in
            let id = try request.pathAccount()
            return .json(try await gateway.run(changes: false) { try $0.account(id).summary })
        }
        routes.on(.delete, "v1/accounts/:id", .scope(.admin)) { request in
            let id = try request.pathAccount()
            let isForced = try request.flag("force")
            let (account, switches) = try await change(request) { desk in
                (try desk.delete(id, isForced: isForced), desk.cancelTimersFile)
            }
            // Or a restart would know the switch for an account that is opened again under this name.
            _ = await switches?.isSaved()
            return .json(account)
        }
        routes.on(.post, "v1/accounts/:id/demo", .scope(.admin)) { request in
            let id = try request.pathAccount()
            _ = try await request.body(allowed: [])
            return .json(try await change(request) { try $0.loadDemo(id) }, status: .created)
        }
        routes.on(.post, "v1/accounts/:id/reset", .scope(.admin)) { request in
            let id = try request.pathAccount()
            let capital = try await request.body(allowed: ["capital"]).decimal("capital")
            return .json(try await change(request) { try $0.reset(id, capital: capital) })
        }
    }

    // MARK: Positions

    private func addPositions(to routes: inout RouteTable) {
        routes.on(.get, "v1/positions", .scope(.read)) { request in
            let id = try request.account()
            let (positions, sequence) = try await gateway.run(changes: false) { desk in
                let account = try desk.account(id)
                return (account.exchange.positions(), account.sequence)
            }
            return .about(id, sequence) { $0.list("positions", positions) }
        }
        routes.on(.post, "v1/positions/:symbol/close", .scope(.trade)) { request in
            try request.spend(.orders)
            let symbol = try request.pathSymbol(registry)
            let body = try await request.body(allowed: ["quantity", "client_order_id", "account"])
            let account = try request.account(body)
            let (quantity, clientOrderID) = (try body.decimal("quantity"), try body.text("client_order_id"))
            let placed = try await change(request) {
                try $0.close(symbol, account, quantity: quantity, clientOrderID: clientOrderID)
            }
            request.notes?.note(order: placed.order.id.description)
            return .json(placed.order, status: placed.isNew ? .created : .ok)
        }
        routes.on(.post, "v1/positions/:symbol/reverse", .scope(.trade)) { request in
            try request.spend(.orders)
            let symbol = try request.pathSymbol(registry)
            let body = try await request.body(allowed: ["client_order_id", "account"])
            let account = try request.account(body)
            let clientOrderID = try body.text("client_order_id")
            let placed = try await change(request) {
                try $0.reverse(symbol, account, clientOrderID: clientOrderID)
            }
            request.notes?.note(order: placed.order.id.description)
            return .json(placed.order, status: placed.isNew ? .created : .ok)
        }
        routes.on(.post, "v1/positions/:symbol/bracket", .scope(.trade)) { request in
            try request.spend(.orders)
            let symbol = try request.pathSymbol(registry)
            let body = try await request.body(allowed: ["take_profit", "stop_loss", "account"])
            let account = try request.account(body)
            guard body.has("take_profit") || body.has("stop_loss") else {
                throw APIError.missing("take_profit", "a price, or null to remove it; or \"stop_loss\"")
            }
            let (takeProfit, stopLoss) = (try body.change("take_profit"), try body.change("stop_loss"))
            let position = try await change(request) {
                try $0.bracket(symbol, account, takeProfit: takeProfit, stopLoss: stopLoss)
            }
            return .json(position)
        }
        routes.on(.get, "v1/portfolio", .scope(.read)) { request in
            let id = try request.account()
            let account = try await gateway.run(changes: false) { try $0.account(id).summary }
            return .about(id, account.sequence) { $0.list("portfolios", account.portfolios) }
        }
    }
}

extension Response {
    /// What an account has: `{"account":…,"mode":"paper","sequence":…` and these members.
    static func about(_ account: AccountID<Paper>, _ sequence: Int, _ members: (inout [UInt8]) -> Void) -> Response {
        .object { sink in
            sink.fields("account", account.description, "mode", Paper.name, "sequence", sequence)
            members(&sink)
        }
    }
}
