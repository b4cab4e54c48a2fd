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
            symbol: order.symbol, message: EntryEvent.end("rejected", order), timestamp: order.createdAt,
            metadata: EntryEvent.metadata(order))
    }

    mutating func events(for entry: LedgerEntry<Paper>) -> [TradingEvent] {
        var event = EntryEvent(entry: entry)
        var events: [TradingEvent] = []
        func add(_ kind: TradingEvent.Kind, _ symbol: String? = nil) {
            event.index = events.count
            events.append(TradingEvent(event, kind, symbol))
        }
        switch entry.event {
        case .accountReset, .accountDeleted:
            sizes = sizes.filter { $0.key.account != entry.account }
            add(.system)
        case .accountOpened, .deposited: add(.system)
        case .leverageChanged(let symbol, _): add(.system, symbol)
        case .orderAccepted(let order): add(.orderPlaced, order.symbol)
        case .orderRejected(let order), .orderCancelled(let order), .orderExpired(let order):
            add(.orderCancelled, order.symbol)
        case .orderFilled(let fill, _):
            (event.before, event.after) = move(fill, entry.account)
            add(.orderFilled, fill.symbol)
            if event.closes { add(.positionClosed, fill.symbol) }
            if event.opens { add(.positionOpened, fill.symbol) }
        case .liquidationWarned, .marginRestored, .liquidated: add(.risk)
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
}

/// One of the events that a ledger's entry makes.
struct EntryEvent: Sendable {
    var entry: LedgerEntry<Paper>
    /// Which one of the entry's.
    var index = 0
    /// What the account held in the market before a fill and after it; the same twice where that is beyond counting.
    var before = ExactDecimal.zero
    var after = ExactDecimal.zero

    private var isReversed: Bool { before.isPositive && after.isNegative || before.isNegative && after.isPositive }
    var closes: Bool { !before.isZero && (after.isZero || isReversed) }
    var opens: Bool { !after.isZero && (before.isZero || isReversed) }

    var id: String { "\(entry.account)-e\(entry.sequence)" + (index == 0 ? "" : ".\(index)") }

    func text(_ kind: TradingEvent.Kind) -> (message: String, metadata: [String: String]) {
        switch entry.event {
        case .accountOpened(let capital): ("Account opened with \(Self.list(capital))", [:])
        case .accountReset(let capital): ("Account reset to \(Self.list(capital))", [:])
        case .accountDeleted: ("Account deleted", [:])
        case .deposited(let money): ("\(money) paid in", [:])
        case .leverageChanged(let symbol, let leverage): ("Leverage of \(symbol) changed to \(leverage)", [:])
        case .orderAccepted(let order): ("Order placed: \(Self.words(order))", Self.metadata(order))
        case .orderRejected(let order): (Self.end("rejected", order), Self.metadata(order))
        case .orderCancelled(let order): (Self.end("cancelled", order), Self.metadata(order))
        case .orderExpired(let order): (Self.end("expired", order), Self.metadata(order))
        case .orderFilled(let fill, let order): text(of: fill, order, kind)
        case .liquidationWarned(let call):
            (
                "Liquidation is near: equity \(Self.equity(call)), positions are closed at "
                    + "\(Money(call.maintenanceMargin, call.currency).rounded(.ceiling))", Self.metadata(call)
            )
        case .marginRestored(let call):
            ("Liquidation is no longer near: equity \(Self.equity(call))", Self.metadata(call))
        case .liquidated(let call):
            (
                "Liquidated: all \(call.currency) positions were closed, equity \(Self.equity(call))",
                Self.metadata(call)
            )
        case .orderAmended, .orderTriggered, .trailMoved: ("", [:])
        }
    }

    private func text(
        of fill: Fill<Paper>, _ order: Order<Paper>, _ kind: TradingEvent.Kind
    ) -> (message: String, metadata: [String: String]) {
        switch kind {
        case .positionClosed:
            let profit = fill.realizedPnL
            return (
                "Position closed: \(Self.words(before)) \(fill.symbol) at \(fill.price), "
                    + "profit of this fill \(profit)",
                ["realized_pnl": profit.amount.description, "currency": profit.currency]
            )
        case .positionOpened:
            return (
                "Position opened: \(Self.words(after)) \(fill.symbol) at \(fill.price)",
                ["price": fill.price.description]
            )
        default:
            let verb = "\(order.status == .filled ? "" : "partially ")filled: \(fill.side == .buy ? "bought" : "sold")"
            var metadata = Self.metadata(order)
            metadata["fill_id"] = fill.id.description
            metadata["price"] = fill.price.description
            metadata["quantity"] = fill.quantity.description
            return ("Order \(verb) \(fill.quantity) \(fill.symbol) at \(fill.price)", metadata)
        }
    }

    static func end(_ how: String, _ order: Order<Paper>) -> String {
        "Order \(how): \(words(order))\(order.reason.map { " (\($0))" } ?? "")"
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

    static func metadata(_ order: Order<Paper>) -> [String: String] {
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
