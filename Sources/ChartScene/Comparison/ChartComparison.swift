public import MarketModel

/// Another symbol on the chart, as a line of its closes at the times of the chart's own bars.
public struct ChartComparison: Sendable {
    /// By which the chart's methods know it; never given out twice.
    public let id: Int
    /// The symbol's UTF-8.
    public let symbol: [UInt8]
    /// Digits after the point of its price.
    public let precision: Int
    /// `nil` is the theme's.
    public internal(set) var colour: Colour?
    public internal(set) var isVisible = true
    /// Its own bars.
    public internal(set) var series: CandleSeries

    /// Of the theme's palette.
    let slot: Int
    /// Its close for each bar of the chart.
    var closes = AlignedCloses()

    func colour(_ theme: Theme) -> Colour { colour ?? theme.palette(slot) }
}

/// One series' closes at the times of another one's bars: the last close that was known then, NaN before the first one
/// and after the newest.
struct AlignedCloses: Sendable {
    private var values: [Double] = []
    /// Dropped rows that the next compaction removes.
    private var head = 0

    var count: Int { values.count - head }
    func value(at index: Int) -> Double { index >= 0 && index < count ? values[head + index] : .nan }

    /// The first bar of a range with a price.
    func firstPrice(in range: Range<Int>) -> Int? {
        for index in range where value(at: index) > 0 { return index }
        return nil
    }

    func withValues<R>(_ body: (UnsafeBufferPointer<Double>) -> R) -> R {
        values.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[head...])) }
    }

    mutating func dropFirst(_ rows: Int) {
        head = min(head + rows, values.count)
        guard head > 1024, head * 2 > values.count else { return }
        values.removeFirst(head)
        head = 0
    }

    /// Bars from `index` on changed or came.
    /// - Complexity: O(bars after it + log bars)
    mutating func update(_ bars: CandleSeries, _ other: CandleSeries, from index: Int) {
        let first = min(max(index, 0), count)
        while count > bars.count { values.removeLast() }
        guard first < bars.count else { return }
        var place = other.firstIndex(notBefore: bars.timestamp(at: first))
        for at in first..<bars.count {
            let time = bars.timestamp(at: at)
            while place < other.count, other.timestamp(at: place) <= time { place += 1 }
            // `place` is the first bar after this time; where there is none, only the very time of the newest one counts.
            let isKnown = place > 0 && (place < other.count || other.timestamp(at: place - 1) == time)
            let value = isKnown ? other.close(at: place - 1) : .nan
            if at < count { values[head + at] = value } else { values.append(value) }
        }
    }
}
