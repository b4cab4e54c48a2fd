internal import MarketModel

extension PaperExchange {
    /// Places an order.
    ///
    /// The same request with the same client order id gives the order it made, however often it is repeated; another request
    /// under the id is refused at `client_order_id`. What is malformed is refused without a trace. What a rule refuses (too
    /// little margin, post-only that would trade, nothing to reduce) is known as a rejected order, and its id is used, until
    /// many others were refused after it; it is not in the log.
    @discardableResult public mutating func place(_ request: OrderRequest, now: Double) -> OrderPlacement {
        place(request, now: now, isOwn: false)
    }

    private mutating func place(_ request: OrderRequest, now: Double, isOwn: Bool) -> OrderPlacement {
        advance(to: now)
        if let number = account.clientOrders[request.clientOrderID],
            let order = account.orders[number]?.order
        {
            if let known = account.request(number), request.repeats(known) { return .duplicate(order) }
            return .rejected(.usedClientOrderID(by: order), nil)
        }
        if let order = refused[request.clientOrderID] {
            if request.repeats(OrderRequest(order)) { return .duplicate(order) }
            return .rejected(.usedClientOrderID(by: order), nil)
        }
        if let flaw = flaws(request, isOwn: isOwn).first { return .rejected(flaw, nil) }
        let market = markets.index(of: request.symbol)
        if let market { margin.update(margin.markets[market].currency, account, &markets) }
        let assessment = assess(request, market)
        var request = request
        if let market { request.leverage = leverage(of: request, holding(market)) }
        // A market that is not known is a problem.
        guard let market, assessment.problems.isEmpty else {
            let problem = assessment.problems[0]
            let isRecorded = [.insufficientMargin, .wouldTrade, .nothingToReduce].contains(problem.code)
            return .rejected(problem, isRecorded ? reject(request, assessment, problem) : nil)
        }
        let holding = holding(market)
        if !request.reduceOnly, let leverage = request.leverage, leverage != holding.leverage, holding.isInUse {
            emit(.leverageChanged(symbol: request.symbol, leverage: leverage))
        }
        guard let record = accept(request, market, referencePrice: assessment.referencePrice) else {
            return .rejected(TradingRejection(.invalid, field: "quantity", "makes amounts that are too large"), nil)
        }
        let number = record.order.id.number
        if request.timeInForce == .day { schedule.addDayEnd(number, at: Self.endOfDay(clock)) }
        let latency = settings.latency.draw(from: &generator)
        if latency > 0 {
            schedule.addArrival(number, at: clock + latency, latency: latency)
            // A trailing stop counts from the price at which it was placed.
            if request.type == .trailingStop, let price = markets[market].price { trail(record.order, market, price) }
        } else {
            arrivals.append(number)
        }
        processArrivals()
        return .accepted((account.orders[number] ?? record).order)
    }

    private mutating func reject(
        _ request: OrderRequest, _ assessment: Assessment, _ problem: TradingRejection
    ) -> Order<Paper> {
        let order = Order<Paper>(
            id: OrderID(account: account.id, number: nextOrderNumber), request: request,
            currency: markets.index(of: request.symbol).map { markets[$0].currency } ?? "", status: .rejected,
            referencePrice: assessment.referencePrice, time: clock, reason: problem.description)
        refused.add(order)
        return order
    }

    /// Closes a position, or a part of it, with a reduce-only market order. Throws where there is none, and what placing it
    /// throws.
    /// - Parameters:
    ///   - quantity: above 0; above the position's size, and where it is `nil`: all of it.
    ///   - clientOrderID: makes repeating the request safe; one is made where it is not given.
    @discardableResult public mutating func closePosition(
        _ symbol: String, quantity: ExactDecimal? = nil, clientOrderID: String? = nil, now: Double
    ) throws(TradingRejection) -> Order<Paper> {
        if let quantity, !quantity.isPositive {
            throw TradingRejection(.invalid, field: "quantity", "must be above 0")
        }
        return try placeAgainst(symbol, reduceOnly: true, clientOrderID, now) { size in
            quantity.map { min($0, size) } ?? size
        }
    }

    /// Turns a position into one of the same size on the other side, with a market order of twice its size.
    @discardableResult public mutating func reversePosition(
        _ symbol: String, clientOrderID: String? = nil, now: Double
    ) throws(TradingRejection) -> Order<Paper> {
        try placeAgainst(symbol, reduceOnly: false, clientOrderID, now) { size in (try? size + size) ?? size }
    }

    private mutating func placeAgainst(
        _ symbol: String, reduceOnly: Bool, _ clientOrderID: String?, _ now: Double,
        quantity: (_ size: ExactDecimal) -> ExactDecimal
    ) throws(TradingRejection) -> Order<Paper> {
        advance(to: now)
        if let clientOrderID, let known = order(clientOrderID: clientOrderID) {
            // Its size is not compared: the position has another one by now.
            guard known.symbol == symbol, known.type == .market, known.reduceOnly == reduceOnly else {
                throw .usedClientOrderID(by: known)
            }
            return known
        }
        guard let index = account.holdingIndex[symbol], account.holdings[index].hasPosition else {
            throw TradingRejection(.unknownPosition, field: "symbol", "there is no position in \(symbol)")
        }
        let holding = account.holdings[index]
        let request = OrderRequest(
            clientOrderID: clientOrderID ?? "~close-\(nextOrderNumber)", symbol: symbol,
            side: holding.size.isNegative ? .buy : .sell, type: .market,
            quantity: quantity(holding.size.magnitude), reduceOnly: reduceOnly, leverage: holding.leverage)
        switch place(request, now: now, isOwn: clientOrderID == nil) {
        case .accepted(let order), .duplicate(let order): return order
        case .rejected(let problem, _): throw problem
        }
    }

    /// Places an order of the past: its market trades at a price, with the order's quantity as the volume, and the
    /// order is placed and may be cancelled at once. A time before the account's last entry counts as that one's.
    /// - Parameter price: `nil`: the market does not trade.
    package mutating func placeEarlierOrder(
        _ request: OrderRequest, marketAt price: ExactDecimal?, isCancelled: Bool, time: Double
    ) {
        if let price {
            let tick = Tick(timestamp: time, price: price.doubleValue, volume: request.quantity.doubleValue)
            ingest(request.symbol, tick, now: time)
        }
        guard let order = place(request, now: time).order, isCancelled else { return }
        _ = try? cancel(order.id, now: time)
    }

    /// Why an order would be refused, were it placed now; `nil` where it would be accepted. Nothing changes, and the client
    /// order id is not used up.
    public func refusal(of request: OrderRequest) -> TradingRejection? {
        flaws(request, isOwn: false).first ?? assess(request, markets.index(of: request.symbol)).problems.first
    }

    /// What an order would do, were it placed now. Nothing changes.
    public func preview(_ request: OrderRequest) -> OrderPreview {
        var flaws = flaws(request, isOwn: false)
        var preview = OrderPreview(currency: QuoteCurrency.of(request.symbol), problems: [])
        var assessment = Assessment()
        if flaws.isEmpty {
            assessment = assess(request, markets.index(of: request.symbol))
            flaws = assessment.problems
        }
        preview.problems = flaws.map { OrderPreview.Problem(field: $0.field, message: $0.message) }
        guard let market = markets.index(of: request.symbol) else { return preview }
        preview.currency = markets[market].currency
        guard assessment.referencePrice.isPositive else { return preview }
        do throws(DecimalError) {
            let (price, isTaker) = expected(request, market, assessment.referencePrice)
            preview.estimatedPrice = price
            let cost = try request.quantity.multiplied(by: price, rounding: .up)
            preview.cost = cost
            let held = try settings.feeModel.held(notional: cost)
            let fee = isTaker ? try settings.feeModel.fee(notional: cost, liquidity: .taker) : held
            preview.fee = fee
            guard let claim = assessment.claim else { return preview }
            preview.margin = request.reduceOnly ? .zero : max(.zero, try claim - held)
            guard flaws.isEmpty else { return preview }
            preview.availableAfter = try assessment.available - claim
            preview.liquidationPrice = try liquidationPrice(after: request, at: price, fee: fee, market)
        } catch {
            preview.problems.append(.init(field: "quantity", message: "makes amounts that are too large"))
        }
        return preview
    }

    /// The price to expect, and whether it would trade there at once.
    private func expected(
        _ request: OrderRequest, _ market: Int, _ reference: ExactDecimal
    ) -> (price: ExactDecimal, isTaker: Bool) {
        if request.type == .market { return (reference, true) }
        guard request.type == .limit, let limit = request.limitPrice, let last = markets[market].price, !isRandom,
            request.side.isWithin(limit, last)
        else { return (reference, false) }
        return (slipped(last, request.side, request.quantity, volume: markets[market].volume, limit: limit).price, true)
    }

    private func liquidationPrice(
        after request: OrderRequest, at price: ExactDecimal, fee: ExactDecimal, _ market: Int
    ) throws(DecimalError) -> ExactDecimal? {
        let holding = holding(market)
        let mark = markets[market].price ?? price
        let outcome = try holding.outcome(side: request.side, price: price, quantity: request.quantity)
        var after = holding
        (after.size, after.cost) = (outcome.size, outcome.cost)
        var value = try margin.value(margin.markets[market].currency, account, markets)
        let rate = settings.maintenanceRate
        try value.cash += outcome.realized - fee
        try value.unrealized += after.unrealized(mark: mark) - holding.unrealized(mark: mark)
        try value.maintenance +=
            after.maintenance(mark: mark, rate: rate) - holding.maintenance(mark: mark, rate: rate)
        return try after.liquidationPrice(mark: mark, account: value, rate: rate)
    }
}

extension TradingRejection {
    fileprivate static func usedClientOrderID(by order: Order<Paper>) -> TradingRejection {
        TradingRejection(
            .duplicateClientOrderID, field: "client_order_id", "is used already, by \(order.id) with other content")
    }
}
