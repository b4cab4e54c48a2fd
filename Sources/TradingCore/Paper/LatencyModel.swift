internal import MarketModel

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
