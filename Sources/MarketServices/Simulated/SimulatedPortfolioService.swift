internal import TradingCore

struct SimulatedPortfolioService: PortfolioServiceProtocol {
    let link: SimulatedLink
    let account: AccountID<Paper>

    var portfolioUpdates: ServiceStream<[Portfolio]> { link.channels.portfolio.stream }

    func fetchPortfolio() async throws(ServiceError) -> [Portfolio] {
        try await link.travel()
        return await link.world.portfolios()
    }
}
