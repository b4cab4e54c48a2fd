package import MarketModel
package import TradingCore

package struct LiveMarketService<Mode: TradingMode>: MarketServiceProtocol {
    let rest: RESTClient
    let state: LiveState<Mode>

    package var marketUpdates: ServiceStream<[MarketInfo]> { state.channels.markets.stream }

    package func fetchMarkets() async throws(ServiceError) -> [MarketInfo] {
        try await rest.call("GET", ["v1", "markets"], as: MarketsDocument.self).markets
    }

    package func fetchMarket(symbol: String) async throws(ServiceError) -> MarketInfo {
        try await rest.call("GET", ["v1", "markets", symbol])
    }

    package func fetchCandles(_ request: CandlesRequest) async throws(ServiceError) -> [Candle] {
        let candles: [CandleDocument] = try await rest.call(
            "GET", ["v1", "candles"],
            query: [
                ("symbol", request.symbol), ("timeframe", request.timeframe.rawValue), ("limit", "\(request.limit)"),
                ("before", request.before.map { "\($0)" }),
            ])
        return candles.map(\.candle)
    }
}

package struct LivePortfolioService<Mode: TradingMode>: PortfolioServiceProtocol {
    package let account: AccountID<Mode>
    let rest: RESTClient
    let state: LiveState<Mode>

    package var portfolioUpdates: ServiceStream<[Portfolio]> { state.channels.portfolio.stream }

    package func fetchPortfolio() async throws(ServiceError) -> [Portfolio] {
        let document: PortfoliosDocument = try await rest.call(
            "GET", ["v1", "portfolio"], query: [("account", account.description)])
        guard document.mode ?? Mode.name == Mode.name else {
            throw ServiceError(
                .wrongAccount, message: "The server's account \(account) is not of \(Mode.name) trading.")
        }
        return document.portfolios
    }

    /// What the account was worth, ascending, the present last.
    /// - Parameters:
    ///   - currency: nil: the account's first.
    ///   - limit: nil: as many as the server sends by itself.
    package func fetchEquity(currency: String?, limit: Int?) async throws(ServiceError) -> [EquityPoint] {
        try await rest.call(
            "GET", ["v1", "portfolio", "history"],
            query: [("account", account.description), ("currency", currency), ("limit", limit.map { "\($0)" })],
            as: EquityDocument.self
        ).points
    }
}

package struct LiveEventService<Mode: TradingMode>: EventServiceProtocol {
    let account: AccountID<Mode>
    let rest: RESTClient
    let state: LiveState<Mode>

    package var eventStream: ServiceStream<ServiceUpdate<ServiceEvent>> { state.channels.events.stream }
    package var wsHealthUpdates: ServiceStream<ServiceHealth> { state.channels.health.stream }

    package func fetchEvents(_ filter: EventFilter) async throws(ServiceError) -> [ServiceEvent] {
        try await rest.call(
            "GET", ["v1", "events"],
            query: [
                ("account", account.description), ("type", filter.type?.rawValue), ("symbol", filter.symbol),
                ("limit", "\(filter.limit)"), ("before", filter.before),
            ], as: EventsDocument.self
        ).events
    }
}

/// The accounts of a server.
package struct LiveAccountService: Sendable {
    let rest: RESTClient

    package init(rest: RESTClient) { self.rest = rest }

    package func fetchAccounts() async throws(ServiceError) -> [AccountInfo] {
        try await rest.call("GET", ["v1", "accounts"], as: AccountsDocument.self).accounts
    }

    /// Opens a paper account.
    /// - Parameters:
    ///   - currency: of its capital; nil: each quote currency of the markets.
    ///   - capital: nil: the server's own amount.
    package func create(
        name: String, currency: String?, capital: ExactDecimal?
    ) async throws(ServiceError) -> AccountInfo {
        try await rest.call(
            "POST", ["v1", "accounts"], body: AccountBody(name: name, currency: currency, capital: capital),
            isIdempotent: false)
    }

    /// Cancels an account's orders, drops its positions and gives it its capital again.
    /// - Parameter capital: nil: what the account began with.
    package func reset(_ id: String, capital: ExactDecimal?) async throws(ServiceError) -> AccountInfo {
        try await rest.call("POST", ["v1", "accounts", id, "reset"], body: AccountBody(capital: capital))
    }
}
