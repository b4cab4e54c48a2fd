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
    /// Who may see and change accounts.
    let access: TradingAccess
    var registry: MarketRegistry { gateway.core.registry }

    func add(to routes: inout RouteTable) {
        addAccounts(to: &routes)
        addOrders(to: &routes)
        addPositions(to: &routes)
        addHistory(to: &routes)
    }

    func on(
        _ method: HTTPRequest.Method, _ path: String, _ routes: inout RouteTable,
        _ handler: @escaping RouteTable.Handler
    ) {
        routes.on(method, path) { [access] request in
            try access.check(request.header)
            return try await handler(request)
        }
    }

    func health() async throws -> TradingHealth {
        let ledger = ledger.statistics
        return try await gateway.core.loop.submit { [gateway] in
            let desk = gateway.desk.value
            return TradingHealth(
                ledgerState: desk.ledgerState, accounts: desk.accounts.count, events: desk.events.count, ledger: ledger,
                fillModel: desk.options.settings.fillModelTitle)
        }.get()
    }

    // MARK: Accounts

    private func addAccounts(to routes: inout RouteTable) {
        on(.get, "v1/accounts", &routes) { _ in
            let accounts = try await gateway.run(changes: false) { $0.accounts.map(\.summary) }
            return .object { sink in
                sink.field("mode", Paper.name)
                sink.list("accounts", accounts)
            }
        }
        on(.post, "v1/accounts", &routes) { request in
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
            let currencies = registry.quoteCurrencies
            let named = try body.text("currency")
            if let named, !currencies.contains(named) {
                throw APIError.unknownWord("currency", named, currencies.joined(separator: ", "))
            }
            let amount = try body.decimal("capital") ?? TradingDesk.initialCapital
            let capital = (named.map { [$0] } ?? currencies).map { Money(amount, $0) }
            return .json(try await gateway.run(changes: true) { try $0.open(id, capital: capital) }, status: .created)
        }
        on(.get, "v1/accounts/:id", &routes) { request in
            let id: AccountID<Paper> = try request.pathID("account")
            return .json(try await gateway.run(changes: false) { try $0.account(id).summary })
        }
        on(.post, "v1/accounts/:id/demo", &routes) { request in
            let id: AccountID<Paper> = try request.pathID("account")
            _ = try await request.body(allowed: [])
            return .json(try await gateway.run(changes: true) { try $0.loadDemo(id) }, status: .created)
        }
        on(.post, "v1/accounts/:id/reset", &routes) { request in
            let id: AccountID<Paper> = try request.pathID("account")
            let capital = try await request.body(allowed: ["capital"]).decimal("capital")
            return .json(try await gateway.run(changes: true) { try $0.reset(id, capital: capital) })
        }
    }

    // MARK: Positions

    private func addPositions(to routes: inout RouteTable) {
        on(.get, "v1/positions", &routes) { request in
            let id = try request.account()
            let (positions, sequence) = try await gateway.run(changes: false) { desk in
                let account = try desk.account(id)
                return (account.exchange.positions(), account.sequence)
            }
            return .about(id, sequence) { $0.list("positions", positions) }
        }
        on(.post, "v1/positions/:symbol/close", &routes) { request in
            let symbol = try request.pathSymbol(registry)
            let body = try await request.body(allowed: ["quantity", "client_order_id", "account"])
            let account = try request.account(body)
            let (quantity, clientOrderID) = (try body.decimal("quantity"), try body.text("client_order_id"))
            let order = try await gateway.run(changes: true) {
                try $0.close(symbol, account, quantity: quantity, clientOrderID: clientOrderID)
            }
            return .json(order, status: .created)
        }
        on(.post, "v1/positions/:symbol/reverse", &routes) { request in
            let symbol = try request.pathSymbol(registry)
            let body = try await request.body(allowed: ["client_order_id", "account"])
            let account = try request.account(body)
            let clientOrderID = try body.text("client_order_id")
            let order = try await gateway.run(changes: true) {
                try $0.reverse(symbol, account, clientOrderID: clientOrderID)
            }
            return .json(order, status: .created)
        }
        on(.post, "v1/positions/:symbol/bracket", &routes) { request in
            let symbol = try request.pathSymbol(registry)
            let body = try await request.body(allowed: ["take_profit", "stop_loss", "account"])
            let account = try request.account(body)
            guard body.has("take_profit") || body.has("stop_loss") else {
                throw APIError.missing("take_profit", "a price, or null to remove it; or \"stop_loss\"")
            }
            let (takeProfit, stopLoss) = (try body.change("take_profit"), try body.change("stop_loss"))
            let position = try await gateway.run(changes: true) {
                try $0.bracket(symbol, account, takeProfit: takeProfit, stopLoss: stopLoss)
            }
            return .json(position)
        }
        on(.get, "v1/portfolio", &routes) { request in
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
