import FinanceChartsKit
import Foundation

/// Candles with what a chart must know beside them.
struct ChartBars {
    let title: String
    let timeframe: Timeframe
    /// Ascending, and all of them such that a chart shows them.
    let candles: [Candle]
    /// How many were left out because they lie before 1970, where the model's time begins.
    let tooEarly: Int

    init(title: String, timeframe: Timeframe, candles: [Candle]) {
        self.title = title
        self.timeframe = timeframe
        self.candles = candles.filter { $0.isWellFormed }
        tooEarly = candles.count - self.candles.count
    }

    /// "200 candles of 1m, 2024-02-29 12:34 to 2024-02-29 15:54 UTC"
    func summary(newest shown: Int) -> String {
        let shown = candles.suffix(shown)
        let left = tooEarly > 0 ? "; \(tooEarly) before 1970 left out" : ""
        guard let first = shown.first, let last = shown.last else { return "no candles\(left)" }
        let range = "\(Self.text(first.timestamp, timeframe)) to \(Self.text(last.timestamp, timeframe)) UTC"
        return "\(shown.count) of \(candles.count) candles of \(timeframe.rawValue), \(range)\(left)"
    }

    private static func text(_ timestamp: Double, _ timeframe: Timeframe) -> String {
        let text = TimeText.utc(timestamp)
        return String(text.dropLast(timeframe.seconds >= 86_400 ? 9 : timeframe.seconds < 60 ? 0 : 3))
    }
}
