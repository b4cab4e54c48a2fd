import HTTPTypes
import HistoryStore
import Hummingbird
import StreamCore
import TradingCore

extension TradingRoutes {
    func addHistory(to routes: inout RouteTable) {
        routes.on(.get, "v1/fills", .scope(.read)) { try await fills($0) }
        routes.on(.get, "v1/events", .scope(.read)) { try await events($0) }
        routes.on(.get, "v1/portfolio/history", .scope(.read)) { try await equity($0) }
    }

    /// Newest first.
    private func fills(_ request: APIRequest) async throws -> Response {
        let id = try request.account()
        let symbol = try request.querySymbol(registry)
        let limit = try request.limit(100, max: 1000)
        let order: OrderID<Paper>? = try request.query("order").map { try APIError.id($0, "order") }
        let before: Int? = try request.query("before").map { text in
            guard let fill = try? FillID<Paper>(text), fill.account == id else {
                throw APIError.invalid("before", "Parameter \"before\" must be a fill's id of this account.")
            }
            return fill.number
        }
        let (recent, older, sequence) = try await gateway.run(changes: false) { desk in
            let state = try desk.account(id).exchange.account
            let fills = state.recentFills.reversed().lazy.filter { fill in
                (symbol == nil || fill.symbol == symbol) && (order == nil || fill.orderID == order)
                    && (before == nil || fill.id.number < before!)
            }
            let recent = Array(fills.prefix(limit))
            let oldest = state.recentFills.first?.id.number ?? state.nextFillNumber
            let older =
                recent.count < limit && oldest > state.firstFillNumber
                ? PastTrading(
                    page: .init(
                        account: id.description, first: state.firstFillNumber, before: min(before ?? oldest, oldest),
                        symbol: symbol.map(desk.names.kept), order: order?.number, limit: limit - recent.count),
                    names: desk.names) : nil
            return (recent, older, state.sequence)
        }
        let fills = recent + (try await older?.fills(ledger) ?? [])
        return .about(id, sequence) { $0.list("fills", fills) }
    }

    /// Newest first; of all accounts that the client may see where none is named.
    private func events(_ request: APIRequest) async throws -> Response {
        var filter = EventLog.Filter()
        filter.limit = try request.limit(100, max: 1000)
        filter.before = request.query("before")
        filter.symbol = try request.querySymbol(registry)
        filter.visible = request.principal.accounts
        if request.query("account") != nil { filter.account = try request.account().description }
        if let text = request.query("type") {
            filter.kinds = []
            for word in text.split(separator: ",", omittingEmptySubsequences: false) {
                guard let kind = TradingEvent.Kind(rawValue: String(word)) else {
                    throw APIError.invalid(
                        "type", "Parameter \"type\" must be one or more of \(TradingEvent.Kind.allowedNames).")
                }
                filter.kinds?.insert(kind)
            }
        }
        let found = try await gateway.run(changes: false) { [filter] desk in
            guard let found = desk.events.newest(filter) else {
                throw APIError.invalid("before", "Parameter \"before\" names no event that is still kept.")
            }
            return found
        }
        return .object { sink in
            sink.field("mode", Paper.name)
            sink.list("events", found)
        }
    }

    /// Ascending, the present at the end.
    private func equity(_ request: APIRequest) async throws -> Response {
        let id = try request.account()
        let limit = try request.limit(1000, max: 10_000)
        let named = request.query("currency")
        let (portfolio, now) = try await gateway.run(changes: false) { desk in
            let portfolios = try desk.account(id).exchange.portfolios()
            guard let portfolio = portfolios.first(where: { named == nil || $0.currency == named }) else {
                throw APIError.unknownWord("currency", named ?? "", portfolios.map(\.currency).joined(separator: ", "))
            }
            return (portfolio, desk.now)
        }
        let past = try await ledger.equity(account: id.description, currency: portfolio.currency, limit: limit)
        let present = EquityPoint(
            account: id.description, currency: portfolio.currency, timestamp: now, equity: portfolio.equity.description)
        let points = (past.filter { $0.timestamp < now } + [present]).suffix(limit)
        return .object { sink in
            sink.fields("account", id.description, "mode", Paper.name, "currency", portfolio.currency)
            sink.list("points", points) { point, sink in
                sink.object { sink in
                    sink.fields("timestamp", point.timestamp, "equity", point.equity)
                }
            }
        }
    }
}
