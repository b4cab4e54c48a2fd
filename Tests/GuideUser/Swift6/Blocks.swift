import FinanceChartsKit
import Foundation

/// A block of the guide did not do what it promises.
nonisolated struct NotTrue: LocalizedError {
    let errorDescription: String?
    init(_ sentence: String) { errorDescription = sentence }
}

nonisolated func expect(_ isTrue: Bool, _ otherwise: @autoclosure () -> String) throws {
    if !isTrue { throw NotTrue(otherwise()) }
}

/// Waits for a condition, 30 s at most.
@MainActor
func eventually(_ what: String, _ isTrue: () -> Bool) async throws {
    let start = ContinuousClock.now
    while !isTrue() {
        try expect(ContinuousClock.now - start < .seconds(30), "not within 30 s: \(what)")
        try await Task.sleep(for: .milliseconds(10))
    }
}

/// Messages of a provider's log.
@MainActor
final class Log {
    private(set) var lines: [String] = []
    func add(_ line: String) { lines.append(line) }
    func count(_ prefix: String) -> Int { lines.count { $0.hasPrefix(prefix) } }
}

/// Runs each block against a server; each returns what it saw.
@MainActor
struct Blocks {
    let host: String
    var stream: URL { URL(string: "ws://\(host)/v1/stream")! }
    var nowhere: URL { URL(string: "ws://127.0.0.1:1/v1/stream")! }

    var all: [(name: String, run: () async throws -> String)] {
        [
            ("provider", provider), ("messages", messages), ("aggregation", aggregation), ("connection", connection),
            ("history", history), ("rate limit", rateLimit), ("validation", validation), ("recovery", recovery),
            ("several symbols", severalSymbols), ("throttling", throttling), ("memory", memory), ("mock", mock),
        ]
    }

    func chart(_ symbol: String = "BTC-USD", _ timeframe: Timeframe = .s1) -> ChartController {
        let chart = ChartController()
        chart.symbol = symbol
        chart.timeframe = timeframe
        return chart
    }

    func provider() async throws -> String {
        let chart = chart()
        let log = Log()
        let provider = WebSocketProvider(url: stream, chartController: chart)
        provider.log = log.add
        try expect(chart.lastPrice == nil, "a chart without bars has a last price")
        provider.connect()
        try await eventually("a snapshot of 300 bars and three more") { chart.totalCandleCount >= 303 }
        try expect(provider.isConnected && chart.connectionStatus == .live, "the chart is not LIVE")
        try expect(Array(provider.builders.keys) == ["BTC-USD_1s"], "builders: \(provider.builders.keys)")

        provider.changeTimeframe(to: .s5)
        try await eventually("bars of five seconds") { chart.totalCandleCount >= 300 }
        let spacing = zip(chart.candles.dropFirst(), chart.candles).map { $0.timestamp - $1.timestamp }
        try expect(spacing.allSatisfy { $0 == 5 }, "bars of another timeframe are among those of 5 s")
        try await eventually("a builder of the new timeframe") { provider.builders.keys.sorted() == ["BTC-USD_5s"] }

        provider.disconnect()
        try await eventually("the end of the connection") { !provider.isConnected }
        try expect(chart.connectionStatus == .reconnecting, "the chart is LIVE without a connection")
        return "LIVE, bars of 1s and 5s without a hole, \(log.lines.last ?? "no word on the end")"
    }

    func messages() async throws -> String {
        let chart = chart()
        let log = Log()
        let provider = WebSocketProvider(url: stream, chartController: chart)
        provider.log = log.add
        let now = Date().timeIntervalSince1970.rounded(.down)
        let bar = #""open":1,"high":2,"low":1,"close":2,"volume":3"#
        provider.handleMessage(
            #"{"type":"snapshot","symbol":"BTC-USD","candles":[{"timestamp":\#(now - 2),\#(bar)}]}"#)
        provider.handleMessage(#"{"type":"candle","symbol":"BTC-USD","timestamp":\#(now - 1),\#(bar)}"#)
        let tick = #"{"type":"tick","symbol":"BTC-USD","timestamp":\#(now),"price":5,"volume":1}"#
        provider.handleBinaryMessage(Data(tick.utf8))
        let seen = chart.candles
        try expect(seen.map(\.close) == [2, 2, 5], "closes: \(seen.map(\.close))")
        provider.handleMessage(tick.replacingOccurrences(of: "BTC", with: "ETH"))
        provider.handleMessage(#"{"type":"tick","symbol":"BTC-USD","price":5,"volume":1}"#)
        provider.handleMessage(#"{"type":"weather"}"#)
        provider.handleMessage("not JSON")
        try expect(chart.candles == seen, "a message that is not for this chart changed it")
        let expected = ["incomplete tick dropped", "unknown message type: weather", "no message: 8 bytes"]
        try expect(log.lines == expected, "log: \(log.lines)")
        return "snapshot, candle and tick shown; \(log.lines.joined(separator: "; "))"
    }

    func aggregation() async throws -> String {
        let start = Timeframe.s5.bucketStart(of: Date().timeIntervalSince1970 - 120)
        var ticks: [Tick] = []
        for second in stride(from: 0, to: 60, by: 0.25) {
            ticks.append(Tick(timestamp: start + second, price: Double(1 + ticks.count * 7 % 31), volume: 1))
        }
        // Each 8 s of ticks arrive in another order.
        let late = (0..<8).flatMap { part in
            let ticks = ticks[(part * 32)..<min(240, part * 32 + 32)]
            return ticks.indices.map { ticks[ticks.startIndex + ($0 - ticks.startIndex) * 5 % ticks.count] }
        }
        var charts: [ChartController] = []
        for ticks in [ticks, late] {
            let provider = WebSocketProvider(url: stream, chartController: chart("BTC-USD", .s5))
            for tick in ticks { provider.handleTick(tick) }
            charts.append(provider.chartController)
        }
        let oneCall = chart("BTC-USD", .s5)
        var builder = OHLCBuilder(timeframe: .s5)
        for tick in late { oneCall.apply(builder.ingest(tick)) }
        let bars = charts[0].candles
        try expect(bars.count == 12 && bars.allSatisfy { $0.volume == 20 }, "bars of ticks in order: \(bars)")
        try expect(charts[1].candles == bars, "two fields: late ticks give other bars")
        try expect(oneCall.candles == bars, "apply(result): late ticks give other bars")
        return "\(bars.count) bars, the same from ticks up to 8 s late"
    }

    func connection() async throws -> String {
        let log = Log()
        let provider = WebSocketProvider(url: nowhere, chartController: chart(), reconnectDelay: 0.05)
        provider.log = log.add
        provider.connect()
        try await eventually("three attempts") { log.lines.count >= 3 }
        provider.disconnect()
        let attempts = log.lines.count
        try await Task.sleep(for: .milliseconds(300))
        try expect(log.lines.count <= attempts + 1, "it went on after disconnect()")
        return "\(attempts) attempts, \(log.lines[0])"
    }

    func history() async throws -> String {
        let provider = WebSocketProvider(url: stream, chartController: chart())
        let log = Log()
        provider.log = log.add
        let limiter = RateLimiter(minimumInterval: .milliseconds(50))
        provider.history = HistoryLoader(base: "http://\(host)", limiter: limiter)
        await provider.loadHistory()
        let bars = provider.chartController.candles
        try expect(bars.count == 1000, "\(bars.count) bars of history; \(log.lines)")
        provider.connect()
        try await eventually("a snapshot, older bars before it and newer bars after it") {
            provider.chartController.totalCandleCount > 1000
        }
        provider.disconnect()
        let all = provider.chartController.candles
        try expect(zip(all.dropFirst(), all).allSatisfy { $0.timestamp == $1.timestamp + 1 }, "history has a hole")

        provider.chartController.symbol = "NONE"
        await provider.loadHistory()
        provider.history = HistoryLoader(base: "not an address", limiter: RateLimiter())
        await provider.loadHistory()
        let failures = log.lines.filter { $0.hasPrefix("no history") }
        let expected = [
            "no history: the answer of the API has no candles", "no history: the address of the API is none",
        ]
        try expect(failures == expected, "log: \(log.lines)")
        return "1000 bars joined to live ones without a hole; \(failures.joined(separator: "; "))"
    }

    func rateLimit() async throws -> String {
        let interval = 0.2
        let limiter = RateLimiter(minimumInterval: .seconds(interval))
        let (running, starts) = (Counter(), Counter())
        let clock = ContinuousClock()
        let begin = clock.now
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    try await limiter.run {
                        let count = await running.add(1)
                        try expect(count == 1, "\(count) requests at a time")
                        await starts.note((clock.now - begin) / .seconds(1))
                        try await Task.sleep(for: .milliseconds(20))
                        await running.add(-1)
                    }
                }
            }
            try await group.waitForAll()
        }
        let times = await starts.times
        // A start may come a little late, and the next one then comes early.
        try expect(times.count == 4 && times[3] >= 3 * interval * 0.95, "starts: \(times)")
        return "4 requests, one at a time, \(interval) s apart"
    }

    func validation() async throws -> String {
        let now = 1_700_000_000.0
        let cases: [(Tick, DataValidator.Verdict)] = [
            (Tick(timestamp: now - 299, price: 1, volume: 0), .valid),
            (Tick(timestamp: now, price: 0, volume: 1), .invalid("price must be above 0")),
            (Tick(timestamp: now, price: 1, volume: -1), .invalid("volume must not be negative")),
            (Tick(timestamp: 0, price: 1, volume: 1), .invalid("timestamp must be above 0")),
            (Tick(timestamp: now - 300, price: 1, volume: 1), .invalid("tick is too old")),
        ]
        for (tick, verdict) in cases {
            let found = DataValidator.validate(tick, now: now)
            try expect(found == verdict, "\(tick): \(found) instead of \(verdict)")
        }
        let provider = WebSocketProvider(url: stream, chartController: chart())
        let log = Log()
        provider.log = log.add
        provider.handleTick(Tick(timestamp: now, price: 1, volume: 1))
        try expect(provider.chartController.totalCandleCount == 0, "an old tick is shown")
        return "4 reasons; \(log.lines.joined())"
    }

    func recovery() async throws -> String {
        let provider = WebSocketProvider(url: nowhere, chartController: chart())
        provider.log = { _ in }
        var delays: [TimeInterval] = []
        let recovery = ConnectionRecovery(connect: { [weak provider] in provider?.connect() }) {
            try await Task.sleep(for: .milliseconds($0))
        }
        recovery.onWait = { delays.append($0) }
        provider.recovery = recovery
        provider.connect()
        try await eventually("ten attempts, then none") { recovery.hasGivenUp }
        try expect(delays == [2, 4, 8, 16, 30, 30, 30, 30, 30, 30], "delays: \(delays)")

        let live = WebSocketProvider(url: stream, chartController: chart())
        live.log = { _ in }
        live.recovery = recovery
        live.connect()
        try await eventually("a connection") { live.isConnected }
        try expect(recovery.attempt == 0 && !recovery.hasGivenUp, "the attempts are not counted anew")
        recovery.disconnected(code: 1000)
        try expect(delays.count == 10, "it connects again after a normal close")
        recovery.disconnected(code: 1006)
        try expect(delays.last == 2, "delays: \(delays)")
        live.disconnect()
        let seconds = delays.prefix(10).map { String(Int($0)) }.joined(separator: " ")
        return "\(seconds) s, then given up; anew after a connection"
    }

    func severalSymbols() async throws -> String {
        let manager = MultiSymbolManager(url: stream)
        let bitcoin = manager.addSymbol("BTC-USD", timeframe: .s1)
        let ether = manager.addSymbol("ETH-USD", timeframe: .s1)
        try expect(manager.addSymbol("BTC-USD") === bitcoin, "the same symbol has two charts")
        let log = Log()
        manager.getProvider(for: "BTC-USD")?.log = log.add
        manager.getProvider(for: "ETH-USD")?.log = { _ in }
        try await eventually("bars of both") { bitcoin.totalCandleCount > 300 && ether.totalCandleCount > 300 }

        manager.activeSymbols = ["ETH-USD"]
        manager.pauseInactiveSymbols()
        try await eventually("the end of the subscription") { log.count("unknown message type: unsubscribed") == 1 }
        let (bars, others) = (bitcoin.totalCandleCount, ether.totalCandleCount)
        try await eventually("two more bars of the other") { ether.totalCandleCount >= others + 2 }
        try expect(bitcoin.totalCandleCount == bars, "a paused symbol goes on")
        let active = ["BTC-USD", "ETH-USD"].filter(manager.isSymbolActive)
        try expect(active == ["ETH-USD"], "active: \(active)")
        manager.resumeSymbol("BTC-USD")
        let last = bitcoin.lastCandle?.timestamp ?? 0
        try await eventually("newer bars") { (bitcoin.lastCandle?.timestamp ?? 0) > last + 2 }

        let provider = manager.getProvider(for: "BTC-USD")
        manager.removeSymbol("BTC-USD")
        try expect(manager.getController(for: "BTC-USD") == nil, "a removed symbol has a chart")
        try await eventually("the end of a removed symbol's connection") { provider?.isConnected == false }
        manager.removeSymbol("ETH-USD")
        return "paused, resumed and removed"
    }

    func throttling() async throws -> String {
        let chart = chart()
        let throttled = ThrottledAggregation(chartController: chart)
        let before = chart.revision
        let clock = ContinuousClock()
        let start = clock.now
        var ticks = 0
        while clock.now - start < .seconds(1) {
            ticks += 1
            throttled.handleTick(
                Tick(timestamp: Date().timeIntervalSince1970, price: 100 + Double(ticks % 7), volume: 1))
            try await Task.sleep(for: .milliseconds(1))
        }
        let seconds = (clock.now - start) / .seconds(1)
        let changes = chart.revision - before
        throttled.flush()
        // One at the start, and one at the end of each interval.
        try expect(changes > 1 && Double(changes) <= 30 * seconds + 1, "\(changes) changes in \(seconds) s")
        let volume = chart.candles.map(\.volume).reduce(0, +)
        try expect(volume == Double(ticks), "the bars have a volume of \(volume) after \(ticks) ticks")
        return "at most 30 changes a second, and no tick is missing"
    }

    func memory() async throws -> String {
        let chart = ChartController(capacity: 20_000)
        chart.timeframe = .m1
        chart.setData(
            (0..<12_000).map { Candle(timestamp: Double($0) * 60, open: 1, high: 1, low: 1, close: 1, volume: 1) })
        MemoryManager.trim(chart)
        try expect(
            chart.totalCandleCount == 10_000 && chart.candle(at: 0)?.timestamp == 2000 * 60,
            "\(chart.totalCandleCount) bars are left")
        var builders: [String: OHLCBuilder] = [:]
        for (key, time) in [("idle", 1000.0), ("used", 1001.0)] {
            builders[key] = OHLCBuilder(timeframe: .m1)
            _ = builders[key]?.ingest(Tick(timestamp: time, price: 1, volume: 1))
        }
        builders["new"] = OHLCBuilder(timeframe: .m1)
        MemoryManager.evictIdleBuilders(&builders, now: 4600)
        try expect(builders.keys.sorted() == ["new", "used"], "builders: \(builders.keys)")
        return "\(chart.totalCandleCount) of 12000 bars kept, 1 idle builder of 3 gone"
    }

    func mock() async throws -> String {
        let chart = chart()
        var ticks: [Tick] = []
        let provider = MockProvider(chartController: chart, price: 3, interval: .milliseconds(5))
        provider.onTick = { ticks.append($0) }
        provider.startSimulation()
        try expect(chart.totalCandleCount == 100, "\(chart.totalCandleCount) bars of history")
        try await eventually("live ticks") { ticks.count >= 300 }
        provider.stopSimulation()
        let stopped = ticks.count
        try await Task.sleep(for: .milliseconds(50))
        try expect(ticks.count == stopped, "it ticks after its end")
        try expect(
            zip(ticks.dropFirst(), ticks).allSatisfy { abs($0.price - $1.price) <= 2 && $0.price >= 1 },
            "a price moved by more than 2 or is below 1")
        try expect(ticks.allSatisfy { (100...1000).contains($0.volume) }, "a volume is outside of 100 to 1000")
        let volumes = (chart.candles.map(\.volume).reduce(0, +), ticks.map(\.volume).reduce(0, +))
        try expect(abs(volumes.0 - volumes.1) < 1e-6 * volumes.1, "bars and ticks have other volumes: \(volumes)")
        return "100 bars of history, live ticks, stopped"
    }
}

/// Counts over tasks.
actor Counter {
    private var count = 0
    private(set) var times: [Double] = []
    @discardableResult func add(_ number: Int) -> Int {
        count += number
        return count
    }
    func note(_ time: Double) { times.append(time) }
}
