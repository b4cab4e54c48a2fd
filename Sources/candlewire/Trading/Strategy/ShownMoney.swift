import TradingCore

/// The exchange's own values as tables show them: by the way of the documents that a server would send.
extension DecimalText {
    init(_ decimal: ExactDecimal) { self.init(text: decimal.description) }
}

extension PortfolioDocument.Portfolio {
    init(_ portfolio: Portfolio) {
        self.init(
            currency: portfolio.currency, equity: .init(portfolio.equity),
            availableBalance: .init(portfolio.availableBalance), usedMargin: .init(portfolio.usedMargin),
            heldMargin: .init(portfolio.heldMargin), unrealizedPnl: .init(portfolio.unrealizedPnL),
            realizedPnl: .init(portfolio.realizedPnL), fees: .init(portfolio.fees),
            initialCapital: .init(portfolio.initialCapital))
    }
}

extension PositionDocument {
    init(_ position: Position<Paper>) {
        self.init(
            symbol: position.symbol, side: position.side.rawValue, size: .init(position.size),
            entryPrice: .init(position.entryPrice), markPrice: .init(position.markPrice),
            unrealizedPnl: .init(position.unrealizedPnL), unrealizedPnlPercent: .init(position.marginPercent),
            pricePercent: .init(position.pricePercent), leverage: position.leverage, margin: .init(position.margin),
            liquidationPrice: position.liquidationPrice.map { .init($0) },
            takeProfit: position.takeProfit.map { .init($0) }, stopLoss: position.stopLoss.map { .init($0) },
            currency: position.currency)
    }
}
