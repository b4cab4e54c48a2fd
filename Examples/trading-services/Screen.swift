import MarketServices
import TradingCore

/// Stands for the views of an application. It knows the protocols and nothing of what is behind them.
struct Screen {
    let services: any ServiceContainer<Paper>

    init(_ services: any ServiceContainer<Paper>) {
        self.services = services
    }

    func showMarkets() async throws {
        for market in try await services.markets.fetchMarkets() {
            print(market.symbol, market.price ?? 0, market.changePercent24h ?? 0)
        }
        for await markets in services.markets.marketUpdates {
            print(markets.count, "markets in one publication")
            break
        }
    }

    /// Buys, waits until the order is filled, and closes the position again.
    func trade(_ symbol: String) async throws {
        let order = try await services.trading.place(
            OrderRequest(
                clientOrderID: "example-\(UInt64.random(in: .min ... .max))", symbol: symbol, side: .buy,
                type: .market, quantity: ExactDecimal("0.001")!, leverage: 2))
        try await filled(order.id)
        print("bought:", try await services.trading.fetchFills(FillFilter(order: order.id)).count, "fills")
        let closing = try await services.trading.closePosition(symbol: symbol, quantity: ExactDecimal("0.001")!)
        try await filled(closing.id)
        print("sold again")
    }

    private func filled(_ id: OrderID<Paper>) async throws {
        var orders = ServiceList<Order<Paper>>()
        for await update in services.trading.orderUpdates {
            orders.apply(update)
            guard let order = orders[id], order.status.isDone else { continue }
            if order.status == .filled { return }
            throw ServiceError(.rejected, message: order.reason ?? "The order was \(order.status).")
        }
    }

    func showAccount() async {
        for await portfolios in services.portfolio.portfolioUpdates {
            for portfolio in portfolios { print("equity:", portfolio.equity, portfolio.currency) }
            break
        }
        for await health in services.events.wsHealthUpdates {
            print("connection:", health.connection)
            break
        }
    }
}
