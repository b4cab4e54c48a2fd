public import MarketModel

/// What is drawn over the price: a set of the studies that most charts begin with.
///
/// ```swift
/// controller.overlays = [.ema20, .bollinger20]
/// controller.toggleOverlay(.sma50)
/// ```
public struct OverlaySpec: OptionSet, Codable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Exponential moving average over 20 bars.
    public static let ema20 = OverlaySpec(rawValue: 1 << 0)
    /// Exponential moving average over 50 bars.
    public static let ema50 = OverlaySpec(rawValue: 1 << 1)
    /// Simple moving average over 20 bars.
    public static let sma20 = OverlaySpec(rawValue: 1 << 2)
    /// Simple moving average over 50 bars.
    public static let sma50 = OverlaySpec(rawValue: 1 << 3)
    /// Bollinger bands: the mean of 20 bars and two standard deviations to either side.
    public static let bollinger20 = OverlaySpec(rawValue: 1 << 4)

    public static let all: OverlaySpec = [.ema20, .ema50, .sma20, .sma50, .bollinger20]

    /// The names of its members, as a menu shows them.
    public var displayNames: [String] {
        OverlaySpec.members.filter { contains($0.spec) }.map(\.name)
    }

    /// The studies that its members are.
    public var studies: [StudySettings] {
        OverlaySpec.members.filter { contains($0.spec) }.map(\.study)
    }

    private static let members: [(spec: OverlaySpec, name: String, study: StudySettings)] = [
        (.ema20, "EMA 20", StudySettings(.ema, parameters: [20])),
        (.ema50, "EMA 50", StudySettings(.ema, parameters: [50])),
        (.sma20, "SMA 20", StudySettings(.sma, parameters: [20])),
        (.sma50, "SMA 50", StudySettings(.sma, parameters: [50])),
        (.bollinger20, "Bollinger 20", StudySettings(.bollinger, parameters: [20, 2])),
    ]
}
