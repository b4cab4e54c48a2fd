/// How much worse than the trade's price an order that comes to the market is filled. Waiting orders have none, and no
/// limit is passed.
public enum SlippageModel: Hashable, Codable, Sendable {
    case none
    /// A share of the price in hundredths of a percent.
    case basisPoints(ExactDecimal)
    /// `basisPoints` for an order as large as the trade, in proportion for others, at most ten times as much.
    case volumeImpact(basisPoints: ExactDecimal)

    /// In price units, rounded up to 8 decimals.
    func slippage(
        price: ExactDecimal, quantity: ExactDecimal, tradeVolume: ExactDecimal
    ) throws(DecimalError) -> ExactDecimal {
        let points: ExactDecimal
        switch self {
        case .none: return .zero
        case .basisPoints(let fixed): points = fixed
        case .volumeImpact(let whole):
            let times =
                tradeVolume.isPositive
                ? min(try quantity.divided(by: max(tradeVolume, try quantity.divided(by: 10, rounding: .up))), 10) : 10
            points = try whole.multiplied(by: times)
        }
        if points.isZero { return .zero }
        return try price.multiplied(by: points, over: 10_000, rounding: .up).rounded(decimals: 8, rounding: .up)
    }
}
