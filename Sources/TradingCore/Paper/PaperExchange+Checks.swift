/// The checks of a request before it becomes an order.
extension PaperExchange {
    /// What an order would claim of the account, and what is wrong with it.
    struct Assessment {
        var problems: [TradingRejection] = []
        /// The price at which the margin is held.
        var referencePrice = ExactDecimal.zero
        /// What it claims of the available balance; `nil` where that is not known.
        var claim: ExactDecimal?
        var available = ExactDecimal.zero
    }

    /// The fields alone, without the account.
    func flaws(_ request: OrderRequest, isOwn: Bool) -> [TradingRejection] {
        var flaws: [TradingRejection] = []
        func check(_ isGood: Bool, _ field: String, _ message: @autoclosure () -> String) {
            if !isGood { flaws.append(TradingRejection(.invalid, field: field, message())) }
        }
        func isAmount(_ value: ExactDecimal) -> Bool { Self.isAmount(value) }
        var range: String { Self.amountRange }
        if !isOwn {
            check(
                Self.isName(request.clientOrderID) && request.clientOrderID.utf8.first != UInt8(ascii: "~"),
                "client_order_id",
                "must be 1 to 64 visible ASCII characters and must not begin with ~")
            if let group = request.ocoGroup {
                check(
                    Self.isName(group) && !group.contains(":"), "oco_group",
                    "must be 1 to 64 visible ASCII characters without a colon")
            }
        }
        check(request.side.opposite != nil, "side", "must be buy or sell")
        if case .unknown = request.type {
            check(false, "type", "must be market, limit, stop, stop_limit or trailing_stop")
            return flaws
        }
        if case .unknown = request.timeInForce { check(false, "time_in_force", "must be gtc, ioc, fok or day") }
        check(isAmount(request.quantity), "quantity", range)
        let type = request.type
        if type.hasLimit {
            check(request.limitPrice.map(isAmount) ?? false, "limit_price", range)
        } else {
            check(request.limitPrice == nil, "limit_price", "must be left out for a \(type) order")
        }
        if type == .stop || type == .stopLimit {
            check(request.stopPrice.map(isAmount) ?? false, "stop_price", range)
        } else {
            check(request.stopPrice == nil, "stop_price", "must be left out for a \(type) order")
        }
        switch request.trail {
        case nil: check(type != .trailingStop, "trail", "must be an amount or a percent for a trailing_stop order")
        case .amount(let amount):
            check(type == .trailingStop, "trail", "must be left out for a \(type) order")
            check(isAmount(amount), "trail", range)
        case .percent(let percent):
            check(type == .trailingStop, "trail", "must be left out for a \(type) order")
            check(percent.isPositive && percent < 100, "trail", "must be above 0 and below 100 percent")
        }
        if request.postOnly {
            check(
                type == .limit && (request.timeInForce == .gtc || request.timeInForce == .day), "post_only",
                "is only for limit orders that may wait (gtc or day)")
        }
        check(
            request.reduceOnly || (1...settings.maxLeverage).contains(request.leverage ?? 1), "leverage",
            "must be between 1 and \(settings.maxLeverage)")
        if request.takeProfit != nil || request.stopLoss != nil {
            let field = request.takeProfit != nil ? "take_profit" : "stop_loss"
            check(!request.reduceOnly, field, "must be left out for a reduce-only order, which opens nothing")
        }
        if let price = request.takeProfit { check(isAmount(price), "take_profit", range) }
        if let price = request.stopLoss { check(isAmount(price), "stop_loss", range) }
        return flaws
    }

    /// The request against the account and the market, as they are now.
    func assess(_ request: OrderRequest, _ market: Int?) -> Assessment {
        var result = Assessment()
        func refuse(_ code: TradingRejection.Code, _ field: String, _ message: String) {
            result.problems.append(TradingRejection(code, field: field, message))
        }
        guard let market else {
            refuse(.unknownMarket, "symbol", "\(request.symbol) is not a market here")
            return result
        }
        let last = markets[market].price
        guard let price = estimatedPrice(request, market) else {
            refuse(.noPrice, "symbol", "\(request.symbol) has no price yet: it gets one with its next trade")
            return result
        }
        result.referencePrice = price
        checkBracket(request, against: price, refuse)
        let count = account.activeCount
        if count >= settings.maxActiveOrders {
            refuse(.tooManyOrders, "client_order_id", "there are \(count) active orders already, the most allowed")
        }
        if request.postOnly, let limit = request.limitPrice, let last, !isRandom,
            request.side.isWithin(limit, last)
        {
            refuse(.wouldTrade, "post_only", "the market is at \(last.grouped), so it would trade at once")
        }
        let holding = holding(market)
        if request.reduceOnly {
            if holding.size.isZero || holding.size.isNegative != (request.side == .buy) {
                refuse(.nothingToReduce, "reduce_only", "there is no position that this side would reduce")
            }
            result.available = available(market) ?? .zero
            result.claim = .zero
            return result
        }
        do throws(DecimalError) {
            let notional = try request.quantity.multiplied(by: price, rounding: .up)
            guard notional <= Self.greatestAmount else { throw .outOfRange }
            var after = holding
            after.leverage = leverage(of: request, holding)
            let exposure = Exposure(count: 1, quantity: request.quantity, notional: notional)
            try after.replace(with: exposure, request.side)
            let claim = try after.claimed(fees: settings.feeModel) - margin.claimed(market, holding, markets)
            result.claim = claim
            result.available = try margin.value(margin.markets[market].currency, account, markets).available()
            if claim.isPositive, claim > result.available {
                let field = after.leverage != holding.leverage && holding.hasPosition ? "leverage" : "quantity"
                let claim = Money(claim, holding.currency).rounded(.ceiling).grouped
                let available = Money(result.available, holding.currency).rounded(.floor).amount.grouped
                refuse(.insufficientMargin, field, "it needs \(claim), and \(available) is available")
            }
        } catch {
            refuse(.invalid, "quantity", "makes a cost above \(Self.greatestAmount.grouped)")
        }
        return result
    }

    /// The leverage that an order will have: the one that it names, or that of the market's position and waiting orders, and 1
    /// where there are none.
    func leverage(of request: OrderRequest, _ holding: Holding) -> Int {
        request.leverage ?? (holding.isInUse || request.reduceOnly ? holding.leverage : 1)
    }

    /// What the account has in a market; nothing where it never had an order there.
    func holding(_ market: Int) -> Holding {
        markets[market].holding.map { account.holdings[$0] }
            ?? Holding(symbol: markets[market].symbol, currency: markets[market].currency)
    }

    /// What an order would trade at, as far as is known; `nil` where no price is.
    func estimatedPrice(_ request: OrderRequest, _ market: Int) -> ExactDecimal? {
        switch request.type {
        case .limit, .stopLimit: return request.limitPrice
        case .stop: return request.stopPrice
        case .trailingStop:
            guard let last = markets[market].price else { return nil }
            return request.trail?.stop(at: last, side: request.side) ?? last
        case .market, .unknown:
            return markets[market].price.map {
                slipped($0, request.side, request.quantity, volume: markets[market].volume, limit: nil).price
            }
        }
    }

    private func checkBracket(
        _ request: OrderRequest, against price: ExactDecimal,
        _ refuse: (TradingRejection.Code, String, String) -> Void
    ) {
        let isBuy = request.side == .buy
        if let profit = request.takeProfit, isBuy ? profit <= price : profit >= price {
            refuse(.invalid, "take_profit", "must be \(isBuy ? "above" : "below") the order's price, \(price.grouped)")
        }
        if let loss = request.stopLoss, isBuy ? loss >= price : loss <= price {
            refuse(.invalid, "stop_loss", "must be \(isBuy ? "below" : "above") the order's price, \(price.grouped)")
        }
    }

    /// 1 to 64 visible ASCII characters.
    static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { $0 > 32 && $0 < 127 }
    }

    static func check(capital: [Money]) throws(TradingRejection) {
        for money in capital where money.amount.isNegative || money.amount > greatestAmount {
            throw TradingRejection(.invalid, field: "capital", "must be between 0 and \(greatestAmount.grouped)")
        }
        if Set(capital.map(\.currency)).count != capital.count || capital.contains(where: { $0.currency.isEmpty }) {
            throw TradingRejection(.invalid, field: "currency", "must have a name, and each currency comes once")
        }
    }

    /// Prices, quantities, what they cost, and capital: far from where arithmetic ends.
    static let greatestAmount: ExactDecimal = 1_000_000_000_000_000
    static var amountRange: String { "must be above 0 and at most \(greatestAmount.grouped)" }
    static func isAmount(_ value: ExactDecimal) -> Bool { value.isPositive && value <= greatestAmount }
}
