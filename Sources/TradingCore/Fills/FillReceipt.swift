/// Why a fill is what it is: the trade it was made from, and the rule.
public struct FillReceipt: Hashable, Codable, Sendable {
    /// The fill model: `volume`, `immediate`, `through`, `random`, or `liquidation`.
    public var model: String
    /// The market's trade that filled it, in the quote currency.
    public var tradePrice: ExactDecimal
    /// What was traded there, in the base currency.
    public var tradeVolume: ExactDecimal
    /// When, seconds since 1970 UTC.
    public var tradeTime: Double
    /// How much of ``tradeVolume`` this fill used; zero in the models that do not count volume.
    public var tradeUsed: ExactDecimal
    /// What the slippage model added to (or, selling, subtracted from) the trade's price, in price units, never negative.
    public var slippage: ExactDecimal
    /// Seconds between placing the order and its reaching the market.
    public var latency: Double
    /// The rule in a sentence for people.
    public var rule: String

    public init(
        model: String, tradePrice: ExactDecimal, tradeVolume: ExactDecimal, tradeTime: Double, tradeUsed: ExactDecimal,
        slippage: ExactDecimal, latency: Double, rule: String
    ) {
        self.model = model
        self.tradePrice = tradePrice
        self.tradeVolume = tradeVolume
        self.tradeTime = tradeTime
        self.tradeUsed = tradeUsed
        self.slippage = slippage
        self.latency = latency
        self.rule = rule
    }

    enum CodingKeys: String, CodingKey {
        case model, slippage, latency, rule
        case tradePrice = "trade_price"
        case tradeVolume = "trade_volume"
        case tradeTime = "trade_time"
        case tradeUsed = "trade_used"
    }
}

/// Whether an order waited in the market or came to it.
public enum Liquidity: OpenEnum {
    /// It waited, and the trade came to it.
    case maker
    /// It came to what was there.
    case taker
    /// A word of a later version.
    case unknown(String)

    public static let known: [Liquidity] = [.maker, .taker]

    public var rawValue: String {
        switch self {
        case .maker: "maker"
        case .taker: "taker"
        case .unknown(let word): word
        }
    }
}
