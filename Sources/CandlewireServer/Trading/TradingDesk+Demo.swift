import HTTPTypes
import Logging
import MarketModel
import TradingCore

extension TradingDesk {
    static let demoAccount = "paper-\(DemoAccount.accountName)"
    /// Seconds after the start in which markets without a price are waited for.
    private static let demoTimeout = 10.0

    /// Lets the demo's orders happen in an account, which is opened where there is none.
    /// - Throws: 409 for an account that has orders, 503 while no market has a price.
    func loadDemo(_ id: AccountID<Paper>) throws -> AccountSummary {
        let existing = accounts.first { $0.id == id }
        if let existing, !DemoAccount.isUnused(existing.exchange.account) {
            throw APIError(
                .conflict, "account_used",
                "The account \(id) has orders already, and the demo is loaded only into an account without any. Reset "
                    + "it first, or load the demo into another account.")
        }
        let markets = demoMarkets()
        guard !markets.isEmpty else {
            throw APIError(
                .serviceUnavailable, "no_prices", "No market has a price yet: load the demo when one has traded.")
        }
        let steps = DemoAccount.steps(markets, now: now)
        func place(_ exchange: inout PaperExchange) {
            for step in steps {
                exchange.placeEarlierOrder(
                    step.request, marketAt: step.price, isCancelled: step.isCancelled, time: step.time)
            }
        }
        guard let existing else {
            return try open(id, capital: standardCapital, at: steps[0].time, past: place)
        }
        place(&existing.exchange)
        applyLatestPrices(to: existing)
        commit(existing)
        return existing.summary
    }

    /// Those with a price, in the order of the feeds, and as many as the demo needs.
    private func demoMarkets() -> [DemoAccount.Market] {
        let now = now
        return registry.markets.indices.lazy.compactMap { [self] market -> DemoAccount.Market? in
            guard let price = latest[market]?.price else { return nil }
            let entry = registry.markets[market]
            return DemoAccount.Market(symbol: entry.symbol, precision: entry.precision, price: price) { [self] age in
                let timeframe: Timeframe = age < 3600 ? .m1 : .h1
                let candles = pastCandles?(market, timeframe) ?? []
                guard let candle = candles.last(where: { $0.timestamp + timeframe.seconds <= now - age }) else {
                    return nil
                }
                return (candle.close, candle.timestamp + timeframe.seconds - 1)
            }
        }.prefix(4).map { $0 }
    }

    /// Loads the demo that the server was started with, as soon as its markets have prices.
    func loadPendingDemo() {
        guard isDemoPending, canTrade, let id = try? AccountID<Paper>(name: DemoAccount.accountName) else { return }
        let account = accounts.first { $0.id == id }?.exchange.account
        if let account, DemoAccount.isLoaded(in: account) {
            isDemoPending = false
            return
        }
        let priced = latest.count { $0 != nil }
        guard priced >= min(3, latest.count) || (priced > 0 && options.clock.now() - startedAt > Self.demoTimeout)
        else {
            return
        }
        isDemoPending = false
        do {
            _ = try loadDemo(id)
        } catch {
            logger.warning("the demo was not loaded", metadata: ["account": "\(id)", "error": "\(error)"])
            report(.system, nil, "The demo was not loaded: \((error as? APIError)?.message ?? "\(error)")")
        }
    }

    /// Ids of the accounts with the demo's orders.
    var demoAccounts: [String] {
        accounts.filter { DemoAccount.isLoaded(in: $0.exchange.account) }.map(\.id.description)
    }

    /// The account that a page shows which remembers none.
    private var firstAccount: String {
        options.loadsDemo && demoAccounts.contains(Self.demoAccount) ? Self.demoAccount : Self.defaultAccount
    }

    /// Members of the channel `health`.
    func writeAccountNames(into sink: inout [UInt8]) {
        sink.field("first_account", firstAccount)
        sink.list("demo_accounts", demoAccounts)
    }
}
