import MarketModel
import NIOCore
import StreamCore

/// The pipeline and the streams, seen from other threads: everything hops to the market loop, in the order of the calls.
struct MarketCore: Sendable {
    let registry: MarketRegistry
    let loop: any EventLoop
    /// Seconds on a clock that never goes back, for deadlines.
    let clock: @Sendable () -> Double
    private let state: NIOLoopBoundBox<State>

    /// What lives on the market loop.
    final class State {
        let pipeline: MarketPipeline
        let publisher: StreamPublisher
        let channels: ChannelHub
        /// Answers subscriptions to channels; `nil`: there are none.
        var channelSource: (any ChannelSource)?

        init(pipeline: MarketPipeline, publisher: StreamPublisher, channels: ChannelHub) {
            self.pipeline = pipeline
            self.publisher = publisher
            self.channels = channels
        }
    }

    init(
        registry: MarketRegistry, loop: any EventLoop, shards: [ShardReference],
        persist: @escaping @Sendable (_ market: Int, _ bars: [Bar]) -> Void
    ) async throws {
        self.registry = registry
        self.loop = loop
        let clock: @Sendable () -> Double = { Double(loop.now.uptimeNanoseconds) / 1e9 }
        self.clock = clock
        state = try await loop.submit {
            let publisher = StreamPublisher(registry: registry, loop: loop, shards: shards, clock: clock)
            let pipeline = MarketPipeline(registry: registry, publisher: publisher, persist: persist)
            return NIOLoopBoundBox(
                State(pipeline: pipeline, publisher: publisher, channels: ChannelHub(shards: shards)), eventLoop: loop)
        }.get()
    }

    /// The pipeline, for callers on the market loop.
    var onLoop: State { state.value }

    /// Starts the timers: forming candles ten times a second, stale markets each second, abandoned streams each ten.
    func start() {
        run { [loop, clock] state in
            loop.runEvery(1, state) { $0.pipeline.reportStale(now: clock()) }
            loop.runEvery(0.1, state) { $0.pipeline.makeFormingDue() }
            loop.runEvery(0.1, first: 0.15, state) { $0.pipeline.publishForming() }
            loop.runEvery(10, state) { $0.publisher.expire() }
        }
    }

    /// Runs `body` on the market loop and returns what it made.
    func read<R: Sendable>(_ body: @escaping @Sendable (MarketPipeline) -> R) async throws -> R {
        try await loop.submit { [state] in body(state.value.pipeline) }.get()
    }

    /// The same as soon as a market's past is in memory.
    /// - Throws: `HistoryUnavailable` where it cannot be had for the time being.
    func read<R: Sendable>(
        withPastOf market: Int, _ body: @escaping @Sendable (MarketPipeline) -> R
    ) async throws -> R {
        let promise = loop.makePromise(of: R.self)
        run { state in
            state.pipeline.whenRestored(market) { isWhole in
                if isWhole { promise.succeed(body(state.pipeline)) } else { promise.fail(HistoryUnavailable()) }
            }
        }
        return try await promise.futureResult.get()
    }

    func streamCounts() async throws -> (active: Int, published: Int, publishedInBinary: Int) {
        try await loop.submit { [state] in
            let publisher = state.value.publisher
            return (publisher.activeStreams, publisher.published, publisher.publishedInBinary)
        }.get()
    }

    func subscribe(_ id: ConnectionID, to key: StreamKey, request: StreamRequest) {
        run { state in
            guard registry.isListed(key.market) else { return state.publisher.refuse(id, key) }
            state.pipeline.demand(key.market)
            state.pipeline.whenRestored(key.market, of: id) { _ in
                state.publisher.subscribe(id, to: key, request: request) {
                    state.pipeline.candles(market: key.market, timeframe: key.timeframe, limit: request.message.history)
                }
            }
        }
    }

    /// Requests a stream's state, for a reader that lacks everything after `offset`.
    func refresh(_ id: ConnectionID, _ key: StreamKey, after offset: Int64, history: Int) {
        run { state in
            state.publisher.refresh(id, key, after: offset) { start in
                state.pipeline.candles(market: key.market, timeframe: key.timeframe, limit: history, from: start)
            }
        }
    }

    func unsubscribe(_ id: ConnectionID, from key: StreamKey) {
        // Behind the subscription, where that waits.
        run { state in
            state.pipeline.afterRestore(key.market, of: id) { state.publisher.unsubscribe(id, from: key) }
        }
    }

    func subscribe(_ id: ConnectionID, to request: ChannelRequest) {
        run { state in
            if let source = state.channelSource { return source.begin(id, request, on: state.channels) }
            let error = WireError(
                .unknownChannel, field: "channel", message: "This server has no channels.", requestID: request.id)
            state.channels.refuse(id, request, error)
        }
    }

    func unsubscribe(_ id: ConnectionID, from key: ChannelKey) { run { $0.channels.remove(id, from: key) } }

    /// - Parameter orders: those that its reader wanted to be cancelled with it.
    func remove(_ id: ConnectionID, cancelling orders: LeftOrders? = nil) {
        run { state in
            if let orders { state.channelSource?.cancel(orders) }
            state.pipeline.forget(id)
            state.publisher.remove(id)
            state.channels.remove(id)
        }
    }

    private func run(_ body: @escaping @Sendable (State) -> Void) { loop.execute { [state] in body(state.value) } }
}

/// Sees what the pipeline has accepted, at the very moment: nothing that is derived from the market runs on a timer of its
/// own. Called on the market loop.
protocol MarketObserver: AnyObject {
    /// The highest leverage of an order.
    var maxLeverage: Int { get }
    /// A tick was accepted and published.
    func market(_ market: Int, traded tick: Tick, now: Double)
    /// Bars ended; not called for corrected ones.
    func market(_ market: Int, finished bars: [Bar])
    /// The feed began or ended.
    func feedChanged(isLive: Bool)
    /// The markets whose ticks change anything: something is held or ordered there.
    func involvedMarkets() -> Set<Int>
    /// The market is paused for the time being: its last price is none to trade at.
    func marketPaused(_ market: Int)
    /// Everything restarts: a recording that is played in a loop.
    func marketsRestarted()
}

/// What the pipeline has done so far, for `/health`.
struct PipelineCounts: Sendable {
    var accepted = 0
    var corrected = 0
    var rejections = RejectionCounts()
    var finalCandles = 0
}
