internal import MarketModel

/// When and how much of a paper order is filled.
public enum FillModel: Hashable, Codable, Sendable {
    /// Against the market's traded volume, at most this share of it (above 0, up to 1): partial fills, and the same
    /// volume never fills twice. A market whose trades never had a volume is filled as with ``immediate``.
    case volume(participation: ExactDecimal)
    /// As soon as the price is there, all at once, whatever was traded.
    case immediate
    /// All at once: market orders at the last price, and a waiting limit order only when a trade is beyond its limit, so
    /// that the orders before it at the same price must have been filled.
    case through
    /// For demonstrations: market orders at once; each waiting limit order is filled at its limit with this
    /// chance (0 to 1) every `every` seconds, whatever the price is.
    case random(chance: Double, every: Double)

    var countsVolume: Bool { if case .volume = self { true } else { false } }

    /// The name in receipts.
    public var name: String {
        switch self {
        case .volume: "volume"
        case .immediate: "immediate"
        case .through: "through"
        case .random: "random"
        }
    }
}

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

    /// The highest fee for this much: what is held for waiting orders.
    func held(notional: ExactDecimal, orders: Int = 1) throws(DecimalError) -> ExactDecimal {
        switch self {
        case .none: return .zero
        case .rates(let maker, let taker):
            return try fee(notional: notional, liquidity: maker > taker ? .maker : .taker)
        case .perFill(let fee): return try fee.multiplied(by: ExactDecimal(orders))
        }
    }
}

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

/// Seconds between placing an order and its reaching the market.
public enum LatencyModel: Hashable, Codable, Sendable {
    case none
    case fixed(Double)
    case uniform(min: Double, max: Double)

    /// One order's latency; draws from the generator only where it depends on chance.
    func draw(from generator: inout SeededGenerator) -> Double {
        switch self {
        case .none: 0
        case .fixed(let seconds): seconds
        case .uniform(let least, let most): least + (most - least) * generator.unit()
        }
    }
}
