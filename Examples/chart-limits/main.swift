// What keeps a chart light for days: throttled updates, a cap on bars, builders that go when idle, and a look at what
// drawing costs. Run it with: swift run example-chart-limits

import FinanceChartsKit

/// Receives reports of slow frames and memory.
@MainActor
final class Watcher: ChartPerformanceDelegate {
    var dropped = 0
    var bytes = 0

    func chartDidDropFrame(_ frameTime: Double) { dropped += 1 }
    func chartMemoryUsage(_ bytes: Int) { self.bytes = bytes }
}

let watcher = Watcher()
let controller = ChartController(capacity: 10_000)
controller.setPerformanceDelegate(watcher)

// Throttled: a thousand updates a second are thirty pictures, and every bar ends with its final values.
let updates = ThrottledUpdateManager(chartController: controller, interval: 1.0 / 30)
var market = SimulatedTicks(seed: 3)
var builders = BuilderPool(idleTime: 3600)
let start = 1_763_700_000.0
var time = start
let picturesBefore = controller.revision
for _ in 0..<20_000 {
    time += 40
    updates.queueUpdate(builders.ingest(market.next(at: time), symbol: "BTC-USD", timeframe: .m1, now: time))
}
updates.flush()
print(controller.totalCandleCount, "bars after", controller.revision - picturesBefore, "changes of the picture;")
print(updates.replacedUpdates, "updates were out of date before they were shown")

// Capped: the oldest bars go by themselves, and earlier where memory is short.
controller.trimOldData(keepingLast: 2000)
_ = controller.displayList()
print(controller.totalCandleCount, "bars,", watcher.bytes, "bytes,", watcher.dropped, "slow frames")

// Idle: builders that had no tick for an hour go, unless their bar is not over yet.
_ = builders.ingest(market.next(at: time), symbol: "BTC-USD", timeframe: .mo1, now: time)
for (key, last) in builders.evictIdle(now: time + 3600) { print(key, "went; its last bar closed at", last.close) }
print(builders.count, "builder stays, in mid-bar:", builders.keys.map(\.description).joined())
precondition(builders.count == 1 && controller.totalCandleCount == 2000)
