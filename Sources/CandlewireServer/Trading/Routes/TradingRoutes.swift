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
    typealias Context = BasicRequestContext
    typealias Handler = @Sendable (TradingRequest) async throws -> Response

    let gateway: TradingGateway
    let ledger: LedgerStore
    let access: TradingAccess
    var registry: MarketRegistry { gateway.core.registry }

    func add(to router: Router<Context>) {
        addAccounts(to: router)
        addOrders(to: router)
        addPositions(to: router)
        addHistory(to: router)
    }

    func on(
        _ method: HTTPRequest.Method, _ path: String, _ router: Router<Context>, _ handler: @escaping Handler
    ) {
        router.on(RouterPath(path), method: method) { [access] request, context in
            try await JSONResponse.answer {
                try access.check(request)
                return try await handler(TradingRequest(request: request, parameters: context.parameters))
            }
        }
    }

    func health() async throws -> TradingHealth {
        let ledger = ledger.statistics
        return try await gateway.core.loop.submit { [gateway] in
            let desk = gateway.desk.value
            return TradingHealth(
                ledgerState: desk.ledgerState, accounts: desk.accounts.count, events: desk.events.count, ledger: ledger)
        }.get()
    }

    /// What may be done at a path of these routes; `nil` elsewhere.
    static func methods(at path: String) -> [String]? {
        let parts = path.split(separator: "/")
        guard parts.count >= 2, parts[0] == "v1" else { return nil }
        return switch (parts[1], parts.count) {
        case ("accounts", 2): ["GET", "POST", "HEAD"]
        case ("accounts", 3): ["GET", "HEAD"]
        case ("accounts", 4) where parts[3] == "reset": ["POST"]
        case ("orders", 2): ["GET", "POST", "DELETE", "HEAD"]
        case ("orders", 3): parts[2] == "preview" ? ["POST"] : ["GET", "PATCH", "DELETE", "HEAD"]
        case ("positions", 2), ("portfolio", 2), ("fills", 2), ("events", 2): ["GET", "HEAD"]
        case ("portfolio", 3) where parts[2] == "history": ["GET", "HEAD"]
        case ("positions", 4) where ["close", "reverse", "bracket"].contains(parts[3]): ["POST"]
        default: nil
        }
    }

    // MARK: Accounts

    private func addAccounts(to router: Router<Context>) {
        on(.get, "v1/accounts", router) { [gateway] _ in
            let accounts = try await gateway.run(changes: false) { desk in desk.accounts.map(\.summary) }
            return JSONResponse.make { sink in
                sink.json("{\"mode\":")
                sink.string(Paper.name)
                sink.list("accounts", accounts) { TradingDocument.account($0, into: &$1) }
                sink.json("}")
            }
        }
        on(.post, "v1/accounts", router) { [gateway, registry] request in
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
            let currencies = Set(registry.markets.map(\.quoteCurrency)).sorted()
            let named = try body.text("currency")
            if let named, !currencies.contains(named) {
                throw APIError.unknownWord("currency", named, currencies.joined(separator: ", "))
            }
            let amount = try body.decimal("capital") ?? TradingDesk.initialCapital
            let capital = (named.map { [$0] } ?? currencies).map { Money(amount, $0) }
            let account = try await gateway.run(changes: true) { desk throws(APIError) in
                try desk.open(id, capital: capital)
            }
            return JSONResponse.make(status: .created) { TradingDocument.account(account, into: &$0) }
        }
        on(.get, "v1/accounts/:id", router) { [gateway] request in
            let id = try request.pathAccount()
            let account = try await gateway.run(changes: false) { desk throws(APIError) in try desk.account(id).summary
            }
            return JSONResponse.make { TradingDocument.account(account, into: &$0) }
        }
        on(.post, "v1/accounts/:id/reset", router) { [gateway] request in
            let id = try request.pathAccount()
            let capital = try await request.body(allowed: ["capital"]).decimal("capital")
            let account = try await gateway.run(changes: true) { desk throws(APIError) in
                try desk.reset(id, capital: capital)
            }
            return JSONResponse.make { TradingDocument.account(account, into: &$0) }
        }
    }
}
