import HistoryStore
import Logging
import MarketFeeds
import MarketModel
import NIOCore
import WebSocketTransport

/// The price tracker's stocks as markets: what comes back from the echo server are their trades.
final class TrackerFeed: Feed {
    let stocks: [TrackedStock]
    let markets: [Market]
    let name = "tracker"
    let summary: String
    private let tracker: TrackerFeedCore
    private let logger: Logger

    /// - Parameter url: of the echo server; `nil`: one in this process.
    init(_ stocks: [TrackedStock], url: String?, seed: UInt64, loop: any EventLoop, logger: Logger) throws {
        self.stocks = stocks
        self.logger = logger
        markets = stocks.map(\.market)
        tracker = try TrackerFeedCore(stocks, url: url, seed: seed, on: loop)
        let count = stocks.count == 1 ? "1 stock" : "\(stocks.count) stocks"
        summary = "price tracker, \(count), random prices through " + (url == nil ? "its own echo" : "an echo server")
    }

    func start(_ core: MarketCore, base: Int, store: CandleStore) {
        let range = base..<base + stocks.count
        let started = tracker.start(
            clock: { WallClock.now() },
            onConnection: { connection, _ in
                let pipeline = core.onLoop.pipeline
                let (state, now) = (MarketFeedState(connection), WallClock.now())
                for market in range {
                    pipeline.setFeed(state, ofMarket: market)
                    if state == .live { pipeline.feedCameUp(market, at: now) }
                    if state == .interrupted { pipeline.feedWentDown(market, lossesFrom: now) }
                }
            },
            onTick: { stock, tick in
                core.onLoop.pipeline.ingest(market: base + stock, tick, now: tick.timestamp)
            })
        started.whenFailure { [logger] error in
            logger.error("the tracker cannot start", metadata: ["error": "\(NetworkFailure(error).words)"])
        }
    }

    func stop() -> [Task<Void, Never>] {
        tracker.stop()
        return []
    }

    func status(_ core: MarketCore) async throws -> FeedStatus {
        guard let status = try await tracker.status() else {
            return FeedStatus(name: name, state: "connecting", figures: [])
        }
        let state = MarketFeedState(status.connection)
        // What a market calls interrupted and refused.
        let name = ["interrupted": "reconnecting", "refused": "failed"][state.name] ?? state.name
        return FeedStatus(
            name: self.name, state: name, problem: state.reason,
            figures: [
                ("connected", status.connected), ("reconnect_attempts", status.reconnects.attempts),
                ("reconnects", status.reconnects.returns), ("written", status.written),
                ("received", status.counts.received),
            ] + StockFlaw.allCases.map { ($0.name, status.counts.flaws[$0]) })
    }
}

extension MarketFeedState {
    fileprivate init(_ connection: TrackerConnection) {
        switch connection {
        case .connected: self = .live
        case .connecting, .disconnected: self = .connecting
        case .reconnecting: self = .interrupted
        case .failed(let why): self = .refused("The echo server is lost: \(why).")
        }
    }
}
