/// What an account has in one market: its position as sums, and its waiting orders.
///
/// The position is its signed size and what that cost, never an average: averages are computed for showing, so nothing is
/// lost in them. `cost` has the sign of `size`, and after each fill `cost' = cost ± price * quantity + profit` holds to the
/// last digit: whatever rounding a partial close needs goes into the profit or stays in the cost, and the last part of a
/// position gets what is left.
struct Holding: Hashable, Sendable {
    let symbol: String
    let currency: String
    var leverage = 1
    /// Above 0 long, below 0 short.
    var size = ExactDecimal.zero
    var cost = ExactDecimal.zero
    /// Since the position was opened.
    var realized = ExactDecimal.zero
    /// Of the last fill; the mark until the market's first trade.
    var lastPrice = ExactDecimal.zero
    var createdAt = 0.0
    var updatedAt = 0.0
    var buys = Exposure()
    var sells = Exposure()

    init(symbol: String, currency: String) {
        self.symbol = symbol
        self.currency = currency
    }

    var hasPosition: Bool { !size.isZero }
    /// Whether there is a position, or a waiting order that could open one: they share the leverage.
    var isInUse: Bool { hasPosition || buys.count + sells.count > 0 }

    /// The position's margin, rounded up to 16 decimals.
    func margin() throws(DecimalError) -> ExactDecimal {
        try cost.magnitude.divided(byWhole: leverage, rounding: .up)
    }

    /// `size * mark - cost`.
    func unrealized(mark: ExactDecimal) throws(DecimalError) -> ExactDecimal {
        if size.isZero { return .zero }
        return try size.multiplied(by: mark) - cost
    }

    /// What is held for the waiting orders: the margin of what they could open at their prices, and their fees. As much of
    /// them as only closes the position needs no margin.
    func held(fees: FeeModel) throws(DecimalError) -> ExactDecimal {
        if buys.count + sells.count == 0 { return .zero }
        var sum = ExactDecimal.zero
        for isBuy in [true, false] {
            let exposure = isBuy ? buys : sells
            if exposure.count == 0 { continue }
            let closing = size.isNegative == isBuy ? min(size.magnitude, exposure.quantity) : .zero
            let opening = try exposure.quantity - closing
            if opening.isPositive {
                let notional =
                    closing.isZero
                    ? exposure.notional
                    : try exposure.notional.multiplied(by: opening, over: exposure.quantity, rounding: .up)
                try sum += notional.divided(byWhole: leverage, rounding: .up)
            }
            try sum += fees.held(notional: exposure.notional, orders: exposure.count)
        }
        return sum
    }

    /// All that the market claims of the account's balance.
    func claimed(fees: FeeModel) throws(DecimalError) -> ExactDecimal { try margin() + held(fees: fees) }
}

/// The waiting orders of one side that could open a position.
struct Exposure: Hashable, Sendable {
    var count = 0
    var quantity = ExactDecimal.zero
    /// Each order's rest at its reference price, rounded up to 16 decimals.
    var notional = ExactDecimal.zero

    mutating func add(_ other: Exposure) throws(DecimalError) {
        let (quantity, notional) = (try quantity + other.quantity, try notional + other.notional)
        self = Exposure(count: count + other.count, quantity: quantity, notional: notional)
    }

    mutating func remove(_ other: Exposure) throws(DecimalError) {
        try add(Exposure(count: -other.count, quantity: -other.quantity, notional: -other.notional))
    }
}

extension Order {
    /// What the order adds to its side's exposure.
    func exposure() throws(DecimalError) -> Exposure {
        guard status.isActive, !reduceOnly else { return Exposure() }
        let rest = try quantity - filledQuantity
        return Exposure(count: 1, quantity: rest, notional: try rest.multiplied(by: referencePrice, rounding: .up))
    }
}

/// What a fill does to a position.
struct FillOutcome {
    /// Price times quantity, half-even to 16 decimals.
    var notional: ExactDecimal
    /// The profit of the part that closes.
    var realized: ExactDecimal
    var size: ExactDecimal
    var cost: ExactDecimal
    /// How much of the quantity opens, and does not close.
    var opened: ExactDecimal
}

extension Holding {
    /// What an order on a side adds to the exposure becomes something else.
    mutating func replace(_ old: Exposure = Exposure(), with new: Exposure, _ side: Side) throws(DecimalError) {
        if side == .buy {
            try buys.remove(old)
            try buys.add(new)
        } else {
            try sells.remove(old)
            try sells.add(new)
        }
    }

    /// Nothing is changed here.
    ///
    /// A part of the position leaves with its share of the cost, rounded half-even to 16 decimals; the whole leaves with
    /// the whole cost. A fill that turns the position closes all of it and opens the rest at its price.
    func outcome(side: Side, price: ExactDecimal, quantity: ExactDecimal) throws(DecimalError) -> FillOutcome {
        let notional = try price.multiplied(by: quantity)
        let signedQuantity = side == .buy ? quantity : -quantity
        let signedNotional = side == .buy ? notional : -notional
        let newSize = try size + signedQuantity
        if size.isZero || size.isNegative == signedQuantity.isNegative {
            return FillOutcome(
                notional: notional, realized: .zero, size: newSize, cost: try cost + signedNotional, opened: quantity)
        }
        let newCost: ExactDecimal
        var opened = ExactDecimal.zero
        if newSize.isZero {
            newCost = .zero
        } else if newSize.isNegative == size.isNegative {
            newCost = try cost - cost.multiplied(by: quantity, over: size.magnitude)
        } else {
            opened = newSize.magnitude
            newCost = try price.multiplied(by: newSize)
        }
        return FillOutcome(
            notional: notional, realized: try newCost - cost - signedNotional, size: newSize, cost: newCost,
            opened: opened)
    }
}
