import MarketModel
import NIOCore
import StreamCore
import TradingCore

/// The states that the channels `markets` and `health` publish. Confined to the market loop.
final class ServerStates {
    /// Seconds between two messages with all markets.
    static let marketInterval = 2.0
    /// Seconds between two looks at feed and connections.
    static let healthInterval = 1.0

    private let core: MarketCore
    private let feeds: FeedSet
    private let shards: [ShardReference]
    private let desk: TradingDesk
    /// The members of the last health message that every reader gets.
    private var health: [UInt8] = []
    private var timers: [RepeatedTask] = []
    /// A check of the connections that is under way.
    private var check: EventLoopFuture<Void>?

    init(core: MarketCore, feeds: FeedSet, shards: [ShardReference], desk: TradingDesk) {
        self.core = core
        self.feeds = feeds
        self.shards = shards
        self.desk = desk
    }

    func start() {
        timers = [
            core.loop.runEvery(Self.healthInterval, first: 0, self) { $0.checkHealth() },
            core.loop.runEvery(Self.marketInterval, first: 0, self) { $0.publishMarkets() },
        ]
    }

    /// Looks no more; done when the last check is over. The connections' loops must run until then: one that has ended never
    /// answers.
    func stop() -> EventLoopFuture<Void> {
        for timer in timers { timer.cancel() }
        timers = []
        return check ?? core.loop.makeSucceededVoidFuture()
    }

    // MARK: Markets

    private func publishMarkets() {
        let key = ChannelKey(.markets)
        guard core.onLoop.channels.hasReaders(key) else { return }
        core.onLoop.channels.publish("markets", key) { writeMarkets(into: &$0) }
    }

    func writeMarkets(into sink: inout [UInt8]) {
        sink.list("markets", core.onLoop.pipeline.summaries()) { core.registry.write($0, into: &$1) }
    }

    // MARK: Health

    private func checkHealth() {
        guard check == nil else { return }
        let (core, feeds) = (core, feeds)
        let bound = NIOLoopBound(self, eventLoop: core.loop)
        let status = core.loop.makeFutureWithTask { try await feeds.statuses(core) }
        let check = EventLoopFuture.whenAllSucceed(shards.map { $0.counts() }, on: core.loop).and(status).map {
            bound.value.publishHealth($0, $1)
        }
        self.check = check
        check.whenComplete { _ in bound.value.check = nil }
    }

    private func publishHealth(_ loops: [ReaderCounts], _ feeds: [FeedStatus]) {
        let readers = loops.reduce(into: ReaderCounts()) { $0.add($1) }
        health.removeAll(keepingCapacity: true)
        health.fields("timestamp", WallClock.now(), "feed", feeds.combined)
        health.list("feeds", feeds)
        health.fields("connections", readers.connections, "ticks", core.onLoop.pipeline.counts.accepted)
        health.fields("skipped", readers.skipped, "ledger", desk.ledgerState == .ok ? "ok" : "failing")
        health.field("fill_model", desk.options.settings.fillModelTitle)
        let key = ChannelKey(.health)
        for key in [key, key.hidingAccounts] {
            core.onLoop.channels.publish("health", key) { writeHealth(key, into: &$0) }
        }
    }

    func writeHealth(_ key: ChannelKey, into sink: inout [UInt8]) {
        sink += health
        if !key.hidesAccounts { desk.writeAccountNames(into: &sink) }
    }
}
