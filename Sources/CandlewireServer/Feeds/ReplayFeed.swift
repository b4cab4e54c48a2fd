import HistoryStore
import MarketFeeds
import MarketModel
import NIOCore

/// Plays a recording on the market loop, through the same parser, validation and aggregation as live messages.
///
/// The recording's own clock governs: what was fresh when it was received is fresh now.
final class ReplayFeed: Feed {
    let markets: [Market]
    let name = "replay"
    let summary: String
    private let recording: Recording
    private let speed: ReplaySpeed
    private let loops: Bool
    private let runner: NIOLoopBoundBox<Runner?>

    init(recording: Recording, path: String, speed: ReplaySpeed, loops: Bool, loop: any EventLoop) {
        self.recording = recording
        self.speed = speed
        self.loops = loops
        markets = recording.markets
        runner = NIOLoopBoundBox.makeEmptyBox(valueType: Runner.self, eventLoop: loop)
        let pace =
            switch speed {
            case .max: "as fast as possible"
            case .times(let factor): factor == 1 ? "at its own speed" : "at \(factor) times its speed"
            }
        let file = path.split(separator: "/").last.map(String.init) ?? path
        let count = markets.count == 1 ? "1 market" : "\(markets.count) markets"
        summary =
            "recording \(file) (\(recording.venue.rawValue), \(recording.tradeCount) trades, \(count)) \(pace)"
            + (loops ? ", in a loop" : "")
    }

    var clockStart: Double? { recording.times.first ?? 0 }

    func start(_ core: MarketCore, base: Int, store: CandleStore) {
        core.loop.execute { [runner, recording, speed, loops] in
            let player = ReplayPlayer(times: recording.times, speed: speed, loops: loops, now: core.clock())
            let made = Runner(recording: recording, player: player, core: core, base: base, store: store)
            runner.value = made
            made.turn()
        }
    }

    func status(_ core: MarketCore) async throws -> FeedStatus {
        try await core.loop.submit { [runner] in
            let counts = runner.value?.counts ?? VenueSession.Counts()
            return FeedStatus(
                name: "replay", state: runner.value?.isFinished == true ? "ended" : "playing",
                figures: [
                    ("messages", counts.messages), ("trades", counts.trades), ("duplicates", counts.duplicates),
                    ("malformed", counts.malformed), ("missing", counts.missing),
                    ("renumberings", counts.renumberings),
                ] + VenueFlaw.allCases.map { ($0.name, counts.flaws[$0]) })
        }.get()
    }

    private final class Runner {
        private let recording: Recording
        private var player: ReplayPlayer
        private var session: VenueSession
        private let core: MarketCore
        private let base: Int
        private let store: CandleStore

        /// Rows waiting to be written at which a fast replay waits for the disk.
        private static let storeLimit = 50_000
        /// Messages handled before the loop gets to do something else.
        private static let turnLimit = 1000

        init(recording: Recording, player: ReplayPlayer, core: MarketCore, base: Int, store: CandleStore) {
            self.store = store
            self.recording = recording
            self.player = player
            self.core = core
            self.base = base
            session = VenueSession(venue: recording.venue)
        }

        var counts: VenueSession.Counts { session.counts }
        var isFinished: Bool { player.isFinished }

        func turn() {
            let pipeline = core.onLoop.pipeline
            if store.statistics.pendingRows > Self.storeLimit { return core.loop.run(after: 0.005) { self.turn() } }
            var count = 0
            while count < Self.turnLimit, let index = player.next(now: core.clock()) {
                recording.withMessage(index) { _ = session.read($0) }
                for trade in session.trades {
                    pipeline.ingest(market: base + trade.market, trade.tick, now: recording.times[index])
                }
                count += 1
            }
            guard let due = player.nextDue else {
                pipeline.makeFormingDue()
                pipeline.publishForming()
                pipeline.isLive = false
                // A moment's pause, so that the end can be seen before it restarts.
                if player.loops { core.loop.run(after: 1) { self.restart() } }
                return
            }
            core.loop.run(after: due - core.clock()) { self.turn() }
        }

        private func restart() {
            guard player.rewind(now: core.clock()) else { return }
            session = VenueSession(venue: recording.venue)
            core.onLoop.pipeline.reset()
            turn()
        }
    }
}
