import MarketModel
import StreamCore
import Synchronization
import WebSocketTransport

/// Takes one stream's events as an application would, and judges them without knowing how they came.
final class StreamAudit: Sendable {
    struct Findings: Sendable {
        /// Everything the stream ever reported of each candle: from the first snapshot on there must be no hole.
        var all = CandleSeries(capacity: 1_000_000)
        /// What the library keeps for a chart.
        var live: LiveCandles
        /// The revision of each bar that was reported to be final.
        var finals: [Double: Int] = [:]
        var newestFinal = -Double.infinity
        var snapshots = 0
        var ticks = 0
        var candles = 0
        var finalCandles = 0
        var skipped = 0
        var gaps = 0
        /// What must never happen, in words.
        var violations: [String] = []

        init(_ timeframe: Timeframe) {
            live = LiveCandles(timeframe: timeframe, capacity: 1_000_000)
        }
    }

    let subscription: StreamSubscription
    private let findings: Mutex<Findings>

    init(_ subscription: StreamSubscription) {
        self.subscription = subscription
        findings = Mutex(Findings(subscription.timeframe))
    }

    var name: String { "\(subscription.symbol) \(subscription.timeframe.rawValue)" }
    var now: Findings { findings.withLock { $0 } }

    func run() async {
        for await event in subscription.events { findings.withLock { $0.record(event) } }
    }
}

extension StreamAudit.Findings {
    mutating func record(_ event: StreamEvent) {
        live.apply(event)
        switch event {
        case .snapshot(let candles, _):
            snapshots += 1
            for candle in candles { all.place(candle) }
            // All but the newest have ended.
            for candle in candles.dropLast() where finals[candle.timestamp] == nil { finals[candle.timestamp] = 0 }
            if let last = candles.dropLast().last { newestFinal = max(newestFinal, last.timestamp) }
        case .candle(let bar):
            candles += 1
            all.place(bar.candle)
            judge(bar)
        case .tick: ticks += 1
        case .skipped(let count): skipped += count
        case .gap: gaps += 1
        case .refused(let code, _): violations.append("refused: \(code)")
        case .subscribed, .stale, .fresh: break
        }
    }

    private mutating func judge(_ bar: Bar) {
        let time = bar.candle.timestamp
        guard bar.isFinal else {
            if finals[time] != nil { violations.append("bar \(time) forms again after it was final") }
            return
        }
        finalCandles += 1
        if let known = finals[time] {
            if bar.revision <= known { violations.append("bar \(time) is final twice, revision \(bar.revision)") }
        } else if time < newestFinal {
            violations.append("bar \(time) is final after \(newestFinal)")
        }
        finals[time] = bar.revision
        newestFinal = max(newestFinal, time)
    }
}
