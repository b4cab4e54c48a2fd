/// What a fill costs, in the quote currency, rounded up to 8 decimals.
public enum FeeModel: Hashable, Codable, Sendable {
    case none
    /// Shares of what was paid, 0.001 being a tenth of a percent; a negative maker rate is a rebate.
    case rates(maker: ExactDecimal, taker: ExactDecimal)
    /// The same for every fill.
    case perFill(ExactDecimal)

    /// - Parameter notional: price times quantity.
    func fee(notional: ExactDecimal, liquidity: Liquidity) throws(DecimalError) -> ExactDecimal {
        switch self {
        case .none: return .zero
        case .rates(let maker, let taker):
            let rate = liquidity == .maker ? maker : taker
            if rate.isZero { return .zero }
            return try notional.multiplied(by: rate, rounding: .ceiling).rounded(decimals: 8, rounding: .ceiling)
        case .perFill(let fee): return fee
        }
    }

    /// The most that is asked for this much: what is held for waiting orders.
    func held(notional: ExactDecimal, orders: Int = 1) throws(DecimalError) -> ExactDecimal {
        switch self {
        case .none: return .zero
        case .rates(let maker, let taker):
            return try fee(notional: notional, liquidity: maker > taker ? .maker : .taker)
        case .perFill(let fee): return try fee.multiplied(by: ExactDecimal(orders))
        }
    }
}
