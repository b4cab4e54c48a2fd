import MarketModel
import MarketServices
import Testing
import TradingCore

/// What every container promises, whatever is behind it. Each promise uses a market of its own, so that they may share an
/// account; none of them counts on time: they wait for what must come.
struct ContainerContract: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let check: @Sendable (any ServiceContainer<Paper>) async throws -> Void

    private init(_ name: String, _ check: @escaping @Sendable (any ServiceContainer<Paper>) async throws -> Void) {
        testDescription = name
        self.check = check
    }

    static let all: [ContainerContract] = [
        ContainerContract("markets and candles can be fetched, and what there is not is said", markets),
        ContainerContract("several listeners get all markets in each publication", publications),
        ContainerContract("a market order is filled, and order, fill, position and portfolio say so", filled),
        ContainerContract("a limit order waits, is amended by version, and cancelled once", waiting),
        ContainerContract("the same client order id is the same order, and never another one", idempotent),
        ContainerContract("all orders of a market are cancelled together", cancelAll),
        ContainerContract("a position is bracketed, reversed and closed", positions),
        ContainerContract("a refusal names the field; a preview says it before", refusals),
        ContainerContract("what happens is an event, in the stream and in the log", events),
        ContainerContract("health says that it is connected", health),
        ContainerContract("shutting down ends every stream, and nothing more is done", shutDown),
    ]

    // MARK: Markets

    @Sendable private static func markets(_ services: any ServiceContainer<Paper>) async throws {
        let markets = try await services.markets.fetchMarkets()
        #expect(markets.contains { $0.symbol == "BTC-USD" && $0.baseCurrency == "BTC" && $0.quoteCurrency == "USD" })
        let market = try await services.markets.fetchMarket(symbol: "BTC-USD")
        #expect(market.id == "BTC-USD" && market.price ?? 0 > 0)
        let candles = try await services.markets.fetchCandles(symbol: "BTC-USD", timeframe: .m1, limit: 50)
        #expect(candles.count == 50 && candles.allSatisfy(\.isWellFormed))
        #expect(zip(candles, candles.dropFirst()).allSatisfy { $0.timestamp < $1.timestamp })
        let older = try await services.markets.fetchCandles(
            symbol: "BTC-USD", timeframe: .m1, limit: 10, before: candles[0].timestamp)
        #expect(older.count == 10 && older.allSatisfy { $0.timestamp < candles[0].timestamp })
        let error = await serviceError { _ = try await services.markets.fetchMarket(symbol: "NO/THING") }
        #expect(error?.kind == .notFound && error?.field == "symbol")
    }

    @Sendable private static func publications(_ services: any ServiceContainer<Paper>) async throws {
        let symbols = Set(try await services.markets.fetchMarkets().map(\.symbol))
        let counts = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    var count = 0
                    for await markets in services.markets.marketUpdates {
                        #expect(Set(markets.map(\.symbol)) == symbols)
                        count += 1
                        if count == 3 { break }
                    }
                    return count
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == [3, 3, 3])
    }

    // MARK: Orders

    @Sendable private static func filled(_ services: any ServiceContainer<Paper>) async throws {
        let trading = services.trading
        #expect("\(trading.account)".hasPrefix("paper-"))
        let order = try await trading.place(.market(name(), .buy, ExactDecimal("0.25")!, "LTC-USD", leverage: 2))
        #expect(order.id.account == trading.account && order.symbol == "LTC-USD")
        let done = try await finished(order.id, services)
        #expect(done.status == .filled && done.filledQuantity == order.quantity && done.averageFillPrice != nil)

        var fills = ServiceList<Fill<Paper>>()
        for await update in trading.fillUpdates {
            fills.apply(update)
            if quantity(of: fills.items.filter { $0.orderID == order.id }) == order.quantity { break }
        }
        let fetched = try await trading.fetchFills(FillFilter(order: order.id))
        #expect(quantity(of: fetched) == order.quantity)
        #expect(fetched.allSatisfy { !$0.receipt.rule.isEmpty && $0.price.isPositive })

        let held = await trading.positionUpdates.first { $0.contains { $0.symbol == "LTC-USD" } }
        let position = try #require(held?.first { $0.symbol == "LTC-USD" })
        #expect(position.side == .long && position.leverage == 2 && position.entryPrice.isPositive)
        #expect(try await trading.fetchPositions().contains { $0.id == position.id })
        let portfolios = await services.portfolio.portfolioUpdates.first { $0.contains { $0.usedMargin.isPositive } }
        #expect(portfolios?.first?.currency == "USD")
        #expect(try await services.portfolio.fetchPortfolio().first?.initialCapital.isPositive == true)
    }

    @Sendable private static func waiting(_ services: any ServiceContainer<Paper>) async throws {
        let trading = services.trading
        let order = try await trading.place(.limit(name(), .buy, 1, at: ExactDecimal("0.05")!, "XRP-USD"))
        #expect(order.status == .new && order.filledQuantity.isZero)
        let active = try await trading.fetchOrders(OrderFilter(status: .active, symbol: "XRP-USD"))
        #expect(active.contains { $0.id == order.id })

        let amended = try await trading.amend(
            order.id, OrderChange(quantity: 2, limitPrice: ExactDecimal("0.06"), version: order.version))
        #expect(amended.id == order.id && amended.quantity == 2 && amended.limitPrice == ExactDecimal("0.06"))
        #expect(amended.version > order.version)
        let stale = await serviceError {
            _ = try await trading.amend(order.id, OrderChange(quantity: 3, version: order.version))
        }
        #expect(stale?.kind == .conflict)

        let cancelled = try await trading.cancel(order.id)
        #expect(cancelled.status == .cancelled && cancelled.version > amended.version)
        #expect(try await finished(order.id, services).status == .cancelled)
        #expect(try await trading.fetchOrder(order.id).status == .cancelled)
        let again = await serviceError { _ = try await trading.cancel(order.id) }
        #expect(again?.kind == .conflict)
        let unknown = await serviceError {
            _ = try await trading.fetchOrder(OrderID(account: trading.account, number: 1_000_000))
        }
        #expect(unknown?.kind == .notFound)
    }

    @Sendable private static func idempotent(_ services: any ServiceContainer<Paper>) async throws {
        let trading = services.trading
        var request = OrderRequest.limit(name(), .buy, 1, at: ExactDecimal("0.01")!, "ADA-USD")
        let order = try await trading.place(request)
        #expect(try await trading.place(request).id == order.id)
        request.quantity = 2
        let error = await serviceError { _ = try await trading.place(request) }
        #expect(error?.kind == .rejected && error?.field == "client_order_id")
        #expect(
            try await trading.fetchOrders(OrderFilter(symbol: "ADA-USD")).count {
                $0.clientOrderID == request.clientOrderID
            } == 1)
        _ = try await trading.cancel(order.id)
    }

    @Sendable private static func cancelAll(_ services: any ServiceContainer<Paper>) async throws {
        let trading = services.trading
        var ids: Set<OrderID<Paper>> = []
        for number in 1...3 {
            ids.insert(try await trading.place(.limit(name(), .buy, 1, at: ExactDecimal(number), "BCH-USD")).id)
        }
        let cancelled = try await trading.cancelAll(symbol: "BCH-USD")
        #expect(Set(cancelled.map(\.id)) == ids && cancelled.allSatisfy { $0.status == .cancelled })
        #expect(try await trading.fetchOrders(OrderFilter(status: .active, symbol: "BCH-USD")).isEmpty)
        for id in ids { #expect(try await finished(id, services).status == .cancelled) }
    }

    // MARK: Positions

    @Sendable private static func positions(_ services: any ServiceContainer<Paper>) async throws {
        let trading = services.trading
        let order = try await trading.place(.market(name(), .buy, 2, "ATOM-USD", leverage: 3))
        _ = try await finished(order.id, services)
        let price = try #require(try await services.markets.fetchMarket(symbol: "ATOM-USD").price)
        let target = ExactDecimal(nearest: (price * 1.5).rounded())
        try await trading.setBracket(symbol: "ATOM-USD", takeProfit: target, stopLoss: 1)
        let bracketed = try #require(try await trading.fetchPositions().first { $0.symbol == "ATOM-USD" })
        #expect(bracketed.takeProfit == target && bracketed.stopLoss == 1)
        try await trading.setBracket(symbol: "ATOM-USD", takeProfit: nil, stopLoss: nil)
        let bare = try #require(try await trading.fetchPositions().first { $0.symbol == "ATOM-USD" })
        #expect(bare.takeProfit == nil && bare.stopLoss == nil && bare.size == 2)

        _ = try await finished(try await trading.reversePosition(symbol: "ATOM-USD").id, services)
        let short = try #require(try await trading.fetchPositions().first { $0.symbol == "ATOM-USD" })
        #expect(short.side == .short && short.size == 2)
        _ = try await finished(try await trading.closePosition(symbol: "ATOM-USD", quantity: 1).id, services)
        #expect(try await trading.fetchPositions().first { $0.symbol == "ATOM-USD" }?.size == 1)
        _ = try await finished(try await trading.closePosition(symbol: "ATOM-USD").id, services)
        _ = await trading.positionUpdates.first { !$0.contains { $0.symbol == "ATOM-USD" } }
        #expect(!(try await trading.fetchPositions().contains { $0.symbol == "ATOM-USD" }))
        let none = await serviceError { _ = try await trading.closePosition(symbol: "ATOM-USD") }
        #expect(none?.kind == .notFound)
    }

    @Sendable private static func refusals(_ services: any ServiceContainer<Paper>) async throws {
        let trading = services.trading
        let good = OrderRequest.limit(name(), .buy, 3, at: 5, "DOT-USD", leverage: 5)
        let preview = try await trading.preview(good)
        #expect(preview.problems.isEmpty && preview.cost == 15 && preview.margin == 3 && preview.currency == "USD")
        var bad = good
        bad.quantity = 0
        #expect(try await trading.preview(bad).problems.contains { $0.field == "quantity" })
        let zero = await serviceError { _ = try await trading.place(bad) }
        #expect(zero?.kind == .rejected && zero?.field == "quantity")
        bad = good
        bad.limitPrice = nil
        let missing = await serviceError { _ = try await trading.place(bad) }
        #expect(missing?.kind == .rejected && missing?.field == "limit_price")
        bad = good
        bad.quantity = 1_000_000_000
        let costly = await serviceError { _ = try await trading.place(bad) }
        #expect(costly?.kind == .rejected)
        bad = .market(name(), .buy, 1, "NO-THING")
        let unknown = await serviceError { _ = try await trading.place(bad) }
        #expect(unknown?.field == "symbol")
        #expect(try await trading.fetchOrders(OrderFilter(status: .active, symbol: "DOT-USD")).isEmpty)
    }

    // MARK: Events and health

    @Sendable private static func events(_ services: any ServiceContainer<Paper>) async throws {
        let order = try await services.trading.place(.limit(name(), .buy, 1, at: 1, "AVAX-USD"))
        _ = try await services.trading.cancel(order.id)
        var list = ServiceList<ServiceEvent>()
        for await update in services.events.eventStream {
            list.apply(update)
            let types = Set(list.items.filter { $0.symbol == "AVAX-USD" }.map(\.type))
            if types.isSuperset(of: [.orderPlaced, .orderCancelled]) { break }
        }
        let fetched = try await services.events.fetchEvents(EventFilter(type: .orderPlaced, symbol: "AVAX-USD"))
        #expect(!fetched.isEmpty)
        #expect(fetched.allSatisfy { $0.type == .orderPlaced && $0.symbol == "AVAX-USD" && !$0.message.isEmpty })
        #expect(try await services.events.fetchEvents(EventFilter(limit: 1)).count == 1)
    }

    @Sendable private static func health(_ services: any ServiceContainer<Paper>) async throws {
        var reports = 0
        for await health in services.events.wsHealthUpdates where health.connection == .connected {
            reports += 1
            #expect(health.timestamp > 0)
            if reports == 3 { break }
        }
        #expect(reports == 3)
    }

    @Sendable private static func shutDown(_ services: any ServiceContainer<Paper>) async throws {
        await services.shutDown()
        for await _ in services.markets.marketUpdates {}
        for await _ in services.trading.positionUpdates {}
        for await _ in services.trading.orderUpdates {}
        for await _ in services.trading.fillUpdates {}
        for await _ in services.portfolio.portfolioUpdates {}
        for await _ in services.events.eventStream {}
        for await _ in services.events.wsHealthUpdates {}
        let late = await serviceError {
            _ = try await services.trading.place(.market(name(), .buy, 1, "SOL-USD"))
        }
        #expect(late?.kind == .closed)
    }

    // MARK: Tools

    /// A client order id that was never used.
    private static func name() -> String { "contract-\(UInt64.random(in: .min ... .max))" }

    /// Waits until the stream says that an order is at its end.
    private static func finished(
        _ id: OrderID<Paper>, _ services: any ServiceContainer<Paper>
    ) async throws -> Order<Paper> {
        var orders = ServiceList<Order<Paper>>()
        for await update in services.trading.orderUpdates {
            orders.apply(update)
            if let order = orders[id], order.status.isDone { return order }
        }
        throw ServiceError(.closed, message: "The stream ended before order \(id) did.")
    }

    private static func quantity(of fills: [Fill<Paper>]) -> ExactDecimal {
        fills.reduce(.zero) { (try? $0 + $1.quantity) ?? $0 }
    }
}
