import TestKit
import Testing

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

    let trades: [Tick]
    let builderMode: Builder
    let controller = ChartController()
    let updates: ThrottledUpdateManager?
    var builder = OHLCBuilder(timeframe: .m1)
    /// How many trades there were: those of before the start are known to history alone.
    var count: Int
    /// How many trades the venue's candles of each bar hold, since history was loaded.
    var venue: [Double: Int] = [:]
    var loaded: Int?
    var isAway = false
    var firstBuilt = Double.infinity

    init(_ trades: [Tick], before start: Int, _ mode: Builder, isThrottled: Bool = false) {
        self.trades = trades
        builderMode = mode
        count = start
        controller.symbol = "A"
        updates = isThrottled ? ThrottledUpdateManager(chartController: controller, interval: 3600) : nil
    }

    /// The bars that the first trades make, in plain arithmetic.
    func bars(_ count: Int) -> [Candle] {
        Dictionary(grouping: trades[..<count]) { Timeframe.m1.bucketStart(of: $0.timestamp) }.map { start, trades in
            let units = trades.reduce(0) { $0 + Int(($1.volume * 1e8).rounded()) }
            return Candle(
                timestamp: start, open: trades[0].price, high: trades.map(\.price).max()!,
                low: trades.map(\.price).min()!, close: trades.last!.price, volume: Double(units) / 1e8)
        }.sorted { $0.timestamp < $1.timestamp }
    }

    /// Each bar by the source that saw most of it.
    var expected: [Candle] {
        var bars = Dictionary(uniqueKeysWithValues: bars(count).map { ($0.timestamp, $0) })
        for (start, known) in venue where known > count {
            bars[start] = self.bars(known).first { $0.timestamp == start }
        }
        return bars.values.sorted { $0.timestamp < $1.timestamp }
    }

    /// - Returns: whether the chart can be compared: history is there, and the chart is of this symbol.
    mutating func perform(_ event: Event) -> Bool {
        switch event {
        case .trade:
            guard count < trades.count else { break }
            let result = builder.ingest(trades[count])
            count += 1
            guard !isAway else { break }
            if let updated = result.updated { firstBuilt = min(firstBuilt, updated.timestamp) }
            if let updates { updates.queueUpdate(result) } else { controller.apply(result) }
        case .venue(let known):
            guard !isAway, let bar = bars(known).last else { break }
            // Only where ticks come, too, there is something to compare an old candle with.
            if bar.timestamp < firstBuilt, known < loaded ?? 0 { break }
            controller.updateLast(bar)
            venue[bar.timestamp] = max(known, venue[bar.timestamp] ?? 0)
        case .load:
            if isAway { controller.symbol = "A" }
            isAway = false
            controller.setData(bars(count))
            venue = [:]
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

@Suite("A bar of several sources")
@MainActor
struct BarSourcesTests {
    nonisolated static let ways = ["apply", "updateLast and append"]

    private static func show(_ result: BuildResult, _ way: String, on controller: ChartController) {
        guard way != "apply" else { return _ = controller.apply(result) }
        if let updated = result.updated { controller.updateLast(updated) }
        if let appended = result.appended { controller.append(appended) }
    }

    @Test("history, a trade, and the venue's closing candle: the trade counts once", arguments: ways, [9, 10.5])
    func closingCandle(way: String, price: Double) {
        let controller = ChartController()
        controller.setData([Candle(timestamp: 60, open: 9, high: 11, low: 8, close: 10, volume: 8)])
        var builder = OHLCBuilder(timeframe: .m1)
        Self.show(builder.ingest(Tick(timestamp: 100, price: price, volume: 1)), way, on: controller)
        #expect(controller.lastCandle?.volume == 9)
        let closing = Candle(timestamp: 60, open: 9, high: 11, low: 8, close: price, volume: 9)
        #expect(controller.append(closing) == .merged)
        #expect(controller.lastCandle == closing)
        Self.show(builder.ingest(Tick(timestamp: 121, price: 12, volume: 1)), way, on: controller)
        #expect(controller.candles == [closing, .at(120, 12)])
    }

    @Test("another symbol and back within a bar, its history loaded again: nothing counts twice", arguments: ways)
    func thereAndBack(way: String) {
        let controller = ChartController()
        var builders = BuilderPool()
        func tick(_ time: Double, _ price: Double, _ volume: Double) {
            let tick = Tick(timestamp: time, price: price, volume: volume)
            Self.show(builders.ingest(tick, symbol: "A", timeframe: .m1, now: time), way, on: controller)
        }
        controller.symbol = "A"
        controller.setData([Candle(timestamp: 60, open: 9, high: 11, low: 8, close: 10, volume: 5)])
        tick(90, 10, 2)
        tick(95, 12, 3)
        let reloaded = Candle(timestamp: 60, open: 9, high: 12, low: 8, close: 12, volume: 10)
        #expect(controller.lastCandle == reloaded)
        controller.symbol = "B"
        controller.setData([.at(60, 500)])
        controller.symbol = "A"
        controller.setData([reloaded])
        tick(100, 11, 1)
        #expect(
            controller.lastCandle == Candle(timestamp: 60, open: 9, high: 12, low: 8, close: 11, volume: 11))
    }

    /// All ways of going through the lists at once, each in its order.
    private static func interleavings<T>(_ lists: [[T]]) -> [[T]] {
        guard lists.contains(where: { !$0.isEmpty }) else { return [[]] }
        return lists.indices.flatMap { index -> [[T]] in
            guard let first = lists[index].first else { return [] }
            var rest = lists
            rest[index].removeFirst()
            return interleavings(rest).map { [first] + $0 }
        }
    }

    @Test(
        "every interleaving of trades, the venue's candles, history and another symbol shows the right bar",
        arguments: MixedFeed.Builder.allCases, [0, 1, 2])
    func everyInterleaving(mode: MixedFeed.Builder, start: Int) {
        let trades = [(65.0, 10.0, 0.1), (80, 12, 0.2), (110, 9, 0.7), (130, 11, 0.4)].map {
            Tick(timestamp: $0.0, price: $0.1, volume: $0.2)
        }
        let orders = Self.interleavings([
            Array(repeating: MixedFeed.Event.trade, count: trades.count - start), [.venue(2), .venue(3)],
            [.load, .leave, .load],
        ])
        #expect(Set(orders.map { "\($0)" }).count == orders.count && orders.count >= 210)
        for order in orders {
            var feed = MixedFeed(trades, before: start, mode)
            for (step, event) in order.enumerated() where feed.perform(event) {
                guard feed.controller.candles != feed.expected else { continue }
                Issue.record("step \(step) of \(order): \(feed.controller.candles) for \(feed.expected)")
                return
            }
        }
    }

    @Test(
        "random markets of many bars, throttled or not, show the right bars", arguments: 1...60 as ClosedRange<UInt64>)
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var stream = TickStream(seed: seed, meanGap: 4)
        let trades = stream.next(200)
        let isThrottled = seed % 2 == 0
        var feed = MixedFeed(
            trades, before: random.below(20), MixedFeed.Builder.allCases[random.below(3)], isThrottled: isThrottled)
        var compared = 0
        for step in 0..<600 {
            var event = MixedFeed.Event.trade
            switch random.below(20) {
            case 0: event = .load
            case 1 where feed.loaded != nil && !feed.isAway: event = .leave
            case 2...6: event = .venue(min(trades.count, max(1, feed.count + random.below(9) - 4)))
            default: break
            }
            guard feed.perform(event) else { continue }
            feed.updates?.flush()
            compared += 1
            guard feed.controller.candles != feed.expected else { continue }
            Issue.record("seed \(seed), step \(step): \(event)")
            return
        }
        #expect(compared > 100)
    }

    @Test("bars that came one by one before the first tick are history, too")
    func oneByOne() {
        let controller = ChartController()
        let bar = Candle(timestamp: 60, open: 9, high: 11, low: 8, close: 10, volume: 5)
        controller.append(bar)
        var builder = OHLCBuilder(timeframe: .m1)
        controller.apply(builder.ingest(Tick(timestamp: 90, price: 10.5, volume: 1)))
        controller.apply(builder.ingest(Tick(timestamp: 95, price: 12, volume: 2)))
        #expect(controller.lastCandle == Candle(timestamp: 60, open: 9, high: 12, low: 8, close: 12, volume: 8))
    }

    @Test("ticks without volume move the price of a bar that has some")
    func withoutVolume() {
        let controller = ChartController()
        var builder = OHLCBuilder(timeframe: .m1)
        controller.setData([Candle(timestamp: 60, open: 9, high: 11, low: 8, close: 10, volume: 5)])
        controller.apply(builder.ingest(Tick(timestamp: 90, price: 12, volume: 0)))
        #expect(controller.lastCandle == Candle(timestamp: 60, open: 9, high: 12, low: 8, close: 12, volume: 5))
        controller.apply(builder.ingest(Tick(timestamp: 121, price: 12, volume: 0)))
        controller.updateLast(.at(120, 12, volume: 3))
        controller.apply(builder.ingest(Tick(timestamp: 122, price: 13, volume: 0)))
        #expect(controller.lastCandle == Candle(timestamp: 120, open: 12, high: 13, low: 12, close: 13, volume: 3))
    }
}
