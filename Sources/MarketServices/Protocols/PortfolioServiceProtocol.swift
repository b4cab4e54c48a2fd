public import TradingCore

/// What an account is worth.
public protocol PortfolioServiceProtocol<Mode>: Sendable {
    associatedtype Mode: TradingMode

    var account: AccountID<Mode> { get }

    /// One portfolio for each currency, never summed, after each change of the positions. A slow listener gets the newest
    /// only.
    var portfolioUpdates: ServiceStream<[Portfolio]> { get }

    func fetchPortfolio() async throws(ServiceError) -> [Portfolio]
}
