import TestKit

@testable import FinanceChartsKit

/// A market whose trades reach a chart through history, a builder of their ticks, and the venue's own candles.
@MainActor
struct MixedFeed {
    enum Event: Equatable {
        /// The next trade reaches the builder.
        case trade
        /// The venue's candle after so many trades, before or behind the ticks.
        case venue(Int)
        /// History, with all trades until now.
        case load
        /// Another symbol is shown, while the builder of this one goes on.
        case leave
    }

    /// What becomes of the builder when history is loaded.
    enum Builder: CaseIterable { case kept, seeded, renewed }

    /// As they arrive: some are late, up to the lateness of a builder.
    let trades: [Tick]
    let builderMode: Builder
    let controller = ChartController()
    /// Trades before this one are known to history alone.
    let start: Int
    let updates: ThrottledUpdateManager?
    var builder = OHLCBuilder(timeframe: .m1)
    /// How many trades there were.
    var count: Int
    /// How many trades the venue's candles of each bar hold, since history was loaded.
    var venue: [Double: Int] = [:]
    var loaded: Int?
    var isAway = false
    var firstBuilt = Double.infinity
    /// The trades since history was loaded that the builder rejected: a seeded one adds nothing to bars before the seed.
    var rejected: Set<Int> = []

    init(_ trades: [Tick], before start: Int, _ mode: Builder, isThrottled: Bool = false) {
        self.trades = trades
        builderMode = mode
        (self.start, count) = (start, start)
        controller.symbol = "A"
        updates = isThrottled ? ThrottledUpdateManager(chartController: controller, interval: 3600) : nil
    }

    /// The bars that these trades make, in plain arithmetic.
    func bars(_ indices: some Sequence<Int>) -> [Candle] {
        let sorted = indices.sorted { (trades[$0].timestamp, $0) < (trades[$1].timestamp, $1) }.map { trades[$0] }
        return Dictionary(grouping: sorted) { Timeframe.m1.bucketStart(of: $0.timestamp) }.map { start, trades in
            let units = trades.reduce(0) { $0 + Int(($1.volume * 1e8).rounded()) }
            return Candle(
                timestamp: start, open: trades[0].price, high: trades.map(\.price).max()!,
                low: trades.map(\.price).min()!, close: trades.last!.price, volume: Double(units) / 1e8)
        }.sorted { $0.timestamp < $1.timestamp }
    }

    /// The bar of a time among those of these trades.
    private func bar(_ start: Double, of indices: some Sequence<Int>) -> Candle? {
        bars(indices.filter { Timeframe.m1.bucketStart(of: trades[$0].timestamp) == start }).first
    }

    /// Each bar by the source that saw most of it.
    var expected: [Candle] {
        var bars = Dictionary(
            uniqueKeysWithValues: bars((0..<count).filter { !rejected.contains($0) }).map { ($0.timestamp, $0) })
        for (start, known) in venue {
            let theirs = bar(start, of: 0..<known)
            if theirs?.volume ?? 0 > bars[start]?.volume ?? 0 { bars[start] = theirs }
        }
        return bars.values.sorted { $0.timestamp < $1.timestamp }
    }

    /// Whether the chart shows the expected bars. History has no times: where a late trade came after it, a bar's open and
    /// close may be history's, and its close that of the builder's trades.
    var isRight: Bool {
        let (shown, expected, loaded) = (controller.candles, expected, loaded ?? 0)
        guard shown.count == expected.count else { return false }
        return zip(shown, expected).allSatisfy { shown, expected in
            // A bar's volume is a sum of sums, each rounded.
            guard abs(shown.volume - expected.volume) <= 4 * expected.volume.ulp else { return false }
            var shown = shown
            shown.volume = expected.volume
            guard shown != expected, let history = bar(expected.timestamp, of: 0..<loaded), hasLateTrade(history) else {
                return shown == expected
            }
            let built = [start, loaded].map { bar(expected.timestamp, of: $0..<max($0, count))?.close }
            let closes: [Double?] = [expected.close, history.close] + built
            return shown.timestamp == expected.timestamp && shown.high == expected.high && shown.low == expected.low
                && (shown.open == expected.open || shown.open == history.open) && closes.contains(shown.close)
        }
    }

    /// Whether a trade of this bar came after history, behind a newer one that history has.
    private func hasLateTrade(_ bar: Candle) -> Bool {
        let loaded = loaded ?? 0
        let newest = trades[..<loaded].map(\.timestamp).max() ?? -.infinity
        return trades[loaded...].contains {
            $0.timestamp < newest && Timeframe.m1.bucketStart(of: $0.timestamp) == bar.timestamp
        }
    }

    /// - Returns: whether the chart can be compared: history is there, and the chart is of this symbol.
    mutating func perform(_ event: Event) -> Bool {
        switch event {
        case .trade:
            guard count < trades.count else { break }
            let result = builder.ingest(trades[count])
            if result.rejection != nil { rejected.insert(count) }
            count += 1
            guard !isAway else { break }
            if let updated = result.updated { firstBuilt = min(firstBuilt, updated.timestamp) }
            if let updates { updates.queueUpdate(result) } else { controller.apply(result) }
        case .venue(let known):
            // Of the bar of its newest trade, which may be late.
            guard !isAway, known > 0,
                let bar = bar(Timeframe.m1.bucketStart(of: trades[known - 1].timestamp), of: 0..<known)
            else { break }
            // Only where ticks come, too, there is something to compare an old candle with.
            if bar.timestamp < firstBuilt, known < loaded ?? 0 { break }
            controller.updateLast(bar)
            venue[bar.timestamp] = max(known, venue[bar.timestamp] ?? 0)
        case .load:
            if isAway { controller.symbol = "A" }
            isAway = false
            controller.setData(bars(0..<count))
            (venue, rejected) = ([:], [])
            loaded = count
            if builderMode == .renewed { builder = OHLCBuilder(timeframe: .m1) }
            if builderMode == .seeded, let last = controller.lastCandle { builder.seed(with: last) }
        case .leave:
            controller.symbol = "B"
            isAway = true
        }
        return loaded != nil && !isAway
    }
}
