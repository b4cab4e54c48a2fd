import TradingCore

/// Makes events of ledger entries: the same entries give the same events, so that the log is there again after a restart.
struct EventComposer {
    /// What an account holds in a market, long being positive.
    private struct Holding: Hashable {
        var account: AccountID<Paper>
        var symbol: String
    }

    private var sizes: [Holding: ExactDecimal] = [:]

    /// What an account holds from now on, where its entries are not all read.
    mutating func begin(_ account: AccountState<Paper>) {
        sizes = sizes.filter { $0.key.account != account.id }
        for (symbol, size) in account.positionSizes { sizes[Holding(account: account.id, symbol: symbol)] = size }
    }

    /// The event of an order that was refused and is in no entry.
    static func event(refused order: Order<Paper>) -> TradingEvent {
        TradingEvent(
            id: "\(order.id)-rejected", kind: .orderCancelled, account: order.id.account.description,
            symbol: order.symbol, message: end("rejected", order), timestamp: order.createdAt, metadata: metadata(order)
        )
    }

    private static func end(_ how: String, _ order: Order<Paper>) -> String {
        "Order \(how): \(words(order))\(order.reason.map { " (\($0))" } ?? "")"
    }

    mutating func events(for entry: LedgerEntry<Paper>) -> [TradingEvent] {
        var events: [TradingEvent] = []
        func add(_ kind: TradingEvent.Kind, _ symbol: String?, _ message: String, _ metadata: [String: String] = [:]) {
            let account = entry.account.description
            events.append(
                TradingEvent(
                    id: "\(account)-e\(entry.sequence)" + (events.isEmpty ? "" : ".\(events.count)"), kind: kind,
                    account: account, symbol: symbol, message: message, timestamp: entry.time, metadata: metadata))
        }
        func addEnd(_ how: String, _ order: Order<Paper>) {
            add(.orderCancelled, order.symbol, Self.end(how, order), Self.metadata(order))
        }
        switch entry.event {
        case .accountOpened(let capital): add(.system, nil, "Account opened with \(Self.list(capital))")
        case .accountReset(let capital):
            sizes = sizes.filter { $0.key.account != entry.account }
            add(.system, nil, "Account reset to \(Self.list(capital))")
        case .accountDeleted:
            sizes = sizes.filter { $0.key.account != entry.account }
            add(.system, nil, "Account deleted")
        case .deposited(let money): add(.system, nil, "\(money) paid in")
        case .leverageChanged(let symbol, let leverage):
            add(.system, symbol, "Leverage of \(symbol) changed to \(leverage)")
        case .orderAccepted(let order):
            add(.orderPlaced, order.symbol, "Order placed: \(Self.words(order))", Self.metadata(order))
        case .orderRejected(let order): addEnd("rejected", order)
        case .orderCancelled(let order): addEnd("cancelled", order)
        case .orderExpired(let order): addEnd("expired", order)
        case .orderFilled(let fill, let order):
            let verb = "\(order.status == .filled ? "" : "partially ")filled: \(fill.side == .buy ? "bought" : "sold")"
            var metadata = Self.metadata(order)
            metadata["fill_id"] = fill.id.description
            metadata["price"] = fill.price.description
            metadata["quantity"] = fill.quantity.description
            add(.orderFilled, fill.symbol, "Order \(verb) \(fill.quantity) \(fill.symbol) at \(fill.price)", metadata)
            let (before, after) = move(fill, entry.account)
            let isReversed = before.isPositive && after.isNegative || before.isNegative && after.isPositive
            if !before.isZero, after.isZero || isReversed {
                let profit = fill.realizedPnL
                add(
                    .positionClosed, fill.symbol,
                    "Position closed: \(Self.words(before)) \(fill.symbol) at \(fill.price), "
                        + "profit of this fill \(profit)",
                    ["realized_pnl": profit.amount.description, "currency": profit.currency])
            }
            if !after.isZero, before.isZero || isReversed {
                add(
                    .positionOpened, fill.symbol,
                    "Position opened: \(Self.words(after)) \(fill.symbol) at \(fill.price)",
                    ["price": fill.price.description])
            }
        case .liquidationWarned(let call):
            add(
                .risk, nil,
                "Liquidation is near: equity \(Self.equity(call)), positions are closed at "
                    + "\(Money(call.maintenanceMargin, call.currency).rounded(.ceiling))", Self.metadata(call))
        case .marginRestored(let call):
            let message = "Liquidation is no longer near: equity \(Self.equity(call))"
            add(.risk, nil, message, Self.metadata(call))
        case .liquidated(let call):
            add(
                .risk, nil,
                "Liquidated: all \(call.currency) positions were closed, equity \(Self.equity(call))",
                Self.metadata(call))
        case .orderAmended, .orderTriggered, .trailMoved: break
        }
        return events
    }

    /// What a fill makes of the account's position in the market; the same twice where that is beyond counting.
    private mutating func move(
        _ fill: Fill<Paper>, _ account: AccountID<Paper>
    ) -> (before: ExactDecimal, after: ExactDecimal) {
        let holding = Holding(account: account, symbol: fill.symbol)
        let before = sizes[holding] ?? .zero
        let signed = fill.side == .buy ? fill.quantity : -fill.quantity
        guard let after = try? before + signed else { return (before, before) }
        sizes[holding] = after.isZero ? nil : after
        return (before, after)
    }

    private static func words(_ size: ExactDecimal) -> String {
        "\(size.isPositive ? "long" : "short") \(size.magnitude)"
    }

    private static func words(_ order: Order<Paper>) -> String {
        var words = "\(order.side) \(order.quantity) \(order.symbol), \(order.type)"
        if let limit = order.limitPrice { words += " at \(limit)" }
        if let stop = order.stopPrice { words += ", stop \(stop)" }
        return words
    }

    private static func list(_ capital: [Money]) -> String {
        capital.isEmpty ? "nothing" : capital.map(\.description).joined(separator: ", ")
    }

    private static func metadata(_ order: Order<Paper>) -> [String: String] {
        ["order_id": order.id.description, "client_order_id": order.clientOrderID, "status": order.status.rawValue]
    }

    private static func equity(_ call: MarginCall) -> Money { Money(call.equity, call.currency).rounded(.floor) }

    private static func metadata(_ call: MarginCall) -> [String: String] {
        [
            "currency": call.currency, "equity": call.equity.description,
            "maintenance_margin": call.maintenanceMargin.description,
        ]
    }
}
