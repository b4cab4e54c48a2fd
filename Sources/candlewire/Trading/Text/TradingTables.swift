/// The server's documents as tables.
enum TradingTables {
    typealias Cell = TextTable.Cell

    static func orders(_ orders: [OrderDocument], on surface: Ink.Surface) -> String {
        var table = TextTable([
            ("ID", .left), ("CREATED (UTC)", .left), ("SYMBOL", .left), ("SIDE", .left), ("TYPE", .left),
            ("TIF", .left), ("QUANTITY", .decimal), ("FILLED", .decimal), ("LIMIT", .decimal), ("STOP", .decimal),
            ("AVERAGE", .decimal), ("LEVERAGE", .right), ("STATUS", .left), ("FLAGS", .left), ("REASON", .left),
        ])
        for order in orders {
            let flags = [order.postOnly == true ? "post-only" : nil, order.reduceOnly == true ? "reduce-only" : nil]
            table.add([
                Cell(order.id), Cell(TimeText.utc(order.createdAt)), Cell(order.symbol), side(order.side),
                Cell(order.type), Cell(order.timeInForce), Cell(order.quantity.text), Cell(order.filledQuantity.text),
                Cell(order.limitPrice?.text), Cell(order.stopPrice?.text ?? trail(order.trail)),
                Cell(order.averageFillPrice?.text), Cell(order.leverage.map { "\($0)x" }), Cell(order.status, .strong),
                Cell(flags.compactMap(\.self).joined(separator: " ")), Cell(order.reason),
            ])
        }
        return table.text(on: surface)
    }

    private static func trail(_ trail: OrderDocument.Trail?) -> String? {
        trail?.percent.map { "\($0.text)%" } ?? trail?.amount.map { "~\($0.text)" }
    }

    private static func side(_ side: String) -> Cell {
        Cell(side, ["buy", "long"].contains(side) ? .up : ["sell", "short"].contains(side) ? .down : .plain)
    }

    private static func profit(_ text: DecimalText, _ unit: String = "") -> Cell {
        Cell(text.text + unit, .ofProfit(text.text))
    }

    static func preview(_ preview: PreviewDocument, on surface: Ink.Surface) -> String {
        var table = TextTable([("FIGURE", .left), ("AMOUNT", .decimal), ("UNIT", .left)])
        let figures = [
            ("estimated price", preview.estimatedPrice), ("cost", preview.cost), ("margin", preview.margin),
            ("fee", preview.fee), ("liquidation price", preview.liquidationPrice),
            ("available after", preview.availableAfter),
        ]
        for (name, amount) in figures {
            guard let amount else { continue }
            table.add([Cell(name), Cell(amount.text, .strong), Cell(preview.currency)])
        }
        let problems = preview.problems.map {
            Ink.down.paint("Problem", on: surface)
                + TextTable.printable("\($0.field.map { " \($0)" } ?? ""): \($0.message)") + "\n"
        }
        return table.text(on: surface) + problems.joined()
    }

    static func positions(_ positions: [PositionDocument], on surface: Ink.Surface) -> String {
        var table = TextTable([
            ("SYMBOL", .left), ("SIDE", .left), ("SIZE", .decimal), ("ENTRY", .decimal), ("MARK", .decimal),
            ("PROFIT", .decimal), ("CURRENCY", .left), ("ON PRICE", .decimal), ("ON MARGIN", .decimal),
            ("LEVERAGE", .right), ("MARGIN", .decimal), ("LIQUIDATION", .decimal), ("TAKE PROFIT", .decimal),
            ("STOP LOSS", .decimal),
        ])
        for position in positions {
            table.add([
                Cell(position.symbol), side(position.side), Cell(position.size.text), Cell(position.entryPrice.text),
                Cell(position.markPrice.text), profit(position.unrealizedPnl), Cell(position.currency),
                profit(position.pricePercent, "%"), profit(position.unrealizedPnlPercent, "%"),
                Cell("\(position.leverage)x"), Cell(position.margin.text), Cell(position.liquidationPrice?.text),
                Cell(position.takeProfit?.text), Cell(position.stopLoss?.text),
            ])
        }
        return table.text(on: surface)
    }

    static func portfolios(_ portfolios: [PortfolioDocument.Portfolio], on surface: Ink.Surface) -> String {
        var table = TextTable([
            ("CURRENCY", .left), ("EQUITY", .decimal), ("AVAILABLE", .decimal), ("MARGIN", .decimal),
            ("FOR ORDERS", .decimal), ("UNREALIZED", .decimal), ("REALIZED", .decimal), ("FEES", .decimal),
            ("CAPITAL", .decimal),
        ])
        for portfolio in portfolios {
            table.add([
                Cell(portfolio.currency), Cell(portfolio.equity.text, .strong), Cell(portfolio.availableBalance.text),
                Cell(portfolio.usedMargin.text), Cell(portfolio.heldMargin?.text), profit(portfolio.unrealizedPnl),
                profit(portfolio.realizedPnl), Cell(portfolio.fees.text), Cell(portfolio.initialCapital.text),
            ])
        }
        return table.text(on: surface)
    }

    static func equity(_ points: [EquityDocument.Point], on surface: Ink.Surface) -> String {
        var table = TextTable([("TIME (UTC)", .left), ("EQUITY", .decimal)])
        for point in points { table.add([Cell(TimeText.utc(point.timestamp)), Cell(point.equity.text)]) }
        return table.text(on: surface)
    }

    static func fills(_ fills: [FillDocument], withReceipts: Bool, on surface: Ink.Surface) -> String {
        var table = TextTable([
            ("TIME (UTC)", .left), ("ORDER", .left), ("SYMBOL", .left), ("SIDE", .left), ("QUANTITY", .decimal),
            ("PRICE", .decimal), ("FEE", .decimal), ("", .left), ("AS", .left), ("PROFIT", .decimal),
            ("MODEL", .left), ("TRADE", .decimal), ("OF VOLUME", .decimal), ("USED", .decimal),
            ("SLIPPAGE", .decimal), ("RULE", .left),
        ])
        for fill in fills {
            let receipt = withReceipts ? fill.receipt : nil
            table.add([
                Cell(TimeText.utc(fill.timestamp)), Cell(fill.orderId), Cell(fill.symbol), side(fill.side),
                Cell(fill.quantity.text), Cell(fill.price.text), Cell(fill.fee.text), Cell(fill.feeCurrency),
                Cell(fill.liquidity), profit(fill.realizedPnl), Cell(receipt?.model), Cell(receipt?.tradePrice.text),
                Cell(receipt?.tradeVolume.text), Cell(receipt?.tradeUsed.text), Cell(receipt?.slippage.text),
                Cell(receipt?.rule),
            ])
        }
        return table.text(on: surface)
    }

    static func accounts(_ accounts: [AccountDocument], on surface: Ink.Surface) -> String {
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
                        Cell(portfolio.currency), Cell(portfolio.equity.text), Cell(portfolio.initialCapital.text),
                    ])
            }
            if account.portfolios.isEmpty { table.add(head + [Cell(nil), Cell(nil), Cell(nil)]) }
        }
        return table.text(on: surface)
    }

    static func events(_ events: [EventDocument], on surface: Ink.Surface) -> String {
        var table = TextTable([("TIME (UTC)", .left), ("TYPE", .left), ("SYMBOL", .left), ("MESSAGE", .left)])
        for event in events {
            let cells = [event.type, event.symbol, event.message].map { Cell($0) }
            table.add([Cell(TimeText.utc(event.timestamp))] + cells)
        }
        return table.text(on: surface)
    }

    /// One event as a line of its own, in columns wide enough for most.
    static func event(_ event: EventDocument, on surface: Ink.Surface) -> String {
        func padded(_ text: String, _ width: Int) -> String {
            let text = TextTable.printable(text)
            return text + String(repeating: " ", count: max(0, width - text.count))
        }
        return Ink.dim.paint(TimeText.utc(event.timestamp), on: surface) + "  \(padded(event.type, 15))  "
            + "\(padded(event.symbol ?? "", 8))  \(TextTable.printable(event.message))\n"
    }
}
