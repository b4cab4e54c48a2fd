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

    /// A chart of these candles.
    /// - Parameter newest: how many to show; 0 for all, as far as the narrowest candle allows.
    func chart(width: Double, height: Double, scale: Double, newest: Int) -> ChartView {
        var chart = ChartView(timeframe: timeframe, capacity: max(candles.count, 1))
        chart.resize(width: width, height: height, devicePixelRatio: scale)
        chart.setSymbol(title.utf8, precision: precision)
        chart.setData(candles)
        let wanted = newest > 0 ? min(newest, candles.count) : candles.count
        guard wanted > 0 else { return chart }
        // The margin beside the newest bar is the view's own business, so the zoom that shows all of the wanted bars is
        // found by looking at where the right edge came to lie.
        let left = Double(candles.count - wanted) - 0.75
        for _ in 0..<6 {
            chart.zoom(by: chart.visibleCount / (chart.viewport.right - left), atX: width)
            chart.followLive()
        }
        return chart
    }

    /// How many of the newest candles a chart shows whole.
    func shown(in chart: ChartView) -> Int {
        let left = chart.viewport.right - chart.visibleCount
        return candles.count - min(max(Int((left + 0.5).rounded(.up)), 0), candles.count)
    }

    /// Digits after the point that the prices need, at most seven significant ones of the highest price, so that the
    /// noise of a computed price does not fill the axis.
    var precision: Int {
        let recent = candles.suffix(1000)
        // The first significant digit's place: 5 for 67,234, 0 for 0.5, -2 for 0.005.
        var place = 0
        var rest = recent.reduce(0) { max($0, $1.high) }
        while rest >= 1 {
            rest /= 10
            place += 1
        }
        while rest < 0.1, place > -8 {
            rest *= 10
            place -= 1
        }
        let limit = min(8, max(0, 7 - place))
        return recent.reduce(0) { digits, candle in
            max(digits, Self.decimals(of: candle.open, limit: limit), Self.decimals(of: candle.close, limit: limit))
        }
    }

    private static func decimals(of price: Double, limit: Int) -> Int {
        var power = 1.0
        for digits in 0..<limit {
            let scaled = price * power
            if abs(scaled - scaled.rounded()) < 1e-8 * max(1, scaled) { return digits }
            power *= 10
        }
        return limit
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
        let day = CivilDate(timestamp: timestamp)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let date = "\(day.year)-\(two(day.month))-\(two(day.day))"
        guard timeframe.seconds < 86_400 else { return date }
        let seconds = Int(timestamp - Double(day.daysSince1970) * 86_400)
        let time = "\(two(seconds / 3600)):\(two(seconds / 60 % 60))"
        return "\(date) \(time)" + (timeframe.seconds < 60 ? ":\(two(seconds % 60))" : "")
    }
}
