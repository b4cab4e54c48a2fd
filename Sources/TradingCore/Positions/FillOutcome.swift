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
