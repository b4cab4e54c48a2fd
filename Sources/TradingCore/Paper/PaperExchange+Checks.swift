/// What is asked of a request before it becomes an order.
extension PaperExchange {
    /// What the account would take for an order, and what is wrong with it.
    struct Assessment {
        var problems: [TradingRejection] = []
        /// The price at which the margin is held.
        var referencePrice = ExactDecimal.zero
        /// What is taken from the available balance.
        var claim = ExactDecimal.zero
        var available = ExactDecimal.zero
    }

    /// The fields alone, without the account.
    func flaws(_ request: OrderRequest, isOwn: Bool) -> [TradingRejection] {
        var flaws: [TradingRejection] = []
        func check(_ isGood: Bool, _ field: String, _ message: @autoclosure () -> String) {
            if !isGood { flaws.append(TradingRejection(.invalid, field: field, message())) }
        }
        func isAmount(_ value: ExactDecimal) -> Bool { value.isPositive && value <= Self.greatestAmount }
        var range: String { "is above 0 and at most \(Self.greatestAmount)" }
        if !isOwn {
            check(
                Self.isName(request.clientOrderID) && request.clientOrderID.utf8.first != UInt8(ascii: "~"),
                "client_order_id",
                "is 1 to 64 visible ASCII characters and does not begin with ~")
            if let group = request.ocoGroup {
                check(
                    Self.isName(group) && !group.contains(":"), "oco_group",
                    "is 1 to 64 visible ASCII characters without a colon")
            }
        }
        check(request.side.opposite != nil, "side", "is buy or sell")
        if case .unknown = request.type {
            check(false, "type", "is market, limit, stop, stop_limit or trailing_stop")
            return flaws
        }
        if case .unknown = request.timeInForce { check(false, "time_in_force", "is gtc, ioc, fok or day") }
        check(isAmount(request.quantity), "quantity", range)
        let type = request.type
        if type.hasLimit {
            check(request.limitPrice.map(isAmount) ?? false, "limit_price", range)
        } else {
            check(request.limitPrice == nil, "limit_price", "a \(type) order has none")
        }
        if type == .stop || type == .stopLimit {
            check(request.stopPrice.map(isAmount) ?? false, "stop_price", range)
        } else {
            check(request.stopPrice == nil, "stop_price", "a \(type) order has none")
        }
        switch request.trail {
        case nil: check(type != .trailingStop, "trail", "a trailing stop has an amount or a percent")
        case .amount(let amount):
            check(type == .trailingStop, "trail", "a \(type) order has none")
            check(isAmount(amount), "trail", range)
        case .percent(let percent):
            check(type == .trailingStop, "trail", "a \(type) order has none")
            check(percent.isPositive && percent < 100, "trail", "is above 0 and below 100 percent")
        }
        if request.postOnly {
            check(
                type == .limit && (request.timeInForce == .gtc || request.timeInForce == .day), "post_only",
                "is for limit orders that may wait")
        }
        check(
            request.reduceOnly || (1...settings.maxLeverage).contains(request.leverage), "leverage",
            "is between 1 and \(settings.maxLeverage)")
        if request.takeProfit != nil || request.stopLoss != nil {
            let field = request.takeProfit != nil ? "take_profit" : "stop_loss"
            check(!request.reduceOnly, field, "a reduce-only order opens nothing that could be closed")
        }
        if let price = request.takeProfit { check(isAmount(price), "take_profit", range) }
        if let price = request.stopLoss { check(isAmount(price), "stop_loss", range) }
        return flaws
    }

    /// The request against the account and the market, as they are now.
    func assess(_ request: OrderRequest, _ book: Int?) -> Assessment {
        var result = Assessment()
        func refuse(_ code: TradingRejection.Code, _ field: String, _ message: String) {
            result.problems.append(TradingRejection(code, field: field, message))
        }
        guard let book else {
            refuse(.unknownMarket, "symbol", "\(request.symbol) is not a market here")
            return result
        }
        let last = books[book].price
        guard let price = estimatedPrice(request, book) else {
            refuse(.noPrice, "symbol", "\(request.symbol) has no price yet: it gets one with its next trade")
            return result
        }
        result.referencePrice = price
        checkBracket(request, against: price, refuse)
        let count = account.active.reduce(0) { $0 + $1.count }
        if count >= settings.maxActiveOrders {
            refuse(.tooManyOrders, "client_order_id", "\(count) orders wait already, which is the most there may be")
        }
        if request.postOnly, let limit = request.limitPrice, let last, !isRandom,
            Self.isWithin(limit, last, request.side)
        {
            refuse(.wouldTrade, "post_only", "the market is at \(last), so it would trade at once")
        }
        let holding =
            books[book].holding.map { account.holdings[$0] }
            ?? Holding(symbol: request.symbol, currency: books[book].currency)
        if request.reduceOnly {
            if holding.size.isZero || holding.size.isNegative != (request.side == .buy) {
                refuse(.nothingToReduce, "reduce_only", "there is no position that this side would reduce")
            }
            result.available = (try? value(books[book].purse).available()) ?? .zero
            return result
        }
        do throws(DecimalError) {
            let notional = try request.quantity.multiplied(by: price, rounding: .up)
            guard notional <= Self.greatestAmount else { throw .outOfRange }
            var after = holding
            after.leverage = request.leverage
            let exposure = Exposure(count: 1, quantity: request.quantity, notional: notional)
            if request.side == .buy { try after.buys.add(exposure) } else { try after.sells.add(exposure) }
            let claimed = try claimed(book, holding)
            result.claim = try after.claimed(fees: settings.feeModel) - claimed
            result.available = try value(books[book].purse).available()
            if result.claim.isPositive, result.claim > result.available {
                let field = request.leverage != holding.leverage && holding.hasPosition ? "leverage" : "quantity"
                refuse(
                    .insufficientMargin, field,
                    "it takes \(result.claim) \(holding.currency), and \(result.available) is available")
            }
        } catch {
            refuse(.invalid, "quantity", "it costs more than \(Self.greatestAmount)")
        }
        return result
    }

    /// What a market takes from the account's balance now.
    private func claimed(_ book: Int, _ holding: Holding) throws(DecimalError) -> ExactDecimal {
        if books[book].isAsked || books[book].isMoved || books[book].isOutsized {
            return try holding.claimed(fees: settings.feeModel)
        }
        return try books[book].worth.usedMargin + books[book].worth.held
    }

    /// What an order would trade at, as far as one can say; `nil` where nobody can.
    func estimatedPrice(_ request: OrderRequest, _ book: Int) -> ExactDecimal? {
        switch request.type {
        case .limit, .stopLimit: return request.limitPrice
        case .stop: return request.stopPrice
        case .trailingStop:
            guard let last = books[book].price else { return nil }
            return request.trail?.stop(at: last, side: request.side) ?? last
        case .market, .unknown:
            return books[book].price.map {
                slipped($0, request.side, request.quantity, volume: books[book].volume, limit: nil).price
            }
        }
    }

    private func checkBracket(
        _ request: OrderRequest, against price: ExactDecimal,
        _ refuse: (TradingRejection.Code, String, String) -> Void
    ) {
        let isBuy = request.side == .buy
        if let profit = request.takeProfit, isBuy ? profit <= price : profit >= price {
            refuse(.invalid, "take_profit", "is \(isBuy ? "above" : "below") the order's price, \(price)")
        }
        if let loss = request.stopLoss, isBuy ? loss >= price : loss <= price {
            refuse(.invalid, "stop_loss", "is \(isBuy ? "below" : "above") the order's price, \(price)")
        }
    }

    var isRandom: Bool { if case .random = settings.fillModel { true } else { false } }

    /// 1 to 64 visible ASCII characters.
    static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { $0 > 32 && $0 < 127 }
    }
}
