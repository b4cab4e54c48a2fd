import TradingCore

extension AccountSummary: JSONDocument {
    func write(into sink: inout [UInt8]) {
        sink.object { sink in
            sink.field("id", id.description)
            sink.field("name", id.name)
            sink.field("mode", Paper.name)
            sink.field("sequence", sequence)
            sink.field("created_at", createdAt)
            sink.list("portfolios", portfolios)
        }
    }
}

extension OrderPreview: JSONDocument {
    func write(into sink: inout [UInt8]) {
        sink.object { sink in
            sink.field("currency", currency)
            sink.field("cost", cost)
            sink.field("margin", margin)
            sink.field("fee", fee)
            sink.field("estimated_price", estimatedPrice)
            sink.field("liquidation_price", liquidationPrice)
            sink.field("available_after", availableAfter)
            sink.list("problems", problems) { problem, sink in
                sink.object { sink in
                    sink.field("message", problem.message)
                    sink.field("field", problem.field)
                }
            }
        }
    }
}

// As REST, the stream and the ledger have them: what `Order`, `Fill`, `Position` and `Portfolio` decode.

extension Order: JSONDocument {
    func write(into sink: inout [UInt8]) {
        sink.object { sink in
            sink.field("id", id.description)
            sink.field("client_order_id", clientOrderID)
            sink.field("account", id.account.description)
            sink.field("mode", Mode.name)
            sink.field("symbol", symbol)
            sink.field("currency", currency)
            sink.field("side", side.rawValue)
            sink.field("type", type.rawValue)
            sink.field("time_in_force", timeInForce.rawValue)
            sink.field("status", status.rawValue)
            sink.field("quantity", quantity)
            sink.field("filled_quantity", filledQuantity)
            sink.field("average_fill_price", averageFillPrice)
            sink.field("limit_price", limitPrice)
            sink.field("stop_price", stopPrice)
            switch trail {
            case .amount(let amount): sink.object("trail") { $0.field("amount", amount) }
            case .percent(let percent): sink.object("trail") { $0.field("percent", percent) }
            case nil: break
            }
            sink.field("leverage", leverage)
            sink.field("post_only", postOnly)
            sink.field("reduce_only", reduceOnly)
            sink.field("take_profit", takeProfit)
            sink.field("stop_loss", stopLoss)
            sink.field("parent", parent?.description)
            sink.field("oco_group", ocoGroup)
            sink.field("reason", reason)
            sink.field("created_at", createdAt)
            sink.field("updated_at", updatedAt)
            sink.field("version", version)
            sink.field("triggered", isTriggered)
            sink.field("reference_price", referencePrice)
            sink.field("filled_cost", filledCost)
        }
    }
}

extension Fill: JSONDocument {
    func write(into sink: inout [UInt8]) {
        sink.object { sink in
            sink.field("id", id.description)
            sink.field("order_id", orderID.description)
            sink.field("symbol", symbol)
            sink.field("side", side.rawValue)
            sink.field("price", price)
            sink.field("quantity", quantity)
            sink.field("fee", fee.amount)
            sink.field("fee_currency", fee.currency)
            sink.field("liquidity", liquidity.rawValue)
            sink.field("realized_pnl", realizedPnL.amount)
            sink.field("timestamp", time)
            sink.object("receipt") { sink in
                sink.field("model", receipt.model)
                sink.field("trade_price", receipt.tradePrice)
                sink.field("trade_volume", receipt.tradeVolume)
                sink.field("trade_time", receipt.tradeTime)
                sink.field("trade_used", receipt.tradeUsed)
                sink.field("slippage", receipt.slippage)
                sink.field("latency", receipt.latency)
                sink.field("rule", receipt.rule)
            }
        }
    }
}

extension Position: JSONDocument {
    func write(into sink: inout [UInt8]) {
        sink.object { sink in
            sink.field("id", id.description)
            sink.field("account", id.account.description)
            sink.field("mode", Mode.name)
            sink.field("symbol", symbol)
            sink.field("side", side.rawValue)
            sink.field("size", size)
            sink.field("entry_price", entryPrice)
            sink.field("mark_price", markPrice)
            sink.field("unrealized_pnl", unrealizedPnL)
            sink.field("unrealized_pnl_percent", marginPercent)
            sink.field("price_percent", pricePercent)
            sink.field("leverage", leverage)
            sink.field("margin", margin)
            sink.field("liquidation_price", liquidationPrice)
            sink.field("realized_pnl", realizedPnL)
            sink.field("take_profit", takeProfit)
            sink.field("stop_loss", stopLoss)
            sink.field("currency", currency)
            sink.field("created_at", createdAt)
            sink.field("updated_at", updatedAt)
        }
    }
}

extension Portfolio: JSONDocument {
    func write(into sink: inout [UInt8]) {
        sink.object { sink in
            sink.field("currency", currency)
            sink.field("equity", equity)
            sink.field("available_balance", availableBalance)
            sink.field("used_margin", usedMargin)
            sink.field("held_margin", heldMargin)
            sink.field("unrealized_pnl", unrealizedPnL)
            sink.field("realized_pnl", realizedPnL)
            sink.field("fees", fees)
            sink.field("initial_capital", initialCapital)
            sink.field("written_off", writtenOff)
            sink.field("maintenance_margin", maintenanceMargin)
            sink.field("last_updated", lastUpdated)
        }
    }
}
