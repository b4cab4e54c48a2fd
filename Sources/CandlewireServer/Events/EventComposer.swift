import TradingCore

/// Makes events of ledger entries: the same entries give the same events, so that the log is there again after a restart.
struct EventComposer {
    /// What an account holds in a market, long being positive.
    private struct Holding: Hashable {
        var account: AccountID<Paper>
        var symbol: String
    }

    private var sizes: [Holding: ExactDecimal] = [:]

    mutating func events(for entry: LedgerEntry<Paper>) -> [TradingEvent] {
        var events: [TradingEvent] = []
        func add(
            _ kind: TradingEvent.Kind, _ symbol: String?, _ message: String, _ metadata: [String: String] = [:]
        ) {
            let account = entry.account.description
            events.append(
                TradingEvent(
                    id: "\(account)-e\(entry.sequence)" + (events.isEmpty ? "" : ".\(events.count)"), kind: kind,
                    account: account, symbol: symbol, message: message, timestamp: entry.time, metadata: metadata))
        }
        switch entry.event {
        case .accountOpened(let capital):
            add(.system, nil, "Account opened with \(Self.list(capital))")
        case .accountReset(let capital):
            sizes = sizes.filter { $0.key.account != entry.account }
            add(.system, nil, "Account reset to \(Self.list(capital))")
        case .deposited(let money):
            add(.system, nil, "\(money) paid in")
        case .leverageChanged(let symbol, let leverage):
            add(.system, symbol, "Leverage of \(symbol) is \(leverage) now")
        case .orderAccepted(let order):
            add(.orderPlaced, order.symbol, "Order placed: \(Self.words(order))", Self.metadata(order))
        case .orderRejected(let order):
            add(.orderCancelled, order.symbol, Self.ended("rejected", order), Self.metadata(order))
        case .orderCancelled(let order):
            add(.orderCancelled, order.symbol, Self.ended("cancelled", order), Self.metadata(order))
        case .orderExpired(let order):
            add(.orderCancelled, order.symbol, Self.ended("expired", order), Self.metadata(order))
        case .orderFilled(let fill, let order):
            let isWhole = order.status == .filled
            let verb = fill.side == .buy ? "bought" : "sold"
            var metadata = Self.metadata(order)
            metadata["fill_id"] = fill.id.description
            metadata["price"] = fill.price.description
            metadata["quantity"] = fill.quantity.description
            add(
                .orderFilled, fill.symbol,
                "Order \(isWhole ? "filled" : "partially filled"): \(verb) \(fill.quantity) \(fill.symbol) at \(fill.price)",
                metadata)
            for change in changes(fill, entry.account) {
                add(change.kind, fill.symbol, change.message, change.metadata)
            }
        case .liquidationWarned(let call):
            add(
                .risk, nil,
                "Liquidation is near: equity \(call.equity) \(call.currency), positions are closed at "
                    + "\(call.maintenanceMargin) \(call.currency)", Self.metadata(call))
        case .marginRestored(let call):
            add(
                .risk, nil, "Liquidation is no longer near: equity \(call.equity) \(call.currency)", Self.metadata(call)
            )
        case .liquidated(let call):
            add(
                .risk, nil,
                "Liquidated: all \(call.currency) positions were closed, equity \(call.equity) \(call.currency)",
                Self.metadata(call))
        case .orderAmended, .orderTriggered, .trailMoved: break
        }
        return events
    }

    private struct Change {
        var kind: TradingEvent.Kind
        var message: String
        var metadata: [String: String]
    }

    /// What a fill does to the account's position in the market.
    private mutating func changes(_ fill: Fill<Paper>, _ account: AccountID<Paper>) -> [Change] {
        let holding = Holding(account: account, symbol: fill.symbol)
        let before = sizes[holding] ?? .zero
        let signed = fill.side == .buy ? fill.quantity : -fill.quantity
        guard let after = try? before + signed else { return [] }
        sizes[holding] = after.isZero ? nil : after
        var changes: [Change] = []
        let isTurned = before.isPositive && after.isNegative || before.isNegative && after.isPositive
        if !before.isZero, after.isZero || isTurned {
            let profit = fill.realizedPnL
            changes.append(
                Change(
                    kind: .positionClosed,
                    message:
                        "Position closed: \(before.isPositive ? "long" : "short") \(before.magnitude) \(fill.symbol) at "
                        + "\(fill.price), profit of this fill \(profit)",
                    metadata: ["realized_pnl": profit.amount.description, "currency": profit.currency]))
        }
        if !after.isZero, before.isZero || isTurned {
            changes.append(
                Change(
                    kind: .positionOpened,
                    message:
                        "Position opened: \(after.isPositive ? "long" : "short") \(after.magnitude) \(fill.symbol) at "
                        + "\(fill.price)",
                    metadata: ["price": fill.price.description]))
        }
        return changes
    }

    private static func words(_ order: Order<Paper>) -> String {
        var words = "\(order.side) \(order.quantity) \(order.symbol), \(order.type)"
        if let limit = order.limitPrice { words += " at \(limit)" }
        if let stop = order.stopPrice { words += ", stop \(stop)" }
        return words
    }

    private static func ended(_ how: String, _ order: Order<Paper>) -> String {
        "Order \(how): \(words(order))" + (order.reason.map { " (\($0))" } ?? "")
    }

    private static func list(_ capital: [Money]) -> String {
        capital.isEmpty ? "nothing" : capital.map(\.description).joined(separator: ", ")
    }

    private static func metadata(_ order: Order<Paper>) -> [String: String] {
        ["order_id": order.id.description, "client_order_id": order.clientOrderID, "status": order.status.rawValue]
    }

    private static func metadata(_ call: MarginCall) -> [String: String] {
        [
            "currency": call.currency, "equity": call.equity.description,
            "maintenance_margin": call.maintenanceMargin.description,
        ]
    }
}
