import TradingCore

/// Orders that the server cancels by itself: of clients that are gone.
extension TradingDesk {
    /// Why an account's orders are to be cancelled, for its events and for the audit log.
    struct Cancellation: Sendable {
        var account: AccountID<Paper>
        /// `nobody called cancel-after within 30 seconds`
        var reason: String
        var principal: String
        var address: String
        var action: String
    }

    /// Sets a dead man's switch.
    /// - Returns: seconds since 1970 UTC at which the orders are cancelled; `nil`: it is off.
    func setCancelTimer(_ id: AccountID<Paper>, seconds: Int) throws(APIError) -> Double? {
        _ = try account(id)
        cancelTimers.set(id, seconds: seconds, now: pulseTime)
        cancelTimersFile?.save(cancelTimers.kept)
        return seconds == 0 ? nil : options.clock.now() + Double(seconds)
    }

    func clearCancelTimer(_ id: AccountID<Paper>) {
        cancelTimers.set(id, seconds: 0, now: pulseTime)
        cancelTimersFile?.save(cancelTimers.kept)
    }

    /// Four times a second.
    func runCancelTimers() {
        for (account, seconds) in cancelTimers.due(now: pulseTime) {
            cancelOpenOrders(
                Cancellation(
                    account: account, reason: "nobody called cancel-after within \(seconds) seconds",
                    principal: "server", address: "local", action: "cancel-after"))
        }
    }

    /// Cancels the open orders of an account, now or, while the ledger cannot be written, when it can.
    func cancelOpenOrders(_ cancellation: Cancellation) {
        guard canTrade else {
            // One for each account is enough, and there are only so many accounts.
            waitingCancellations[cancellation.account] = cancellation
            return
        }
        principal = cancellation.principal
        defer { principal = nil }
        // An account that was deleted meanwhile has no orders.
        let orders = try? cancelAll(cancellation.account, symbol: nil)
        afterCommit { [self] isWritten in
            guard isWritten else {
                waitingCancellations[cancellation.account] = cancellation
                return
            }
            cancelTimers.finish(cancellation.account)
            cancelTimersFile?.save(cancelTimers.kept)
            if let orders { report(cancellation, orders.count) }
        }
    }

    private func report(_ cancellation: Cancellation, _ orders: Int) {
        if orders > 0 {
            let count = orders == 1 ? "An open order was" : "\(orders) open orders were"
            report(
                .system, nil, "\(count) cancelled in \(cancellation.account): \(cancellation.reason).",
                account: cancellation.account)
        }
        audit?.append(
            AuditRecord(
                time: options.clock.now(), principal: cancellation.principal, address: cancellation.address,
                action: cancellation.action, account: cancellation.account.description, status: 200,
                correlationID: ""))
    }

    /// The connection of a reader ended that guarded these accounts.
    func cancel(_ orders: LeftOrders) {
        for account in orders.accounts {
            guard let account = try? AccountID<Paper>(account) else { continue }
            cancelOpenOrders(
                Cancellation(
                    account: account, reason: "the connection with cancel_on_disconnect ended",
                    principal: orders.principal, address: orders.address, action: "cancel_on_disconnect"))
        }
    }

    /// Four times a second.
    func runWaitingCancellations() {
        guard canTrade, !waitingCancellations.isEmpty else { return }
        let waiting = waitingCancellations.values
        waitingCancellations = [:]
        for cancellation in waiting { cancelOpenOrders(cancellation) }
    }
}
