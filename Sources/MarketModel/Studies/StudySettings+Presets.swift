/// The studies that a chart offers by one touch.
extension StudySettings {
    public static let ema20 = StudySettings(.ema, parameters: [20])
    public static let ema50 = StudySettings(.ema, parameters: [50])
    public static let sma20 = StudySettings(.sma, parameters: [20])
    public static let sma50 = StudySettings(.sma, parameters: [50])
    /// 20 bars, two standard deviations.
    public static let bollinger20 = StudySettings(.bollinger, parameters: [20, 2])
    /// Wilder's own period.
    public static let rsi14 = StudySettings(.rsi, parameters: [14])
    /// Averages of 12 and 26 bars, the signal of 9.
    public static let macd = StudySettings(.macd, parameters: [12, 26, 9])
    /// 14 bars, %K and %D smoothed over 3 each: the slow stochastic.
    public static let stochastic = StudySettings(.stochastic, parameters: [14, 3, 3])

    /// Over the price: EMA 20 and 50, SMA 20 and 50, Bollinger bands.
    public static let overlayPresets = [ema20, ema50, sma20, sma50, bollinger20]
    /// In panes of their own: RSI, MACD, Stochastic.
    public static let indicatorPresets = [rsi14, macd, stochastic]
}
