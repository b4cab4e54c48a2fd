import TradingCore

extension AccountSummary: JSONObjectDocument {
    func writeMembers(into sink: inout [UInt8]) {
        sink.fields("id", id.description, "name", id.name, "mode", Paper.name, "sequence", sequence)
        sink.fields("created_at", createdAt, "fill_model", fillModel, "fill_rule", fillRule, "demo", isDemo)
        sink.list("portfolios", portfolios)
    }
}

extension OrderPreview: JSONObjectDocument {
    func writeMembers(into sink: inout [UInt8]) {
        sink.fields("currency", currency, "cost", cost, "margin", margin, "fee", fee)
        sink.fields("estimated_price", estimatedPrice, "liquidation_price", liquidationPrice)
        sink.field("available_after", availableAfter)
        sink.list("problems", problems) { problem, sink in
            sink.object { sink in
                sink.fields("message", problem.message, "field", problem.field)
            }
        }
    }
}

// As REST, the stream and the ledger have them: what `Order`, `Fill`, `Position` and `Portfolio` decode.

extension Order: JSONObjectDocument {
    func writeMembers(into sink: inout [UInt8]) {
        sink.fields("id", id.description, "client_order_id", clientOrderID, "account", id.account.description)
        sink.fields("mode", Mode.name, "symbol", symbol, "currency", currency, "side", side.rawValue)
        sink.fields("type", type.rawValue, "time_in_force", timeInForce.rawValue, "status", status.rawValue)
        sink.fields("quantity", quantity, "filled_quantity", filledQuantity, "average_fill_price", averageFillPrice)
        sink.fields("limit_price", limitPrice, "stop_price", stopPrice)
        switch trail {
        case .amount(let amount): sink.object("trail") { $0.field("amount", amount) }
        case .percent(let percent): sink.object("trail") { $0.field("percent", percent) }
        case nil: break
        }
        sink.fields("leverage", leverage, "post_only", postOnly, "reduce_only", reduceOnly, "take_profit", takeProfit)
        sink.fields("stop_loss", stopLoss, "parent", parent?.description, "oco_group", ocoGroup, "reason", reason)
        sink.fields("created_at", createdAt, "updated_at", updatedAt, "version", version, "triggered", isTriggered)
        sink.fields("reference_price", referencePrice, "filled_cost", filledCost)
    }
}

extension Fill: JSONObjectDocument {
    func writeMembers(into sink: inout [UInt8]) {
        sink.fields("id", id.description, "order_id", orderID.description, "symbol", symbol, "side", side.rawValue)
        sink.fields("price", price, "quantity", quantity, "fee", fee.amount, "fee_currency", fee.currency)
        sink.fields("liquidity", liquidity.rawValue, "realized_pnl", realizedPnL.amount, "timestamp", time)
        sink.object("receipt") { sink in
            sink.fields("model", receipt.model, "trade_price", receipt.tradePrice, "trade_volume", receipt.tradeVolume)
            sink.fields("trade_time", receipt.tradeTime, "trade_used", receipt.tradeUsed, "slippage", receipt.slippage)
            sink.fields("latency", receipt.latency, "rule", receipt.rule)
        }
    }
}

extension Position: JSONObjectDocument {
    func writeMembers(into sink: inout [UInt8]) {
        sink.fields("id", id.description, "account", id.account.description, "mode", Mode.name, "symbol", symbol)
        sink.fields("side", side.rawValue, "size", size, "entry_price", entryPrice, "mark_price", markPrice)
        sink.fields("unrealized_pnl", unrealizedPnL, "unrealized_pnl_percent", marginPercent)
        sink.fields("price_percent", pricePercent, "leverage", leverage, "margin", margin)
        sink.fields("liquidation_price", liquidationPrice, "realized_pnl", realizedPnL, "take_profit", takeProfit)
        sink.fields("stop_loss", stopLoss, "currency", currency, "created_at", createdAt, "updated_at", updatedAt)
    }
}

extension Portfolio: JSONObjectDocument {
    func writeMembers(into sink: inout [UInt8]) {
        sink.fields("currency", currency, "equity", equity, "available_balance", availableBalance)
        sink.fields("used_margin", usedMargin, "held_margin", heldMargin, "unrealized_pnl", unrealizedPnL)
        sink.fields("realized_pnl", realizedPnL, "fees", fees, "initial_capital", initialCapital)
        sink.fields("written_off", writtenOff, "maintenance_margin", maintenanceMargin, "last_updated", lastUpdated)
    }
}
