public import MarketModel

/// What is drawn in panes of their own under the price.
public struct IndicatorSpec: OptionSet, Codable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Wilder's relative strength index over 14 bars, with guides at 70 and 30.
    public static let rsi14 = IndicatorSpec(rawValue: 1 << 0)
    /// Moving average convergence/divergence: 12, 26 and 9 bars.
    public static let macd = IndicatorSpec(rawValue: 1 << 1)
    /// Stochastic oscillator: 14, 3 and 3 bars.
    public static let stochastic = IndicatorSpec(rawValue: 1 << 2)

    public static let all: IndicatorSpec = [.rsi14, .macd, .stochastic]

    /// The names of its members, as a menu shows them.
    public var displayNames: [String] {
        IndicatorSpec.members.filter { contains($0.spec) }.map(\.name)
    }

    /// The studies that its members are.
    public var studies: [StudySettings] {
        IndicatorSpec.members.filter { contains($0.spec) }.map(\.study)
    }

    private static let members: [(spec: IndicatorSpec, name: String, study: StudySettings)] = [
        (.rsi14, "RSI 14", StudySettings(.rsi, parameters: [14])),
        (.macd, "MACD", StudySettings(.macd, parameters: [12, 26, 9])),
        (.stochastic, "Stochastic", StudySettings(.stochastic, parameters: [14, 3, 3])),
    ]
}
