import MarketModel
import TradingCore

/// An account and its exchange. Confined to the market loop.
final class PaperAccount {
    let id: AccountID<Paper>
    var exchange: PaperExchange
    let createdAt: Double
    /// The exchange's numbers of the registry's markets; -1: of one that is kept free.
    private(set) var markets: [Int]
    /// The state of the exchange that was last published on its channels.
    var publishedRevision = -1
    /// By currency: the equity curve's last point.
    var lastEquity: [String: ExactDecimal] = [:]

    init(_ exchange: PaperExchange, createdAt: Double, registry: MarketRegistry) {
        var exchange = exchange
        id = exchange.account.id
        markets = registry.markets.map {
            $0.symbol.isEmpty ? -1 : exchange.register($0.symbol, currency: $0.quoteCurrency)
        }
        self.exchange = exchange
        self.createdAt = createdAt
    }

    /// A market was added.
    func add(_ market: Market, number: Int) {
        markets[number] = exchange.register(market.symbol, currency: market.quoteCurrency)
    }

    var sequence: Int { exchange.account.sequence }

    var summary: AccountSummary {
        AccountSummary(
            id: id, sequence: sequence, createdAt: createdAt, portfolios: exchange.portfolios(),
            fillModel: exchange.settings.fillModelTitle,
            fillRule: FillModelName(exchange.settings)?.summary ?? "",
            isDemo: DemoAccount.isLoaded(in: exchange.account))
    }
}

/// What a list of accounts shows of one.
struct AccountSummary: Sendable {
    var id: AccountID<Paper>
    var sequence: Int
    var createdAt: Double
    var portfolios: [Portfolio]
    /// What its orders are filled by, and when that fills what.
    var fillModel: String
    var fillRule: String
    /// Whether it has the orders of the demo.
    var isDemo: Bool
}
