import StreamCore
import TradingCore

/// The answers of the trading routes, with the account that they are about.
enum TradingDocument {
    /// `"account":…,"mode":"paper","sequence":…` behind the opening brace.
    static func head(_ account: AccountID<Paper>, _ sequence: Int, into sink: inout some ByteSink) {
        sink.json("{\"account\":")
        sink.string(account.description)
        sink.field("mode", Paper.name)
        sink.field("sequence", sequence)
    }

    static func account(_ account: AccountSummary, into sink: inout some ByteSink) {
        sink.json("{\"id\":")
        sink.string(account.id.description)
        sink.field("name", account.id.name)
        sink.field("mode", Paper.name)
        sink.field("sequence", account.sequence)
        sink.field("created_at", account.createdAt)
        sink.list("portfolios", account.portfolios) { PositionDocument.write($0, into: &$1) }
        sink.json("}")
    }

    static func preview(_ preview: OrderPreview, into sink: inout some ByteSink) {
        sink.json("{\"currency\":")
        sink.string(preview.currency)
        sink.field("cost", preview.cost)
        sink.field("margin", preview.margin)
        sink.field("fee", preview.fee)
        sink.field("estimated_price", preview.estimatedPrice)
        sink.field("liquidation_price", preview.liquidationPrice)
        sink.field("available_after", preview.availableAfter)
        sink.list("problems", preview.problems) { problem, sink in
            sink.json("{\"message\":")
            sink.string(problem.message)
            sink.field("field", problem.field)
            sink.json("}")
        }
        sink.json("}")
    }
}

/// Writes orders and fills as REST, the stream and the ledger have them: what `Order` and `Fill` decode.
///
/// By hand, because each order is written up to three times on its way: `JSONEncoder` needs tens of microseconds for one.
enum OrderDocument {
    static func write(_ order: Order<Paper>, into sink: inout some ByteSink) {
        sink.json("{\"id\":")
        sink.string(order.id.description)
        sink.field("client_order_id", order.clientOrderID)
        sink.field("account", order.id.account.description)
        sink.field("mode", Paper.name)
        sink.field("symbol", order.symbol)
        sink.field("currency", order.currency)
        sink.field("side", order.side.rawValue)
        sink.field("type", order.type.rawValue)
        sink.field("time_in_force", order.timeInForce.rawValue)
        sink.field("status", order.status.rawValue)
        sink.field("quantity", order.quantity)
        sink.field("filled_quantity", order.filledQuantity)
        sink.field("average_fill_price", order.averageFillPrice)
        sink.field("limit_price", order.limitPrice)
        sink.field("stop_price", order.stopPrice)
        if let trail = order.trail { write(trail, into: &sink) }
        sink.field("leverage", order.leverage)
        sink.field("post_only", order.postOnly)
        sink.field("reduce_only", order.reduceOnly)
        sink.field("take_profit", order.takeProfit)
        sink.field("stop_loss", order.stopLoss)
        sink.field("parent", order.parent?.description)
        sink.field("oco_group", order.ocoGroup)
        sink.field("reason", order.reason)
        sink.field("created_at", order.createdAt)
        sink.field("updated_at", order.updatedAt)
        sink.field("version", order.version)
        sink.field("triggered", order.isTriggered)
        sink.field("reference_price", order.referencePrice)
        sink.field("filled_cost", order.filledCost)
        sink.json("}")
    }

    private static func write(_ trail: Trail, into sink: inout some ByteSink) {
        switch trail {
        case .amount(let amount):
            sink.json(",\"trail\":{\"amount\":")
            sink.decimal(amount)
        case .percent(let percent):
            sink.json(",\"trail\":{\"percent\":")
            sink.decimal(percent)
        }
        sink.json("}")
    }

    static func write(_ fill: Fill<Paper>, into sink: inout some ByteSink) {
        sink.json("{\"id\":")
        sink.string(fill.id.description)
        sink.field("order_id", fill.orderID.description)
        sink.field("symbol", fill.symbol)
        sink.field("side", fill.side.rawValue)
        sink.field("price", fill.price)
        sink.field("quantity", fill.quantity)
        sink.field("fee", fill.fee.amount)
        sink.field("fee_currency", fill.fee.currency)
        sink.field("liquidity", fill.liquidity.rawValue)
        sink.field("realized_pnl", fill.realizedPnL.amount)
        sink.field("timestamp", fill.time)
        let receipt = fill.receipt
        sink.json(",\"receipt\":{\"model\":")
        sink.string(receipt.model)
        sink.field("trade_price", receipt.tradePrice)
        sink.field("trade_volume", receipt.tradeVolume)
        sink.field("trade_time", receipt.tradeTime)
        sink.field("trade_used", receipt.tradeUsed)
        sink.field("slippage", receipt.slippage)
        sink.field("latency", receipt.latency)
        sink.field("rule", receipt.rule)
        sink.json("}}")
    }
}

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
