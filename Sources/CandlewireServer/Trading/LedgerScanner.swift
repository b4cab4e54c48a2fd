import StreamCore
import TradingCore

/// Reads the entries of orders, nearly all of a ledger, in a tenth of the time that `JSONDecoder` takes. Whatever is not as
/// ``LedgerCodec`` writes it is left to that.
struct LedgerScanner {
    private var scanner: JSONScanner

    /// - Returns: `nil` for what is left to `JSONDecoder`.
    static func event(_ body: String) -> LedgerEvent<Paper>? {
        var body = body
        return body.withUTF8 { text in
            var reader = LedgerScanner(scanner: JSONScanner(UnsafeRawBufferPointer(text)))
            return try? reader.event()
        }
    }

    /// Something that is not as it is written.
    private struct Unusual: Error {}

    private mutating func event() throws -> LedgerEvent<Paper> {
        var kind: LedgerEvent<Paper>.Kind?
        var (order, fill): (Order<Paper>?, Fill<Paper>?)
        try scanner.beginObject()
        while let key = try scanner.nextKey() {
            switch key {
            case "kind": kind = .init(rawValue: try text())
            case "order": order = try self.order()
            case "fill": fill = try self.fill()
            default: throw Unusual()
            }
        }
        try scanner.end()
        switch (kind, order, fill) {
        case (.orderAccepted, let order?, nil): return .orderAccepted(order)
        case (.orderRejected, let order?, nil): return .orderRejected(order)
        case (.orderAmended, let order?, nil): return .orderAmended(order)
        case (.orderTriggered, let order?, nil): return .orderTriggered(order)
        case (.trailMoved, let order?, nil): return .trailMoved(order)
        case (.orderFilled, let order?, let fill?): return .orderFilled(fill, order)
        case (.orderCancelled, let order?, nil): return .orderCancelled(order)
        case (.orderExpired, let order?, nil): return .orderExpired(order)
        default: throw Unusual()
        }
    }

    private mutating func order() throws -> Order<Paper> {
        try scanner.beginObject()
        var fields = OrderFields<Paper>(
            id: try OrderID<Paper>(try text("id")),
            request: OrderRequest(
                clientOrderID: "", symbol: "", side: .buy, type: .market, quantity: .zero),
            currency: "", status: .new, referencePrice: .zero, time: 0, parent: nil, reason: nil)
        var left = 14
        while let key = try scanner.nextKey() {
            var isNeeded = true
            switch key {
            case "client_order_id": fields.clientOrderID = try text()
            case "symbol": fields.symbol = try text()
            case "side": fields.side = Side(rawValue: try text())
            case "type": fields.type = OrderType(rawValue: try text())
            case "time_in_force": fields.timeInForce = TimeInForce(rawValue: try text())
            case "status": fields.status = OrderStatus(rawValue: try text())
            case "quantity": fields.quantity = try decimal()
            case "filled_quantity": fields.filledQuantity = try decimal()
            case "leverage": fields.leverage = try scanner.integer()
            case "post_only": fields.postOnly = try scanner.bool()
            case "reduce_only": fields.reduceOnly = try scanner.bool()
            case "created_at": fields.createdAt = try scanner.number()
            case "updated_at": fields.updatedAt = try scanner.number()
            case "version": fields.version = try scanner.integer()
            default:
                isNeeded = false
                switch key {
                case "account", "mode": _ = try scanner.string()
                case "currency": fields.currency = try text()
                case "average_fill_price": fields.averageFillPrice = try decimal()
                case "limit_price": fields.limitPrice = try decimal()
                case "stop_price": fields.stopPrice = try decimal()
                case "take_profit": fields.takeProfit = try decimal()
                case "stop_loss": fields.stopLoss = try decimal()
                case "parent": fields.parent = try OrderID<Paper>(try text())
                case "oco_group": fields.ocoGroup = try text()
                case "reason": fields.reason = try text()
                case "triggered": fields.isTriggered = try scanner.bool()
                case "reference_price": fields.referencePrice = try decimal()
                case "filled_cost": fields.filledCost = try decimal()
                default: throw Unusual()
                }
            }
            if isNeeded { left -= 1 }
        }
        guard left == 0 else { throw Unusual() }
        return Order(fields)
    }

    /// Its members come in one order.
    private mutating func fill() throws -> Fill<Paper> {
        try scanner.beginObject()
        let (id, order) = (try FillID<Paper>(try text("id")), try OrderID<Paper>(try text("order_id")))
        let (symbol, side) = (try text("symbol"), Side(rawValue: try text("side")))
        let (price, quantity) = (try decimal("price"), try decimal("quantity"))
        let (fee, currency) = (try decimal("fee"), try text("fee_currency"))
        let (liquidity, realized) = (Liquidity(rawValue: try text("liquidity")), try decimal("realized_pnl"))
        let time = try number("timestamp")
        try skip("receipt")
        try scanner.beginObject()
        let receipt = FillReceipt(
            model: try text("model"), tradePrice: try decimal("trade_price"), tradeVolume: try decimal("trade_volume"),
            tradeTime: try number("trade_time"), tradeUsed: try decimal("trade_used"),
            slippage: try decimal("slippage"), latency: try number("latency"), rule: try text("rule"))
        guard try scanner.nextKey() == nil, try scanner.nextKey() == nil else { throw Unusual() }
        return Fill(
            id: id, orderID: order, symbol: symbol, side: side, price: price, quantity: quantity,
            fee: Money(fee, currency), liquidity: liquidity, realizedPnL: Money(realized, currency), time: time,
            receipt: receipt)
    }

    // MARK: Values

    private mutating func text() throws -> String { try scanner.string().string }

    private mutating func decimal() throws -> ExactDecimal {
        let text = try scanner.string()
        guard !text.hasEscapes, let decimal = ExactDecimal(utf8: text.raw) else { throw Unusual() }
        return decimal
    }

    /// Skips the key of the next member, which must have this name.
    private mutating func skip(_ name: StaticString) throws {
        guard let key = try scanner.nextKey(), name ~= key else { throw Unusual() }
    }

    private mutating func text(_ name: StaticString) throws -> String {
        try skip(name)
        return try text()
    }

    private mutating func decimal(_ name: StaticString) throws -> ExactDecimal {
        try skip(name)
        return try decimal()
    }

    private mutating func number(_ name: StaticString) throws -> Double {
        try skip(name)
        return try scanner.number()
    }
}
