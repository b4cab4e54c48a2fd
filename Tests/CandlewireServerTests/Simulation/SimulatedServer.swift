import Foundation
import GRDB
import Logging
import MarketFeeds
import MarketModel
import NIOCore
import StreamCore
import TestKit
import TradingCore
import WebSocketTransport

@testable import CandlewireServer
@testable import HistoryStore

/// A server from its start on a folder to its stop or crash: the parts that `CandlewireServer` connects, without sockets and
/// requests.
final class SimulatedServer: @unchecked Sendable {
    let time: SimulatedTime
    let loop: SimulatedLoop
    let disk: FaultyDisk
    let clock: WallClock
    let store: CandleStore
    let ledger: LedgerStore
    let core: MarketCore
    let trading: TradingGateway
    /// The connection to the venue, without its socket, and what the server does with what comes on it.
    private let venue: FeedConnection
    private let feed: LiveFeed.Runner
    private let pruning: CandlePruning
    private let shards: [ShardReference]
    private let admission: StreamAdmission
    private let writes: PendingWrites
    private(set) var connections: [(connection: StreamConnection, link: SimulatedLink)] = []
    /// Called before and after candles are written, the second time with whether they were.
    var onFlush: (_ isWritten: Bool?) -> Void = { _ in }

    /// - Parameters:
    ///   - system: the system's clock.
    ///   - commitDelay: seconds until the ledger's writer begins.
    init(
        time: SimulatedTime, disk: FaultyDisk, seed: UInt64, system: @escaping @Sendable () -> Double,
        commitDelay: @escaping @Sendable () -> Double
    ) throws {
        let loop = time.makeLoop()
        let clock = WallClock(steady: { time.seconds }, system: system)
        (self.time, self.loop, self.disk, self.clock) = (time, loop, disk, clock)
        let logger = Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() }
        var configuration = ServerConfiguration(
            feed: .simulated(symbols: SimulationFeed.symbols), seed: seed, dataDirectory: disk.folder)
        configuration.candleRetention = try CandleRetention("1s:1d,5s:1d,1m:2d")
        var server = CandlewireServer(configuration, logger: logger)
        server.clock = clock
        server.background = { work in loop.execute(work) }
        var candleOptions = CandleStore.Options()
        // Nobody moves it: `flush` below is the timer.
        candleOptions.clock = ManualClock()
        store = try CandleStore(directory: disk.folder, options: candleOptions)
        var ledgerOptions = LedgerStore.Options()
        let writes = PendingWrites()
        self.writes = writes
        ledgerOptions.runner = { work in
            writes.works.append(work)
            loop.run(in: commitDelay()) { writes.runFirst() }
        }
        ledger = try LedgerStore(directory: disk.folder, options: ledgerOptions)
        let feeds = FeedSet([SimulationFeed()], marksStore: false)
        // A loop that slept always drops what it can.
        shards = [ShardReference(index: 0, loop: loop, minSaving: 1)]
        let (made, candles, entries, shards, folder) = (server, store, ledger, shards, disk.folder)
        let audit = try AuditLog(directory: folder)
        let parts = try time.wait(needsLoops: true) {
            await made.quarantineFutureCandles(candles)
            return try await made.openMarket(feeds, candles, entries, loop, shards, folder, audit)
        }
        (core, trading) = (parts.core, parts.trading)
        pruning = CandlePruning(store, configuration, logger)
        let access = AccessControl(configuration)
        admission = StreamAdmission(
            access: access, limiter: ClientLimiter(configuration.limits.clients), origins: configuration.originPolicy)
        let adapter = FeedCatalogue.adapter(named: "coinbase")!
        let venue = FeedConnection(FeedSession(adapter, symbols: SimulationFeed.symbols, seed: seed), on: loop)
        let numbers = SimulationFeed.symbols.indices
        feed = LiveFeed.Runner(
            core, numbers, memory: StoredMemory(core: core, store: store), joiner: nil,
            intake: CandleIntake(core.onLoop.pipeline, base: 0, count: numbers.count, use: .besideTrades),
            title: adapter.title, logger: logger, clock: clock, makeConnection: { _ in venue })
        feed.connections = [LiveFeed.Runner.Link(connection: venue, markets: Array(numbers))]
        venue.receiver = feed
        self.venue = venue
        // The channels of all markets and of health read the counts of other threads.
        if let checked = desk.states?.stop() { try time.wait(needsLoops: true) { try await checked.get() } }
        server.start(core, shards, feeds, store)
        flushLater()
    }

    var desk: TradingDesk { trading.desk.value }
    var pipeline: MarketPipeline { core.onLoop.pipeline }

    // MARK: The feed

    func setFeed(isUp: Bool) {
        for symbol in SimulationFeed.symbols {
            venue.report(isUp ? .live(symbol: symbol) : .interrupted(symbol: symbol))
        }
    }

    /// The venue sends a message.
    /// - Returns: its trade, where that was accepted; whether it corrected a candle; and whether it shows that others are missing.
    func receive(_ message: String) -> (market: Int, tick: Tick, isLate: Bool, showsHole: Bool)? {
        let before = pipeline.counts
        var message = message
        message.withUTF8 {
            venue.handle(.received(UnsafeRawBufferPointer($0), isText: true), on: SocketNumber(rawValue: 1))
        }
        let read = venue.session.venueSession
        guard pipeline.counts.accepted > before.accepted, let trade = read.trades.first else { return nil }
        return (trade.market, trade.tick, pipeline.counts.corrected > before.corrected, !read.holes.isEmpty)
    }

    // MARK: The store

    private func flushLater() {
        loop.run(in: 0.25) { [unowned self] in
            flush()
            flushLater()
        }
    }

    /// Writes the candles that wait.
    func flush() {
        guard store.statistics.pendingRows > 0 else { return }
        onFlush(nil)
        let store = store
        let isWritten = (try? time.wait { try await store.flush() }) != nil
        onFlush(isWritten)
    }

    func prune() {
        let (pruning, now) = (pruning, clock.now())
        try? time.wait { await pruning.prune(now: now) }
    }

    /// Candles in the store.
    func rows(in table: String = "candles") throws -> Int {
        try store.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0 }
    }

    // MARK: Connections

    /// A client's connection, behind the handshake.
    func accept(_ link: SimulatedLink, _ encoding: StreamEncoding) throws {
        var configuration = WebSocketConfiguration.server
        configuration.closeTimeout = .seconds(2)
        let handler = WebSocketHandler(role: .server, configuration: configuration)
        try link.server.pipeline.syncOperations.addHandler(handler)
        let shard = shards[0].onLoop
        let made = shard.add(encoding) { id in
            StreamConnection(
                id: id, socket: handler, core: core, shard: shard, loop: loop, admission: admission,
                address: .machine, key: nil)
        }
        handler.delegate = made
        connections.removeAll { !$0.link.server.isActive }
        connections.append((made, link))
    }

    /// What the ledger's writer is to do.
    private final class PendingWrites: @unchecked Sendable {
        var works: [@Sendable () -> Void] = []
        func runFirst() { if !works.isEmpty { works.removeFirst()() } }
    }

    // MARK: The end

    /// As when it is told to stop.
    func stop() throws {
        let trading = trading
        try time.wait(needsLoops: true) { await trading.stop() }
        try ledger.close()
        // What the ledger has written is answered.
        time.advance(by: 0)
        onFlush(nil)
        let store = store
        let isWritten = (try? time.wait { try await store.close() }) != nil
        onFlush(isWritten)
        end()
    }

    /// The process is gone. What the kernel has is kept; where the power is off too, only what the disk has.
    func crash(losesPower: Bool) {
        if losesPower { disk.cutPower() } else { disk.kill() }
        for (_, link) in connections { link.server.abandon() }
        // Nobody sees it any more, but what waits for the ledger has to end.
        while !writes.works.isEmpty {
            writes.runFirst()
            loop.runDue()
        }
        end()
        store.writer.stop()
        try? store.pool.close()
        ledger.abandon()
        disk.restart(losesUnsynced: losesPower)
    }

    private func end() {
        loop.end()
        for (_, link) in connections { link.server.abandon() }
        connections = []
    }
}

/// The venue of the simulation, as the server's configuration has it; its messages come from `SimulationVenue`.
struct SimulationFeed: Feed {
    static let symbols = ["BTC-USD", "ETH-USD"]

    let markets = symbols.map {
        Market(symbol: $0, baseCurrency: String($0.prefix(3)), quoteCurrency: "USD", precision: 2)
    }
    let name = "coinbase"
    let summary = "a simulated venue"

    func start(_ core: MarketCore, base: Int, store: CandleStore) {}
    func status(_ core: MarketCore) async throws -> FeedStatus { FeedStatus(name: name, state: "live", figures: []) }
    func details(_ core: MarketCore) async throws -> FeedDetails {
        FeedDetails(status: try await status(core), title: name, kind: .live)
    }
}

extension LedgerStore {
    /// Lets go of the files without a last write.
    func abandon() { try? queue.pool.close() }
}
