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
        do throws(IdentifierError) { id = try AccountID(name: settings.account) } catch {
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
            exchange.placeEarlierOrder(
                step.request, marketAt: step.price ?? Self.price(of: step, books), isCancelled: step.isCancelled,
                time: now - step.age)
        }
        for book in books {
            exchange.applyEarlierTrade(market: exchange.register(book.market.market.symbol), book.last, now: now)
        }
        exchange.advance(to: now)
    }

    private static func price(of step: AccountPast.Step, _ books: [SimulatedMarketBook]) -> ExactDecimal? {
        books.first { $0.market.market.symbol == step.request.symbol }.flatMap { ExactDecimal(nearest: $0.last.price) }
    }

    /// What has happened since the last time, in order, and its events; then the orders that were refused, which are in no
    /// entry.
    mutating func drain() -> [(order: Order<Paper>?, fill: Fill<Paper>?, events: [ServiceEvent])] {
        var happened = exchange.drainEvents().map { entry in
            (entry.event.order, entry.event.fill, events.events(of: entry))
        }
        happened += exchange.drainRefused().map { ($0, nil, [AccountEvents.event(refused: $0)]) }
        for (order, fill, _) in happened {
            if let order { orders.place(order) }
            if let fill { fills.place(fill) }
        }
        return happened
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

/// Makes events for people out of the lines of an account's log.
struct AccountEvents {
    /// What the account holds of each market, above 0 for long: to see positions open and close.
    private var held: [String: ExactDecimal] = [:]

    /// The event of an order that was refused and is in no line.
    static func event<Mode>(refused order: Order<Mode>) -> ServiceEvent {
        ServiceEvent(
            id: "\(order.id)-rejected", type: .orderCancelled, symbol: order.symbol,
            message: "Order rejected: \(name(order))\(because(order))", timestamp: order.createdAt,
            metadata: metadata(order))
    }

    private static func metadata<Mode>(_ order: Order<Mode>) -> [String: String] {
        ["order": "\(order.id)", "client_order_id": order.clientOrderID, "status": "\(order.status)"]
    }

    /// The events of one line; their ids are the line's number.
    mutating func events<Mode>(of entry: LedgerEntry<Mode>) -> [ServiceEvent] {
        var events: [ServiceEvent] = []
        func add(
            _ type: ServiceEventType, _ message: String, symbol: String? = nil, metadata: [String: String]? = nil
        ) {
            let number = events.isEmpty ? "\(entry.sequence)" : "\(entry.sequence).\(events.count)"
            events.append(
                ServiceEvent(
                    id: "\(entry.account)-e\(number)", type: type, symbol: symbol, message: message,
                    timestamp: entry.time, metadata: metadata))
        }
        func add(_ type: ServiceEventType, _ order: Order<Mode>, _ message: String) {
            add(type, message, symbol: order.symbol, metadata: Self.metadata(order))
        }
        switch entry.event {
        case .accountOpened: add(.system, "The account \(entry.account) was opened")
        case .deposited(let money): add(.system, "\(money) was deposited")
        case .orderAccepted(let order): add(.orderPlaced, order, "Order placed: \(Self.name(order))")
        case .orderRejected(let order):
            add(.orderCancelled, order, "Order rejected: \(Self.name(order))\(Self.because(order))")
        case .orderCancelled(let order):
            add(.orderCancelled, order, "Order cancelled: \(Self.name(order))\(Self.because(order))")
        case .orderExpired(let order): add(.orderCancelled, order, "Order expired: \(Self.name(order))")
        case .orderFilled(let fill, let order):
            add(.orderFilled, order, "Order filled: \(fill.side) \(fill.quantity) \(fill.symbol) at \(fill.price)")
            let (before, after) = hold(fill)
            if !before.isZero, after.isZero || after.isNegative != before.isNegative {
                add(
                    .positionClosed, "Position closed: \(Self.side(before)) \(fill.symbol) at \(fill.price)",
                    symbol: fill.symbol, metadata: ["realized_pnl": "\(fill.realizedPnL)"])
            }
            if !after.isZero, before.isZero || after.isNegative != before.isNegative {
                add(
                    .positionOpened,
                    "Position opened: \(Self.side(after)) \(after.magnitude) \(fill.symbol) at \(fill.price)",
                    symbol: fill.symbol, metadata: ["leverage": "\(order.leverage)"])
            }
        case .liquidationWarned(let call):
            let equity = Money(call.equity, call.currency).rounded(.floor)
            add(.risk, "Risk alert: equity is down to \(equity)", metadata: ["level": "warning"])
        case .marginRestored(let call):
            let equity = Money(call.equity, call.currency).rounded(.floor)
            add(.risk, "Equity is back at \(equity)", metadata: ["level": "info"])
        case .liquidated(let call):
            add(.risk, "All \(call.currency) positions were liquidated", metadata: ["level": "critical"])
        case .accountReset:
            held = [:]
            add(.system, "The account \(entry.account) was reset")
        case .accountDeleted:
            held = [:]
            add(.system, "The account \(entry.account) was deleted")
        case .orderAmended, .orderTriggered, .trailMoved, .leverageChanged: break
        }
        return events
    }

    /// Adds a fill to what is held.
    private mutating func hold<Mode>(_ fill: Fill<Mode>) -> (before: ExactDecimal, after: ExactDecimal) {
        let before = held[fill.symbol] ?? .zero
        let change = fill.side == .sell ? -fill.quantity : fill.quantity
        // Quantities are bounded by what an order may have; a sum out of range cannot be held.
        let after = (try? before + change) ?? before
        held[fill.symbol] = after.isZero ? nil : after
        return (before, after)
    }

    private static func side(_ quantity: ExactDecimal) -> PositionSide { quantity.isNegative ? .short : .long }

    private static func name<Mode>(_ order: Order<Mode>) -> String {
        let price = (order.limitPrice ?? order.stopPrice).map { " at \($0)" } ?? ""
        return
            "\(order.type.rawValue.replacing("_", with: " ")) \(order.side) \(order.quantity) \(order.symbol)\(price)"
    }

    private static func because<Mode>(_ order: Order<Mode>) -> String { order.reason.map { " (\($0))" } ?? "" }
}
