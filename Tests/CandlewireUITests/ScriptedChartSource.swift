import CandlewireUI
import MarketModel
import Synchronization
import TestKit

/// A market whose every trade is known: its bars of the past are exact, its stream breaks and loses trades as a test says.
final class ScriptedChartSource: LiveChartSource {
    private struct State {
        var trades: [Tick] = []
        var stream: AsyncStream<LiveChartEvent>.Continuation?
        var isConnected = false
        var streams = 0
        var requests = 0
        var failures = 0
    }

    /// What the stream brings: a snapshot and all bars, as a server's, or what venues send.
    enum Contents: CaseIterable { case bars, trades, candles, tradesAndCandles }

    let contents: Contents
    var streamsBars: Bool { contents == .bars }
    let timeframe: Timeframe
    private let clock: ManualClock
    private let state = Mutex(State())
    /// Bars of a snapshot, in a stream of bars.
    private let snapshotLength = 3

    convenience init(streamsBars: Bool, timeframe: Timeframe = .m1, clock: ManualClock) {
        self.init(streamsBars ? .bars : .trades, timeframe: timeframe, clock: clock)
    }

    init(_ contents: Contents, timeframe: Timeframe = .m1, clock: ManualClock) {
        (self.contents, self.timeframe, self.clock) = (contents, timeframe, clock)
    }

    var streams: Int { state.withLock { $0.streams } }
    var requests: Int { state.withLock { $0.requests } }
    var hasStream: Bool { state.withLock { $0.stream != nil } }

    /// The next requests for bars fail.
    func failRequests(_ count: Int) { state.withLock { $0.failures = count } }

    /// The bars that all trades make, ascending.
    func truth() -> [Candle] {
        var bars: [Candle] = []
        for tick in state.withLock({ $0.trades }) {
            let start = timeframe.bucketStart(of: tick.timestamp)
            if bars.last?.timestamp == start {
                let bar = bars[bars.count - 1]
                bars[bars.count - 1] = Candle(
                    timestamp: start, open: bar.open, high: max(bar.high, tick.price), low: min(bar.low, tick.price),
                    close: tick.price, volume: bar.volume + tick.volume)
            } else {
                bars.append(
                    Candle(
                        timestamp: start, open: tick.price, high: tick.price, low: tick.price, close: tick.price,
                        volume: tick.volume))
            }
        }
        return bars
    }

    /// A trade of the market. `isLost`: the stream reports a gap in its place.
    func trade(_ tick: Tick, isLost: Bool = false) {
        let stream = state.withLock { state in
            state.trades.append(tick)
            return state.isConnected ? state.stream : nil
        }
        if isLost, !streamsBars {
            stream?.yield(.gap)
            return
        }
        switch contents {
        case .trades, .tradesAndCandles: stream?.yield(.trade(tick))
        case .bars, .candles: break
        }
        switch contents {
        case .bars: stream?.yield(.bars(truth().suffix(1)))
        // A venue's candles do not come with each trade. A message has the last closed one, too.
        case .candles, .tradesAndCandles: if Int(tick.timestamp) % 3 > 0 { stream?.yield(.bars(truth().suffix(2))) }
        case .trades: break
        }
    }

    func connect() {
        let stream = state.withLock { state in
            state.isConnected = true
            return state.stream
        }
        stream?.yield(.connected)
        if streamsBars { stream?.yield(.snapshot(Array(truth().suffix(snapshotLength)))) }
    }

    func disconnect() {
        let stream = state.withLock { state in
            state.isConnected = false
            return state.stream
        }
        stream?.yield(.disconnected(reason: "cut by the test"))
    }

    func refuse(_ reason: String) { state.withLock { $0.stream }?.yield(.refused(reason: reason)) }

    struct Unavailable: Error {}

    func bars(symbol: String, timeframe: Timeframe, from: Double?, before: Double?, limit: Int) async throws -> [Candle]
    {
        try state.withLock { state in
            state.requests += 1
            guard state.failures == 0 else {
                state.failures -= 1
                throw Unavailable()
            }
        }
        guard timeframe == self.timeframe else { return [] }
        let end = min(before ?? .infinity, timeframe.bucketStart(of: clock.seconds))
        let bars = truth().filter { $0.timestamp >= from ?? 0 && $0.timestamp < end }
        return Array(bars.suffix(limit))
    }

    func events(symbol: String, timeframe: Timeframe) throws -> AsyncStream<LiveChartEvent> {
        AsyncStream { continuation in
            state.withLock { state in
                state.stream = continuation
                state.streams += 1
                state.isConnected = false
            }
            continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.isConnected = false } }
        }
    }
}
