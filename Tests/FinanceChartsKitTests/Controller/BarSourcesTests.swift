import TestKit
import Testing

@testable import FinanceChartsKit

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

    /// Trades in order; the newest and the oldest of a bar that come after the next bar's first; a late one within a bar.
    nonisolated private static let markets: [[Tick]] = {
        let rows: [[(Double, Double, Double)]] = [
            [(65.0, 10.0, 0.1), (80, 12, 0.2), (110, 9, 0.7), (130, 11, 0.4)],
            [(65, 10, 0.1), (115, 12, 0.2), (122, 9, 0.7), (118, 13, 0.4)],
            [(115, 12, 0.2), (123, 9, 0.7), (114, 10, 0.1), (124, 14, 0.4)],
            [(65, 10, 0.1), (110, 12, 0.2), (105, 9, 0.7), (130, 11, 0.4)],
        ]
        return rows.map { row in row.map { Tick(timestamp: $0.0, price: $0.1, volume: $0.2) } }
    }()

    @Test(
        "every interleaving of trades, the venue's candles, history and another symbol shows the right bar",
        arguments: MixedFeed.Builder.allCases, markets)
    func everyInterleaving(mode: MixedFeed.Builder, market: [Tick]) {
        for start in 0...2 { checkInterleavings(mode, start, market) }
    }

    private func checkInterleavings(_ mode: MixedFeed.Builder, _ start: Int, _ trades: [Tick]) {
        let orders = Self.interleavings([
            Array(repeating: MixedFeed.Event.trade, count: trades.count - start), [.venue(2), .venue(3)],
            [.load, .leave, .load],
        ])
        #expect(Set(orders.map { "\($0)" }).count == orders.count && orders.count >= 210)
        for order in orders {
            var feed = MixedFeed(trades, before: start, mode)
            for (step, event) in order.enumerated() where feed.perform(event) {
                guard !feed.isRight else { continue }
                Issue.record(
                    "\(mode) from \(start), step \(step) of \(order): \(feed.controller.candles) for \(feed.expected)")
                return
            }
        }
    }

    @Test(
        "random markets of many bars, with late trades or without, throttled or not, show the right bars",
        arguments: 1...60 as ClosedRange<UInt64>, [0.0, 8])
    func random(seed: UInt64, mostLate: Double) {
        var random = SeededGenerator(seed: seed)
        var stream = TickStream(seed: seed, meanGap: 4)
        var trades = stream.next(200)
        if mostLate > 0 {
            trades = trades.map { ($0, $0.timestamp + Double.random(in: 0..<mostLate, using: &random)) }
                .sorted { $0.1 < $1.1 }.map(\.0)
        }
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
            guard !feed.isRight else { continue }
            Issue.record(
                "seed \(seed), \(feed.builderMode), step \(step): \(event): \(feed.controller.candles.suffix(4)) for \(feed.expected.suffix(4))"
            )
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
