import StreamCore
import TradingCore

/// Writes positions and balances: what `Position` and `Portfolio` decode.
enum PositionDocument {
    static func write(_ position: Position<Paper>, into sink: inout some ByteSink) {
        sink.json("{\"id\":")
        sink.string(position.id.description)
        sink.field("account", position.id.account.description)
        sink.field("mode", Paper.name)
        sink.field("symbol", position.symbol)
        sink.field("side", position.side.rawValue)
        sink.field("size", position.size)
        sink.field("entry_price", position.entryPrice)
        sink.field("mark_price", position.markPrice)
        sink.field("unrealized_pnl", position.unrealizedPnL)
        sink.field("unrealized_pnl_percent", position.marginPercent)
        sink.field("price_percent", position.pricePercent)
        sink.field("leverage", position.leverage)
        sink.field("margin", position.margin)
        sink.field("liquidation_price", position.liquidationPrice)
        sink.field("realized_pnl", position.realizedPnL)
        sink.field("take_profit", position.takeProfit)
        sink.field("stop_loss", position.stopLoss)
        sink.field("currency", position.currency)
        sink.field("created_at", position.createdAt)
        sink.field("updated_at", position.updatedAt)
        sink.json("}")
    }

    static func write(_ portfolio: Portfolio, into sink: inout some ByteSink) {
        sink.json("{\"currency\":")
        sink.string(portfolio.currency)
        sink.field("equity", portfolio.equity)
        sink.field("available_balance", portfolio.availableBalance)
        sink.field("used_margin", portfolio.usedMargin)
        sink.field("held_margin", portfolio.heldMargin)
        sink.field("unrealized_pnl", portfolio.unrealizedPnL)
        sink.field("realized_pnl", portfolio.realizedPnL)
        sink.field("fees", portfolio.fees)
        sink.field("initial_capital", portfolio.initialCapital)
        sink.field("written_off", portfolio.writtenOff)
        sink.field("maintenance_margin", portfolio.maintenanceMargin)
        sink.field("last_updated", portfolio.lastUpdated)
        sink.json("}")
    }
}
