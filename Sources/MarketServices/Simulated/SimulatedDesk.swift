internal import MarketModel
internal import TradingCore

/// The simulated account: a paper exchange, and what the services remember of its orders and fills.
struct SimulatedDesk {
    private(set) var orders: ServiceList<Order<Paper>>
    private(set) var fills: ServiceList<Fill<Paper>>
    var exchange: PaperExchange
    private var events = AccountEvents()

    /// Opens the account and lets its past happen.
    init(_ settings: SimulationSettings, books: [SimulatedMarketBook], now: Double) throws(ServiceError) {
        orders = ServiceList(limit: settings.kept)
        fills = ServiceList(limit: settings.kept)
        let id: AccountID<Paper>
        do throws(IdentifierError) {
            id = try AccountID(name: settings.account)
        } catch {
            throw ServiceError(.rejected, message: error.description, field: "account")
        }
        do throws(TradingRejection) {
            exchange = try PaperExchange(
                opening: id, settings: settings.paper, seed: settings.seed,
                now: now - (settings.past.steps.map(\.age).max() ?? 0))
        } catch {
            throw ServiceError(error)
        }
        for book in books { exchange.register(book.market.market.symbol, currency: book.market.market.quoteCurrency) }
        for step in settings.past.steps {
            let time = now - step.age
            if let price = step.price ?? Self.price(of: step, books) {
                exchange.ingest(
                    step.request.symbol, Tick(timestamp: time, price: price.doubleValue, volume: 1), now: time)
            }
            let order = exchange.place(step.request, now: time).order
            if step.isCancelled, let order { _ = try? exchange.cancel(order.id, now: time) }
        }
        for book in books { exchange.ingest(book.market.market.symbol, book.last, now: now) }
        exchange.advance(to: now)
    }

    private static func price(of step: AccountPast.Step, _ books: [SimulatedMarketBook]) -> ExactDecimal? {
        books.first { $0.market.market.symbol == step.request.symbol }.flatMap { ExactDecimal(nearest: $0.last.price) }
    }

    /// What has happened since the last time, in order, and its events.
    mutating func drain() -> [(entry: LedgerEntry<Paper>, events: [ServiceEvent])] {
        exchange.drainEvents().map { entry in
            if let order = entry.event.order { orders.place(order) }
            if let fill = entry.event.fill { fills.place(fill) }
            return (entry, events.events(of: entry))
        }
    }
}

extension ServiceError {
    /// A refusal of the exchange, as the server's REST interface reports it.
    init(_ rejection: TradingRejection) {
        let kind: Kind =
            switch rejection.code {
            case .unknownOrder, .unknownPosition: .notFound
            case .orderDone, .versionConflict: .conflict
            default: .rejected
            }
        let code = rejection.code == .invalid ? "invalid_field" : rejection.code.rawValue
        self.init(kind, code: code, message: rejection.description, field: rejection.field)
    }
}
