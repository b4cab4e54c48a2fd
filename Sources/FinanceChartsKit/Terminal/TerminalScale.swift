import MarketModel

/// Prices to half character rows, 0 at the top.
struct TerminalScale {
    let low: Double
    let high: Double
    let halves: Int

    init(low: Double, high: Double, halves: Int) {
        // A flat market gets room above and below.
        let room = high > low ? 0 : max(high.magnitude * 0.001, 1e-9)
        self.low = low - room
        self.high = high + room
        self.halves = max(1, halves)
    }

    func half(_ price: Double) -> Int {
        let share = (high - price) / (high - low)
        guard share.isFinite else { return 0 }
        return min(max(Int((share * Double(halves - 1)).rounded()), 0), halves - 1)
    }

    /// Round prices at least `rows` character rows apart, the lowest first.
    func ticks(rows: Int) -> [Double] {
        let smallest = (high - low) / Double(max(halves / 2, 1)) * Double(rows)
        guard smallest > 0, smallest.isFinite else { return [] }
        var step = 1.0
        while step > smallest { step /= 10 }
        while step * 10 <= smallest { step *= 10 }
        step *= [1, 2, 5, 10].first { step * $0 >= smallest } ?? 10
        var ticks: [Double] = []
        var tick = (low / step).rounded(.up) * step
        while tick <= high, ticks.count < 200 {
            ticks.append(tick)
            tick += step
        }
        return ticks
    }
}

/// Labels of the time axis.
enum TerminalTime {
    private static let steps: [Double] = [
        1, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400, 172_800, 604_800,
        1_209_600, 2_592_000, 7_776_000, 15_552_000, 31_536_000,
    ]

    /// Seconds between two labels that are at least `columns` columns apart.
    static func step(_ timeframe: Timeframe, candleColumns: Int, columns: Int) -> Double {
        let least = timeframe.seconds * Double(columns) / Double(max(candleColumns, 1))
        return steps.first { $0 >= least } ?? least
    }

    /// `14:05`, `14:05:30`, `11-21` or `2026-11` as the step needs; UTC.
    static func label(_ timestamp: Double, step: Double) -> String {
        let day = CivilDate(timestamp: timestamp)
        let seconds = Int(timestamp - Double(day.daysSince1970) * 86_400)
        if step >= 2_592_000 { return "\(day.year)-\(two(day.month))" }
        if step >= 86_400 || seconds == 0 { return "\(two(day.month))-\(two(day.day))" }
        let time = "\(two(seconds / 3600)):\(two(seconds / 60 % 60))"
        return step < 60 ? time + ":\(two(seconds % 60))" : time
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
