/// An account's money in one currency at given marks.
struct Valuation: Equatable, Sendable {
    var cash = ExactDecimal.zero
    var unrealized = ExactDecimal.zero
    var usedMargin = ExactDecimal.zero
    var held = ExactDecimal.zero
    var maintenance = ExactDecimal.zero
    var positions = 0

    func equity() throws(DecimalError) -> ExactDecimal { try cash + unrealized }
    func available() throws(DecimalError) -> ExactDecimal { try equity() - usedMargin - held }
}

extension AccountState {
    /// - Parameter mark: a market's last price; `nil` before its first trade, where the last fill's stands in.
    /// - Complexity: O(markets ever traded).
    func valuation(
        currency: String, settings: PaperSettings, mark: (String) -> ExactDecimal?
    ) throws(DecimalError) -> Valuation {
        var sum = Valuation(cash: balances[currency]?.cash ?? .zero)
        for holding in holdings where holding.currency == currency {
            let price = holding.hasPosition ? mark(holding.symbol) ?? holding.lastPrice : .zero
            var worth = try Valuation(position: holding, mark: price, settings: settings)
            worth.held = try holding.held(fees: settings.feeModel)
            try sum.add(worth)
        }
        return sum
    }

    /// The money of one currency at the given marks. Throws where an amount leaves the range.
    public func portfolio(
        currency: String, settings: PaperSettings, time: Double, mark: (String) -> ExactDecimal?
    ) throws(DecimalError) -> Portfolio {
        let balance = balances[currency] ?? Balance(capital: .zero)
        let value = try valuation(currency: currency, settings: settings, mark: mark)
        return Portfolio(
            currency: currency, equity: try value.equity(), availableBalance: try value.available(),
            usedMargin: value.usedMargin, heldMargin: value.held, unrealizedPnL: value.unrealized,
            realizedPnL: balance.realized, fees: balance.fees, initialCapital: balance.capital,
            writtenOff: balance.writtenOff, maintenanceMargin: value.maintenance, lastUpdated: max(time, updatedAt))
    }

    /// The position in a market at the given marks, `nil` where there is none. Throws where an amount leaves the range.
    public func position(
        symbol: String, settings: PaperSettings, mark: (String) -> ExactDecimal?
    ) throws(DecimalError) -> Position<Mode>? {
        guard let index = holdingIndex[symbol], holdings[index].hasPosition else { return nil }
        let holding = holdings[index]
        let price = mark(symbol) ?? holding.lastPrice
        let value = try valuation(currency: holding.currency, settings: settings, mark: mark)
        let profit = try holding.unrealized(mark: price)
        let (size, cost) = (holding.size.magnitude, holding.cost.magnitude)
        func percent(times factor: Int) throws(DecimalError) -> ExactDecimal {
            cost.isZero
                ? .zero
                : try profit.multiplied(by: ExactDecimal(100 * factor))
                    .divided(by: cost, decimals: 8, rounding: .halfUp)
        }
        let closers = closingOrders(active[index], isLong: holding.size.isPositive)
        return Position(
            id: PositionID(account: id, symbol: symbol), side: holding.size.isNegative ? .short : .long, size: size,
            entryPrice: try cost.divided(by: size), markPrice: price, unrealizedPnL: profit,
            pricePercent: try percent(times: 1), marginPercent: try percent(times: holding.leverage),
            leverage: holding.leverage, margin: try holding.margin(),
            liquidationPrice: try holding.liquidationPrice(mark: price, account: value, rate: settings.maintenanceRate),
            realizedPnL: holding.realized, takeProfit: closers.takeProfit, stopLoss: closers.stopLoss,
            currency: holding.currency, createdAt: holding.createdAt, updatedAt: holding.updatedAt)
    }

    /// The nearest limit and stop prices among the waiting orders that only close the position.
    private func closingOrders(_ numbers: [Int], isLong: Bool) -> (takeProfit: ExactDecimal?, stopLoss: ExactDecimal?) {
        var (takeProfit, stopLoss): (ExactDecimal?, ExactDecimal?)
        for number in numbers {
            guard let order = orders[number]?.order, order.reduceOnly, (order.side == .sell) == isLong else { continue }
            if order.type == .limit, let price = order.limitPrice {
                takeProfit = takeProfit.map { isLong ? min($0, price) : max($0, price) } ?? price
            } else if order.type.hasTrigger, let price = order.stopPrice {
                stopLoss = stopLoss.map { isLong ? max($0, price) : min($0, price) } ?? price
            }
        }
        return (takeProfit, stopLoss)
    }
}

extension Holding {
    /// The equity that the position needs to stay open: its value at the mark times the rate, rounded up to 16 decimals.
    func maintenance(mark: ExactDecimal, rate: ExactDecimal) throws(DecimalError) -> ExactDecimal {
        if size.isZero { return .zero }
        return try size.magnitude.multiplied(by: mark).multiplied(by: rate, rounding: .up)
    }

    /// The mark `p` at which equity equals maintenance while all else stays: with `E` and `M` at the present mark `m`,
    /// size `s` (signed) and rate `r`, `E + s (p - m) = M + |s| r (p - m)`, so `p = m - (E - M) / (s - |s| r)`.
    /// To 8 decimals, half up.
    func liquidationPrice(
        mark: ExactDecimal, account: Valuation, rate: ExactDecimal
    ) throws(DecimalError) -> ExactDecimal? {
        let slope = try size - size.magnitude.multiplied(by: rate)
        if slope.isZero { return nil }
        let distance: ExactDecimal
        do { distance = try (account.equity() - account.maintenance).divided(by: slope) } catch { return nil }
        let price = try (mark - distance).rounded(decimals: 8)
        return price.isPositive ? price : nil
    }
}

/// What one holding adds to its currency.
extension Valuation {
    init(position holding: Holding, mark: ExactDecimal, settings: PaperSettings) throws(DecimalError) {
        guard holding.hasPosition else { return }
        unrealized = try holding.unrealized(mark: mark)
        usedMargin = try holding.margin()
        maintenance = try holding.maintenance(mark: mark, rate: settings.maintenanceRate)
        positions = 1
    }

    /// Whether sums of thousands of these stay within the range of decimals.
    var isSummable: Bool {
        unrealized.magnitude < Self.greatest && usedMargin < Self.greatest && maintenance < Self.greatest
            && held < Self.greatest
    }

    private static let greatest = ExactDecimal("1e18")!

    mutating func add(_ worth: Valuation) throws(DecimalError) {
        try unrealized += worth.unrealized
        try usedMargin += worth.usedMargin
        try maintenance += worth.maintenance
        try held += worth.held
        positions += worth.positions
    }

    /// Replaces one of the summands. Exact: all of them are ``isSummable``.
    mutating func replace(_ old: Valuation, with new: Valuation) {
        unrealized = unrealized.moved(from: old.unrealized, to: new.unrealized)
        usedMargin = usedMargin.moved(from: old.usedMargin, to: new.usedMargin)
        maintenance = maintenance.moved(from: old.maintenance, to: new.maintenance)
        held = held.moved(from: old.held, to: new.held)
        positions += new.positions - old.positions
    }
}

extension ExactDecimal {
    fileprivate func moved(from old: ExactDecimal, to new: ExactDecimal) -> ExactDecimal {
        ExactDecimal(trusted: units &- old.units &+ new.units)
    }
}
