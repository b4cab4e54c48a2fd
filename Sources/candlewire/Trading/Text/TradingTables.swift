import MarketServices
import TradingCore

/// Orders, positions, money and events as tables.
enum TradingTables {
    static func orders<Mode>(_ orders: [Order<Mode>]) -> String {
        TextTable.text(orders) { order in
            let flags = [order.postOnly ? "post-only" : nil, order.reduceOnly ? "reduce-only" : nil]
            return [
                .left("ID", order.id), .left("CREATED (UTC)", TimeText.utc(order.createdAt)),
                .left("SYMBOL", order.symbol), side(order.side.rawValue), .left("TYPE", order.type),
                .left("TIF", order.timeInForce), .decimal("QUANTITY", order.quantity),
                .decimal("FILLED", order.filledQuantity), .decimal("LIMIT", order.limitPrice),
                .decimal("STOP", order.stopPrice?.description ?? trail(order.trail)),
                .decimal("AVERAGE", order.averageFillPrice), .right("LEVERAGE", "\(order.leverage)x"),
                .left("STATUS", order.status, .strong),
                .left("FLAGS", flags.compactMap(\.self).joined(separator: " ")), .left("REASON", order.reason),
            ]
        }
    }

    private static func trail(_ trail: Trail?) -> String? {
        switch trail {
        case .percent(let percent): "\(percent)%"
        case .amount(let amount): "~\(amount)"
        case nil: nil
        }
    }

    private static func side(_ side: String) -> TextTable.Cell {
        .left("SIDE", side, ["buy", "long"].contains(side) ? .up : ["sell", "short"].contains(side) ? .down : .plain)
    }

    /// As the currency has it; `--json` has all digits.
    private static func money(_ amount: ExactDecimal, _ currency: String) -> ExactDecimal {
        Money(amount, currency).rounded(.halfEven).amount
    }

    private static func rounded(_ value: ExactDecimal, _ decimals: Int) -> ExactDecimal {
        (try? value.rounded(decimals: decimals)) ?? value
    }

    private static func profit(_ title: String, _ value: ExactDecimal, _ unit: String = "") -> TextTable.Cell {
        .decimal(title, "\(value)\(unit)", value.isNegative ? .down : value.isZero ? .plain : .up)
    }

    static func preview(_ preview: OrderPreview, on surface: Ink.Surface) -> String {
        func money(_ amount: ExactDecimal) -> String { TradingTables.money(amount, preview.currency).grouped }
        func price(_ price: ExactDecimal) -> String { rounded(price, 8).grouped }
        let all: [(name: String, amount: String?)] = [
            ("estimated price", preview.estimatedPrice.map(price)), ("cost", preview.cost.map(money)),
            ("margin", preview.margin.map(money)), ("fee", preview.fee.map(money)),
            ("liquidation price", preview.liquidationPrice.map(price)),
            ("available after", preview.availableAfter.map(money)),
        ]
        let figures = all.filter { $0.amount != nil }
        let table = TextTable.text(figures, on: surface) { name, amount in
            [.left("FIGURE", name), .decimal("AMOUNT", amount, .strong), .left("UNIT", preview.currency)]
        }
        let problems = preview.problems.map { problem in
            let sentence = CommandFailure(65, problem.message, field: problem.field).sentence()
            return Ink.down.paint("Problem", on: surface)
                + TextTable.printable((problem.field == nil ? ": " : " ") + sentence) + "\n"
        }
        return (figures.isEmpty ? "" : table) + problems.joined()
    }

    static func positions<Mode>(_ positions: [Position<Mode>]) -> String {
        TextTable.text(positions) { position in
            func money(_ amount: ExactDecimal) -> ExactDecimal { TradingTables.money(amount, position.currency) }
            return [
                .left("SYMBOL", position.symbol), side(position.side.rawValue), .decimal("SIZE", position.size),
                .decimal("ENTRY", rounded(position.entryPrice, 8)), .decimal("MARK", position.markPrice),
                profit("PROFIT", money(position.unrealizedPnL)), .left("CURRENCY", position.currency),
                profit("ON PRICE", rounded(position.pricePercent, 4), "%"),
                profit("ON MARGIN", rounded(position.marginPercent, 4), "%"),
                .right("LEVERAGE", "\(position.leverage)x"), .decimal("MARGIN", money(position.margin)),
                .decimal("LIQUIDATION", position.liquidationPrice.map { rounded($0, 8) }),
                .decimal("TAKE PROFIT", position.takeProfit),
                .decimal("STOP LOSS", position.stopLoss),
            ]
        }
    }

    static func portfolios(_ portfolios: [Portfolio]) -> String {
        TextTable.text(portfolios) { portfolio in
            func money(_ amount: ExactDecimal) -> ExactDecimal { TradingTables.money(amount, portfolio.currency) }
            return [
                .left("CURRENCY", portfolio.currency), .decimal("EQUITY", money(portfolio.equity), .strong),
                .decimal("AVAILABLE", money(portfolio.availableBalance)),
                .decimal("MARGIN", money(portfolio.usedMargin)), .decimal("FOR ORDERS", money(portfolio.heldMargin)),
                profit("UNREALIZED", money(portfolio.unrealizedPnL)),
                profit("REALIZED", money(portfolio.realizedPnL)), .decimal("FEES", money(portfolio.fees)),
                .decimal("CAPITAL", money(portfolio.initialCapital)),
            ]
        }
    }

    static func equity(_ points: [EquityPoint]) -> String {
        TextTable.text(points) { [.left("TIME (UTC)", TimeText.utc($0.timestamp)), .decimal("EQUITY", $0.equity)] }
    }

    static func fills<Mode>(_ fills: [Fill<Mode>], withReceipts: Bool) -> String {
        TextTable.text(fills) { fill in
            let receipt = withReceipts ? fill.receipt : nil
            return [
                .left("TIME (UTC)", TimeText.utc(fill.time)), .left("ORDER", fill.orderID),
                .left("SYMBOL", fill.symbol), side(fill.side.rawValue), .decimal("QUANTITY", fill.quantity),
                .decimal("PRICE", fill.price), .decimal("FEE", fill.fee.amount), .left("", fill.fee.currency),
                .left("AS", fill.liquidity), profit("PROFIT", fill.realizedPnL.amount),
                .left("MODEL", receipt?.model), .decimal("TRADE", receipt?.tradePrice),
                .decimal("OF VOLUME", receipt?.tradeVolume), .decimal("USED", receipt?.tradeUsed),
                .decimal("SLIPPAGE", receipt?.slippage), .left("RULE", receipt?.rule),
            ]
        }
    }

    static func accounts(_ accounts: [AccountInfo]) -> String {
        let rows = accounts.flatMap { account -> [(AccountInfo, Portfolio?)] in
            account.portfolios.isEmpty ? [(account, nil)] : account.portfolios.map { (account, $0) }
        }
        return TextTable.text(rows) { account, portfolio in
            [
                .left("ACCOUNT", account.id, .strong), .left("MODE", AccountHead(account: account.id).mode, .mode),
                .left("CREATED (UTC)", account.createdAt.map(TimeText.utc)), .left("CURRENCY", portfolio?.currency),
                .decimal("EQUITY", portfolio.map { money($0.equity, $0.currency) }),
                .decimal("CAPITAL", portfolio.map { money($0.initialCapital, $0.currency) }),
            ]
        }
    }

    static func events(_ events: [ServiceEvent]) -> String {
        TextTable.text(events) {
            [
                .left("TIME (UTC)", TimeText.utc($0.timestamp)), .left("TYPE", $0.type.rawValue),
                .left("SYMBOL", $0.symbol), .left("MESSAGE", $0.message),
            ]
        }
    }

    /// One event as a line of its own, in columns wide enough for most.
    static func event(_ event: ServiceEvent) -> String {
        func padded(_ text: String, _ width: Int) -> String {
            let text = TextTable.printable(text)
            return text + TextTable.spaces(width - text.count)
        }
        return Ink.dim.paint(TimeText.utc(event.timestamp)) + "  \(padded(event.type.rawValue, 15))  "
            + "\(padded(event.symbol ?? "", 8))  \(TextTable.printable(event.message))\n"
    }
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

    func text(_ title: String, on surface: Ink.Surface = .standardOutput) -> String {
        let label = surface.hasColours ? Ink.mode.paint(" \(mode) ", on: surface) : mode
        return "\(label)  \(Ink.strong.paint(account, on: surface))  \(TextTable.printable(title))\n"
    }
}
