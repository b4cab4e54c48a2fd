public import MarketModel

/// What is drawn in panes of their own under the price.
public struct IndicatorSpec: OptionSet, Codable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Wilder's relative strength index over 14 bars, with guides at 70 and 30.
    public static let rsi14 = IndicatorSpec(rawValue: 1 << 0)
    /// Moving average convergence/divergence: 12, 26 and 9 bars.
    public static let macd = IndicatorSpec(rawValue: 1 << 1)
    /// Stochastic oscillator: 14, 3 and 3 bars.
    public static let stochastic = IndicatorSpec(rawValue: 1 << 2)

    public static let all: IndicatorSpec = [.rsi14, .macd, .stochastic]

    /// The names of its members, as a menu shows them.
    public var displayNames: [String] { members(of: ["RSI 14", "MACD", "Stochastic"]) }

    /// The studies that its members are, of `StudySettings.indicatorPresets`, whose order is that of the bits.
    public var studies: [StudySettings] { members(of: StudySettings.indicatorPresets) }
}

/// What is drawn over the price: a set of the studies that most charts begin with.
///
/// ```swift
/// controller.overlays = [.ema20, .bollinger20]
/// controller.toggleOverlay(.sma50)
/// ```
public struct OverlaySpec: OptionSet, Codable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

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
    public var displayNames: [String] { members(of: ["EMA 20", "EMA 50", "SMA 20", "SMA 50", "Bollinger 20"]) }

    /// The studies that its members are, of `StudySettings.overlayPresets`, whose order is that of the bits.
    public var studies: [StudySettings] { members(of: StudySettings.overlayPresets) }
}

extension OptionSet where RawValue == Int {
    /// Those of a list, in the order of the bits, whose bit is set.
    fileprivate func members<T>(of all: [T]) -> [T] {
        all.indices.filter { rawValue >> $0 & 1 == 1 }.map { all[$0] }
    }
}
