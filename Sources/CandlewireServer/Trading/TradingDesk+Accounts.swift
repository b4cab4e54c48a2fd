import HTTPTypes
import HistoryStore
import Logging
import MarketModel
import TradingCore

extension TradingDesk {
    /// The account of requests that name none.
    func openDefaultAccount() {
        guard !accounts.contains(where: { $0.id.description == Self.defaultAccount }),
            let id = try? AccountID<Paper>(Self.defaultAccount)
        else { return }
        do {
            try open(id, capital: standardCapital)
        } catch {
            logger.error("the account \(Self.defaultAccount) could not be opened", metadata: ["error": "\(error)"])
        }
    }

    /// 100,000 of each quote currency.
    var standardCapital: [Money] {
        registry.quoteCurrencies.map { Money(Self.initialCapital, $0) }
    }

    /// - Parameters:
    ///   - time: `nil`: now.
    ///   - past: lets happen what happened until now.
    @discardableResult func open(
        _ id: AccountID<Paper>, capital: [Money], at time: Double? = nil, past: (inout PaperExchange) -> Void = { _ in }
    ) throws -> AccountSummary {
        guard !accounts.contains(where: { $0.id == id }) else {
            throw APIError(.conflict, "account_exists", "There is an account \"\(id)\" already.", field: "name")
        }
        let deleted = deleted[id]
        guard accounts.count < Self.maximumAccounts else {
            throw APIError(.conflict, "too_many_accounts", "There are \(Self.maximumAccounts) accounts already.")
        }
        var settings = options.settings
        settings.initialCapital = capital
        let time = time ?? now
        let exchange = try PaperExchange(
            opening: id, after: deleted, settings: settings, seed: seed(of: id), now: time)
        let account = PaperAccount(exchange, createdAt: time, registry: registry)
        past(&account.exchange)
        applyLatestPrices(to: account)
        accounts.append(account)
        self.deleted[id] = nil
        sortAccounts()
        commit(account)
        return account.summary
    }

    /// A new account knows what every market trades at, and need not wait for its next trade.
    func applyLatestPrices(to account: PaperAccount) {
        let now = now
        for (market, tick) in zip(account.markets, latest) {
            guard let tick else { continue }
            account.exchange.applyEarlierTrade(market: market, tick, now: now)
        }
    }

    /// - Parameter capital: in place of what it has.
    func reset(_ id: AccountID<Paper>, capital: ExactDecimal?) throws -> AccountSummary {
        let account = try account(id)
        let state = account.exchange.account
        let amounts = state.currencies.compactMap { currency in
            state.balances[currency].map { Money(capital ?? $0.capital, currency) }
        }
        defer { commit(account) }
        try account.exchange.reset(capital: amounts, now: now)
        return account.summary
    }

    /// Deletes an account: its orders are cancelled and its positions dropped, and what its ledger has from before its last
    /// entry is removed. The entry stays.
    /// - Parameter isForced: also while it has positions or open orders.
    /// - Returns: as it was.
    func delete(_ id: AccountID<Paper>, isForced: Bool) throws -> AccountSummary {
        let account = try account(id)
        guard id.description != Self.defaultAccount else {
            throw APIError(
                .conflict, "default_account",
                "\(id) is the account of requests that name none, and stays. Reset it instead.", field: "account")
        }
        let state = account.exchange.account
        let (positions, orders) = (state.openSymbols.count, state.activeOrders().count)
        guard isForced || positions + orders == 0 else {
            throw APIError(
                .conflict, "account_in_use",
                "\(id) has \(positions) open positions and \(orders) open orders. Close them, or delete it with force=true.",
                field: "account")
        }
        guard deleted.count < Self.maximumDeletedAccounts else {
            throw APIError(
                .conflict, "too_many_deleted",
                "\(Self.maximumDeletedAccounts) accounts were deleted already. Open one of these again, or reset \(id)."
            )
        }
        let summary = account.summary
        let deadline = cancelTimers.deadline(of: id)
        account.exchange.delete(now: now)
        accounts.removeAll { $0.id == id }
        deleted[id] = account.exchange.account
        commit(account)
        afterCommit { [self] isWritten in
            // Not one that was set since, for an account that is opened again under this name.
            if isWritten, cancelTimers.deadline(of: id) == deadline { clearCancelTimer(id) }
        }
        return summary
    }

    // MARK: The equity curve

    /// What has changed since the curves' last points.
    func equityPoints(_ account: PaperAccount, isSample: Bool = false) -> [EquityPoint] {
        account.equityCurve.points(after: account.exchange.portfolios(), at: now, isSample: isSample).map { point in
            EquityPoint(
                account: account.id.description, currency: point.currency, timestamp: point.timestamp,
                equity: point.equity.description)
        }
    }

    /// Continues the curves. A point that cannot be written is no loss: it follows from the ledger and the market.
    func sampleEquity() {
        guard canTrade else { return }
        let points = accounts.flatMap { equityPoints($0, isSample: true) }
        if !points.isEmpty { ledger.append([], equity: points) { _ in } }
    }
}
