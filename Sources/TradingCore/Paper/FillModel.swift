/// When and how much of a paper order is filled.
public enum FillModel: Hashable, Codable, Sendable {
    /// Against the market's traded volume, at most this share of it (above 0, up to 1): partial fills, and the same
    /// volume never fills twice.
    case volume(participation: ExactDecimal)
    /// As soon as the price is there, all at once, whatever was traded (HEAN-25).
    case immediate
    /// For demonstrations (HEAN-26): market orders at once; each waiting limit order is filled at its limit with this
    /// chance (0 to 1) every so many seconds, whatever the price is.
    case random(chance: Double, every: Double)

    /// The name in receipts.
    public var name: String {
        switch self {
        case .volume: "volume"
        case .immediate: "immediate"
        case .random: "random"
        }
    }
}
