public import MarketFeeds
public import MarketModel
public import MarketServices
internal import StreamCore
internal import TradingCore
internal import WebSocketTransport

/// Where the bars of a ``LiveChart`` come from: a candlewire server (``ServerChartSource``), a venue
/// (``VenueChartSource``), or a source of your own.
public protocol LiveChartSource: Sendable {
    /// Whether the stream brings all bars, beginning with a snapshot. Otherwise it brings trades, of which the chart
    /// builds the bars, or single bars, or both.
    var streamsBars: Bool { get }

    /// Completed bars of the past, ascending.
    /// - Parameters:
    ///   - from: only bars that start at this time or later; `nil` for as many as `limit`.
    ///   - before: only bars that start earlier; `nil` for the newest.
    ///   - limit: at most as many, the newest of the requested ones.
    func bars(
        symbol: String, timeframe: Timeframe, from: Double?, before: Double?, limit: Int
    ) async throws -> [Candle]

    /// What happens on the stream, in order. The source reconnects by itself. It ends the stream's connection when the
    /// task that reads the sequence is cancelled.
    func events(symbol: String, timeframe: Timeframe) throws -> AsyncStream<LiveChartEvent>
}

/// What the stream of a ``LiveChartSource`` brings.
public enum LiveChartEvent: Sendable, Equatable {
    /// The stream is live from here on, also again after an outage.
    case connected
    case disconnected(reason: String)
    /// All newest bars of the stream, ascending, the forming one last.
    case snapshot([Candle])
    /// Bars as they are now, forming or completed. Each replaces the chart's bar of its time.
    case bars([Candle])
    case trade(Tick)
    /// Trades are missing here.
    case gap
    /// The source does not serve this symbol or timeframe.
    case refused(reason: String)
}

/// A candlewire server: bars over its stream, which recovers what an outage cost, and older ones over REST.
public struct ServerChartSource: LiveChartSource {
    private let settings: LiveServiceSettings
    private let services: LiveServiceContainer<Paper>

    public var streamsBars: Bool { true }

    /// - Parameter settings: the server's address (`http://127.0.0.1:8080`), its credentials, how requests are repeated.
    ///   The account is not used.
    /// - Throws: `ServiceError` where the address is none.
    public init(_ settings: LiveServiceSettings) throws(ServiceError) {
        self.settings = settings
        services = try LiveServiceContainer(settings)
    }

    public func bars(
        symbol: String, timeframe: Timeframe, from: Double?, before: Double?, limit: Int
    ) async throws -> [Candle] {
        let request = CandlesRequest(symbol: symbol, timeframe: timeframe, limit: min(limit, 1000), before: before)
        return try await services.markets.fetchCandles(request).filter { $0.timestamp >= from ?? 0 }
    }

    public func events(symbol: String, timeframe: Timeframe) throws -> AsyncStream<LiveChartEvent> {
        let client = try StreamClient(settings)
        let subscription = client.subscribe(symbol, timeframe, history: 500, maxRate: 30)
        return AsyncStream { continuation in
            let states = Task {
                for await state in client.states {
                    switch state {
                    case .open: continuation.yield(.connected)
                    case .failed(let failure):
                        continuation.yield(.refused(reason: "The server refuses the connection: \(failure.words)."))
                    case .waiting: continuation.yield(.disconnected(reason: "The connection to the server is lost."))
                    case .idle, .connecting, .authenticating, .closed: break
                    }
                }
            }
            let events = Task {
                for await event in subscription.events {
                    switch event {
                    case .snapshot(let candles, _): continuation.yield(.snapshot(candles))
                    case .candle(let bar): continuation.yield(.bars([bar.candle]))
                    case .refused(_, let message): continuation.yield(.refused(reason: message))
                    case .subscribed, .tick, .skipped, .gap, .stale, .fresh: break
                    }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in
                states.cancel()
                events.cancel()
                subscription.cancel()
                client.disconnect()
            }
            client.connect()
        }
    }
}

/// A venue without a server between: its trades and its own candles of the chart's timeframe from its WebSocket, its
/// completed bars over REST. Candles of other timeframes are left out.
public struct VenueChartSource: LiveChartSource {
    private let adapter: any FeedAdapter
    private let options: FeedClient.Options
    private let history: VenueHistory

    public var streamsBars: Bool { false }

    /// - Parameters:
    ///   - adapter: of `FeedCatalogue`.
    ///   - history: requests of one instance keep the venue's rate limit, so several charts share one.
    public init(_ adapter: any FeedAdapter, options: FeedClient.Options = FeedClient.Options(), history: VenueHistory) {
        self.adapter = adapter
        self.options = options
        self.history = history
    }

    public func bars(
        symbol: String, timeframe: Timeframe, from: Double?, before: Double?, limit: Int
    ) async throws -> [Candle] {
        let end = min(before ?? .infinity, history.finished(timeframe))
        if let from {
            let bars = try await history.candles(symbol: symbol, timeframe: timeframe, from: from, to: end)
            return Array(bars.suffix(limit))
        }
        // A quiet interval has no bar: a night or a weekend is passed in growing steps.
        let earliest = history.earliest(timeframe)
        var bars: [Candle] = []
        var (start, stop) = (end, end)
        for step in 0..<Self.maxSteps where bars.count < limit && stop > earliest {
            for _ in 0..<(limit << step) { start = timeframe.bucketStart(of: start - 1) }
            bars = try await history.candles(symbol: symbol, timeframe: timeframe, from: start, to: stop) + bars
            stop = start
        }
        return Array(bars.suffix(limit))
    }

    /// 500 buckets of a minute, then 1,000, and so on: 22 days in all.
    private static let maxSteps = 6

    public func events(symbol: String, timeframe: Timeframe) throws -> AsyncStream<LiveChartEvent> {
        let client = try FeedClient(adapter, symbols: [symbol], options: options)
        client.connect()
        // Read when the chart is ready for it: the client's queue is bounded, and reports what it dropped.
        return AsyncStream {
            for await event in client.events {
                switch event {
                case .live: return .connected
                case .interrupted: return .disconnected(reason: "The venue's stream is interrupted.")
                case .disconnected(let reason): return .disconnected(reason: reason)
                case .trade(let trade): return .trade(trade.tick)
                case .missed, .dropped: return .gap
                case .refused(_, let reason): return .refused(reason: reason)
                case .candles(let candles) where Double(candles.seconds) == timeframe.seconds:
                    return .bars(candles.closed + [candles.forming].compactMap(\.self))
                case .ready, .quote, .candles, .problem: break
                }
            }
            return nil
        } onCancel: {
            client.disconnect()
        }
    }
}
