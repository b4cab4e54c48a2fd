import MarketServices
import TradingCore

/// Orders, positions, money and events as tables.
enum TradingTables {
    typealias Cell = TextTable.Cell

    static func orders<Mode>(_ orders: [Order<Mode>], on surface: Ink.Surface) -> String {
        var table = TextTable([
            ("ID", .left), ("CREATED (UTC)", .left), ("SYMBOL", .left), ("SIDE", .left), ("TYPE", .left),
            ("TIF", .left), ("QUANTITY", .decimal), ("FILLED", .decimal), ("LIMIT", .decimal), ("STOP", .decimal),
            ("AVERAGE", .decimal), ("LEVERAGE", .right), ("STATUS", .left), ("FLAGS", .left), ("REASON", .left),
        ])
        for order in orders {
            let flags = [order.postOnly ? "post-only" : nil, order.reduceOnly ? "reduce-only" : nil]
            table.add([
                Cell(order.id), Cell(TimeText.utc(order.createdAt)), Cell(order.symbol), side(order.side.rawValue),
                Cell(order.type), Cell(order.timeInForce), Cell(order.quantity), Cell(order.filledQuantity),
                Cell(order.limitPrice), order.stopPrice.map { Cell($0) } ?? Cell(trail(order.trail)),
                Cell(order.averageFillPrice), Cell("\(order.leverage)x"), Cell(order.status, .strong),
                Cell(flags.compactMap(\.self).joined(separator: " ")), Cell(order.reason),
            ])
        }
        return table.text(on: surface)
    }

    private static func trail(_ trail: Trail?) -> String? {
        switch trail {
        case .percent(let percent): "\(percent)%"
        case .amount(let amount): "~\(amount)"
        case nil: nil
        }
    }

    private static func side(_ side: String) -> Cell {
        Cell(side, ["buy", "long"].contains(side) ? .up : ["sell", "short"].contains(side) ? .down : .plain)
    }

    private static func profit(_ value: ExactDecimal, _ unit: String = "") -> Cell {
        Cell("\(value)\(unit)", value.isNegative ? .down : value.isZero ? .plain : .up)
    }

    static func preview(_ preview: OrderPreview, on surface: Ink.Surface) -> String {
        var table = TextTable([("FIGURE", .left), ("AMOUNT", .decimal), ("UNIT", .left)])
        let figures: [(String, ExactDecimal?)] = [
            ("estimated price", preview.estimatedPrice), ("cost", preview.cost), ("margin", preview.margin),
            ("fee", preview.fee), ("liquidation price", preview.liquidationPrice),
            ("available after", preview.availableAfter),
        ]
        for (name, amount) in figures {
            guard let amount else { continue }
            table.add([Cell(name), Cell(amount, .strong), Cell(preview.currency)])
        }
        let problems = preview.problems.map {
            Ink.down.paint("Problem", on: surface)
                + TextTable.printable("\($0.field.map { " \($0)" } ?? ""): \($0.message)") + "\n"
        }
        return table.text(on: surface) + problems.joined()
    }

    static func positions<Mode>(_ positions: [Position<Mode>], on surface: Ink.Surface) -> String {
        var table = TextTable([
            ("SYMBOL", .left), ("SIDE", .left), ("SIZE", .decimal), ("ENTRY", .decimal), ("MARK", .decimal),
            ("PROFIT", .decimal), ("CURRENCY", .left), ("ON PRICE", .decimal), ("ON MARGIN", .decimal),
            ("LEVERAGE", .right), ("MARGIN", .decimal), ("LIQUIDATION", .decimal), ("TAKE PROFIT", .decimal),
            ("STOP LOSS", .decimal),
        ])
        for position in positions {
            table.add([
                Cell(position.symbol), side(position.side.rawValue), Cell(position.size), Cell(position.entryPrice),
                Cell(position.markPrice), profit(position.unrealizedPnL), Cell(position.currency),
                profit(position.pricePercent, "%"), profit(position.marginPercent, "%"),
                Cell("\(position.leverage)x"), Cell(position.margin), Cell(position.liquidationPrice),
                Cell(position.takeProfit), Cell(position.stopLoss),
            ])
        }
        return table.text(on: surface)
    }

    static func portfolios(_ portfolios: [Portfolio], on surface: Ink.Surface) -> String {
        var table = TextTable([
            ("CURRENCY", .left), ("EQUITY", .decimal), ("AVAILABLE", .decimal), ("MARGIN", .decimal),
            ("FOR ORDERS", .decimal), ("UNREALIZED", .decimal), ("REALIZED", .decimal), ("FEES", .decimal),
            ("CAPITAL", .decimal),
        ])
        for portfolio in portfolios {
            table.add([
                Cell(portfolio.currency), Cell(portfolio.equity, .strong), Cell(portfolio.availableBalance),
                Cell(portfolio.usedMargin), Cell(portfolio.heldMargin), profit(portfolio.unrealizedPnL),
                profit(portfolio.realizedPnL), Cell(portfolio.fees), Cell(portfolio.initialCapital),
            ])
        }
        return table.text(on: surface)
    }

    static func equity(_ points: [EquityPoint], on surface: Ink.Surface) -> String {
        var table = TextTable([("TIME (UTC)", .left), ("EQUITY", .decimal)])
        for point in points { table.add([Cell(TimeText.utc(point.timestamp)), Cell(point.equity)]) }
        return table.text(on: surface)
    }

    static func fills<Mode>(_ fills: [Fill<Mode>], withReceipts: Bool, on surface: Ink.Surface) -> String {
        var table = TextTable([
            ("TIME (UTC)", .left), ("ORDER", .left), ("SYMBOL", .left), ("SIDE", .left), ("QUANTITY", .decimal),
            ("PRICE", .decimal), ("FEE", .decimal), ("", .left), ("AS", .left), ("PROFIT", .decimal),
            ("MODEL", .left), ("TRADE", .decimal), ("OF VOLUME", .decimal), ("USED", .decimal),
            ("SLIPPAGE", .decimal), ("RULE", .left),
        ])
        for fill in fills {
            let receipt = withReceipts ? fill.receipt : nil
            table.add([
                Cell(TimeText.utc(fill.time)), Cell(fill.orderID), Cell(fill.symbol), side(fill.side.rawValue),
                Cell(fill.quantity), Cell(fill.price), Cell(fill.fee.amount), Cell(fill.fee.currency),
                Cell(fill.liquidity), profit(fill.realizedPnL.amount), Cell(receipt?.model), Cell(receipt?.tradePrice),
                Cell(receipt?.tradeVolume), Cell(receipt?.tradeUsed), Cell(receipt?.slippage), Cell(receipt?.rule),
            ])
        }
        return table.text(on: surface)
    }

    static func accounts(_ accounts: [AccountInfo], on surface: Ink.Surface) -> String {
        var table = TextTable([
            ("ACCOUNT", .left), ("MODE", .left), ("CREATED (UTC)", .left), ("CURRENCY", .left), ("EQUITY", .decimal),
            ("CAPITAL", .decimal),
        ])
        for account in accounts {
            let head = [
                Cell(account.id, .strong), Cell(AccountHead(account: account.id).mode, .mode),
                Cell(account.createdAt.map(TimeText.utc)),
            ]
            for portfolio in account.portfolios {
                table.add(
                    head + [
                        Cell(portfolio.currency), Cell(portfolio.equity), Cell(portfolio.initialCapital),
                    ])
            }
            if account.portfolios.isEmpty { table.add(head + [Cell(nil), Cell(nil), Cell(nil)]) }
        }
        return table.text(on: surface)
    }

    static func events(_ events: [ServiceEvent], on surface: Ink.Surface) -> String {
        var table = TextTable([("TIME (UTC)", .left), ("TYPE", .left), ("SYMBOL", .left), ("MESSAGE", .left)])
        for event in events {
            let cells = [event.type.rawValue, event.symbol, event.message].map { Cell($0) }
            table.add([Cell(TimeText.utc(event.timestamp))] + cells)
        }
        return table.text(on: surface)
    }

    /// One event as a line of its own, in columns wide enough for most.
    static func event(_ event: ServiceEvent, on surface: Ink.Surface) -> String {
        func padded(_ text: String, _ width: Int) -> String {
            let text = TextTable.printable(text)
            return text + String(repeating: " ", count: max(0, width - text.count))
        }
        return Ink.dim.paint(TimeText.utc(event.timestamp), on: surface) + "  \(padded(event.type.rawValue, 15))  "
            + "\(padded(event.symbol ?? "", 8))  \(TextTable.printable(event.message))\n"
    }
}

extension TextTable.Cell {
    init(_ value: (some CustomStringConvertible)?, _ ink: Ink = .plain) { self.init(value?.description, ink) }
}

/// The line above every table: in which mode the account is, since that is what one must not mistake.
struct AccountHead {
    /// `PAPER`, `LIVE`: the first part of every id.
    let mode: String
    let account: String

    init(account: String) {
        self.account = TextTable.printable(account)
        mode = self.account.prefix { $0 != "-" }.uppercased()
    }

    var isPaper: Bool { mode == "PAPER" }

    func text(_ title: String, on surface: Ink.Surface) -> String {
        let label = surface.hasColours ? Ink.mode.paint(" \(mode) ", on: surface) : mode
        return "\(label)  \(Ink.strong.paint(account, on: surface))  \(TextTable.printable(title))\n"
    }
}
