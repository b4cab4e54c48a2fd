/// The rules of a paper exchange.
///
/// The defaults: fills from all of the traded volume, 0.02 % for makers and 0.05 % for takers, no slippage, no latency,
/// leverage up to 100, positions closed at a maintenance margin of 0.5 % and announced at one and a half times that.
public struct PaperSettings: Hashable, Codable, Sendable {
    public var fillModel: FillModel
    public var feeModel: FeeModel
    public var slippageModel: SlippageModel
    public var latency: LatencyModel
    /// What an account is opened with: one amount a currency.
    public var initialCapital: [Money]
    /// The share of the positions' value at which they are closed, 0 up to 1.
    public var maintenanceRate: ExactDecimal
    /// The warning comes when the equity is down to this many times the maintenance margin, 1 or more.
    public var warningFactor: ExactDecimal
    /// 1 to 1000.
    public var maxLeverage: Int
    /// Orders of an account that may wait at a time.
    public var maxActiveOrders: Int

    public init(
        fillModel: FillModel = .volume(participation: 1),
        feeModel: FeeModel = .rates(maker: ExactDecimal("0.0002")!, taker: ExactDecimal("0.0005")!),
        slippageModel: SlippageModel = .none, latency: LatencyModel = .none,
        initialCapital: [Money] = [Money(100_000, "USD")], maintenanceRate: ExactDecimal = ExactDecimal("0.005")!,
        warningFactor: ExactDecimal = ExactDecimal("1.5")!, maxLeverage: Int = 100, maxActiveOrders: Int = 20_000
    ) {
        self.fillModel = fillModel
        self.feeModel = feeModel
        self.slippageModel = slippageModel
        self.latency = latency
        self.initialCapital = initialCapital
        self.maintenanceRate = maintenanceRate
        self.warningFactor = warningFactor
        self.maxLeverage = maxLeverage
        self.maxActiveOrders = maxActiveOrders
    }

    /// What is wrong with the settings, each with the field's name; empty where nothing is.
    public var problems: [TradingRejection] {
        var problems: [TradingRejection] = []
        func check(_ isGood: Bool, _ field: String, _ message: String) {
            if !isGood { problems.append(TradingRejection(.invalid, field: field, message)) }
        }
        switch fillModel {
        case .volume(let share):
            check(share.isPositive && share <= 1, "participation", "must be above 0 and at most 1")
        case .immediate, .through: break
        case .random(let chance, let every):
            check(chance >= 0 && chance <= 1, "chance", "must be between 0 and 1")
            check(every >= 0.001 && every <= 1e9, "every", "must be a number of seconds between 0.001 and 1e9")
        }
        switch feeModel {
        case .none: break
        case .rates(let maker, let taker):
            check(maker.magnitude < 1, "maker", "must be between -1 and 1")
            check(!taker.isNegative && taker < 1, "taker", "must be at least 0 and below 1")
            check(!((try? maker + taker) ?? -1).isNegative, "maker", "must not be a rebate above the taker's fee")
        case .perFill(let fee): check(!fee.isNegative && fee <= 1_000_000, "per_fill", "must be between 0 and 1000000")
        }
        switch slippageModel {
        case .none: break
        case .basisPoints(let points), .volumeImpact(let points):
            check(!points.isNegative && points <= 500, "basis_points", "must be between 0 and 500")
        }
        switch latency {
        case .none: break
        case .fixed(let seconds):
            check(seconds >= 0 && seconds <= 3600, "latency", "must be between 0 and 3600 seconds")
        case .uniform(let least, let most):
            check(
                least >= 0 && most >= least && most <= 3600, "latency",
                "must be between 0 and 3600 seconds, min at most max")
        }
        check(!maintenanceRate.isNegative && maintenanceRate < 1, "maintenance_rate", "must be at least 0 and below 1")
        check(warningFactor >= 1 && warningFactor <= 100, "warning_factor", "must be between 1 and 100")
        check((1...1000).contains(maxLeverage), "max_leverage", "must be between 1 and 1000")
        check(maxActiveOrders > 0, "max_active_orders", "must be at least 1")
        return problems
    }
}
