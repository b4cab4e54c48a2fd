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
    /// The last entry that a snapshot has.
    var snapshotSequence = 0
    /// When the last one was made, on a clock that never goes back.
    var snapshotTime = -Double.infinity
    var equityCurve = EquityCurve()

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

/// Which points an account's equity curves get: each change, and before it the end of a time without changes.
struct EquityCurve: Sendable {
    private var newest: [String: (equity: ExactDecimal, timestamp: Double)] = [:]
    private var sampledAt = -Double.infinity

    /// - Parameter isSample: that nothing changed since the last point is known up to this time.
    mutating func points(
        after portfolios: [Portfolio], at now: Double, isSample: Bool
    ) -> [(currency: String, timestamp: Double, equity: ExactDecimal)] {
        var points: [(currency: String, timestamp: Double, equity: ExactDecimal)] = []
        for portfolio in portfolios {
            let (currency, last) = (portfolio.currency, newest[portfolio.currency])
            guard last?.equity != portfolio.equity else { continue }
            // A line from the last point would show a slow change where there was none.
            if let last, sampledAt > last.timestamp { points.append((currency, sampledAt, last.equity)) }
            newest[currency] = (portfolio.equity, now)
            points.append((currency, now, portfolio.equity))
        }
        if isSample { sampledAt = now }
        return points
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
