import MarketModel
import NIOCore
import TradingCore

@testable import CandlewireServer

/// What traders do, and what the server answers them.
extension ServerSimulation {
    private func decimal(_ value: Double) -> ExactDecimal { ExactDecimal((value * 100).rounded() / 100)! }

    func order() {
        let market = number(below: 2)
        let price = venue.price(market)
        let type: OrderType = pick([.market, .market, .limit, .limit, .stop])
        orderCount += 1
        let near = decimal(price * (0.98 + 0.04 * draw()))
        // Some are more than the account can pay.
        let quantity = decimal(chance(0.05) ? 90_000_000 / price : 0.01 + draw() * 3000 / price)
        let account = try! AccountID<Paper>(chance(0.7) ? "paper-main" : "paper-second")
        place(
            OrderRequest(
                clientOrderID: "c\(orderCount)", symbol: SimulationFeed.symbols[market], side: pick([.buy, .sell]),
                type: type,
                timeInForce: type == .market ? .gtc : pick([.gtc, .gtc, .ioc, .day]), quantity: quantity,
                limitPrice: type == .limit ? near : nil, stopPrice: type == .stop ? near : nil, leverage: 5), account)
        advance(by: draw() * 0.1)
    }

    /// Clients whose answer was lost send the same request again.
    func repeatUnanswered() {
        for (_, lost) in trading.unanswered.sorted(by: { $0.key < $1.key }) {
            counts.repeated += 1
            place(lost.request, lost.account)
        }
    }

    private func place(_ request: OrderRequest, _ account: AccountID<Paper>) {
        guard let server else { return }
        trading.requested(request, account)
        let market = SimulationFeed.symbols.firstIndex(of: request.symbol)!
        let known = server.desk.order(clientOrderID: request.clientOrderID) != nil
        let answer = server.trading.result(changes: true, principal: "trader") { [unowned self] desk in
            let order = try desk.place(request, account).order
            if defect == .acknowledgesBeforeCommit { trading.acknowledged(order) }
            return (order, desk.pulseTime)
        }
        let requestedAt = time.seconds
        answer.whenComplete { [unowned self, weak server] result in
            // Of a server that is gone nobody hears.
            guard let server, self.server === server else { return }
            switch result {
            case .success(let (order, placedAt)):
                guard order.status != .rejected || order.version > 1 else {
                    // Refused before, and the answer was lost.
                    return trading.refused(request, account)
                }
                counts.acknowledged += 1
                note("acknowledged \(request.clientOrderID) \(order.status.rawValue)")
                trading.acknowledged(order)
                if !known { checkFresh(market, at: placedAt) }
            case .failure(let error as APIError) where error == .ledgerUnavailable: counts.unknown += 1
            case .failure(let error as APIError):
                counts.refused += 1
                trading.refused(request, account)
                if error.code == "price_stale" { checkStale(market, at: requestedAt) }
            case .failure(let error): fail("order \(request.clientOrderID): \(error)")
            }
        }
    }

    /// Trading goes on only while a market's price is not older than its rule allows.
    private func checkFresh(_ market: Int, at placedAt: Double) {
        guard let times = tradeTimes[market], times.last <= placedAt else { return }
        let limit = times.count < 2 ? 15 * 60 : max(60, 20 * times.longestGap)
        if placedAt - times.last > limit { fail("an order at a price that is \(placedAt - times.last) seconds old") }
        if wasStale.remove(market) != nil { counts.resumed += 1 }
    }

    private func checkStale(_ market: Int, at requestedAt: Double) {
        counts.stale += 1
        wasStale.insert(market)
        guard let times = tradeTimes[market] else { return fail("refused as stale before the first trade") }
        let age = requestedAt - times.last
        if (0..<59).contains(age) { fail("refused as stale after \(age) seconds") }
    }

    func changeOrder() {
        guard let server else { return }
        let (which, kind) = (number(below: .max), number(below: 8))
        let symbol = pick(SimulationFeed.symbols)
        let answer = server.trading.result(changes: true, principal: "trader") { desk -> Order<Paper>? in
            let id = try AccountID<Paper>(which % 2 == 0 ? "paper-main" : "paper-second")
            let active = try desk.account(id).exchange.account.activeOrders()
            switch kind {
            case ..<4: return active.isEmpty ? nil : try desk.cancel(active[which % active.count].id)
            case ..<5: return try desk.cancelAll(id, symbol: nil).first
            default: return try desk.close(symbol, id, quantity: nil, clientOrderID: nil).order
            }
        }
        answer.whenSuccess { [unowned self, weak server] order in
            if let order, server != nil, self.server === server { trading.published(order) }
        }
        advance(by: draw() * 0.1)
    }
}
