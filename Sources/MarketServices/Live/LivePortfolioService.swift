internal import TradingCore

struct LivePortfolioService<Mode: TradingMode>: PortfolioServiceProtocol {
    let account: AccountID<Mode>
    let rest: RESTClient
    let state: LiveState<Mode>

    var portfolioUpdates: ServiceStream<[Portfolio]> { state.channels.portfolio.stream }

    func fetchPortfolio() async throws(ServiceError) -> [Portfolio] {
        let document: PortfoliosDocument = try await rest.call(
            "GET", ["v1", "portfolio"], query: [("account", account.description)])
        guard document.mode ?? Mode.name == Mode.name else {
            throw ServiceError(
                .wrongAccount, message: "The server's account \(account) is not of \(Mode.name) trading.")
        }
        return document.portfolios
    }
}
