import HistoryStore
import Logging
import MarketFeeds
import MarketModel
import NIOCore
import NIOPosix
import StreamCore
import Synchronization
import Testing
import WebSocketTransport

@testable import CandlewireServer

@Suite("Trades that a venue's numbers show to be missing")
struct MissedTradesTests {
    /// 2024-08-08 00:00 UTC.
    private static let day = 1_723_075_200.0

    private final class Shared: Sendable {
        let venueTime = Mutex(day - 120)
        let bars = Mutex<[Bar]>([])
    }

    @Test(
        "leave a gap in the minute before and in the one that begins with the trade that shows it, wherever the server's clock is",
        arguments: [-4.5, -0.1, 30])
    func gaps(clockError: Double) async throws {
        let shared = Shared()
        let clock = WallClock(
            steady: { shared.venueTime.withLock { $0 } }, system: { shared.venueTime.withLock { $0 } + clockError })
        let core = try await MarketCore(
            registry: MarketRegistry([Market(symbol: "BTC-USD", precision: 2)]),
            loop: MultiThreadedEventLoopGroup.singleton.next(), shards: []
        ) { _, bars in shared.bars.withLock { $0 += bars.filter { $0.timeframe == .m1 } } }
        let store = try CandleStore(directory: RunningServer.temporaryFolder())
        let adapter = try #require(FeedCatalogue.adapter(named: "coinbase"))
        try await core.loop.submit {
            let connection = FeedConnection(FeedSession(adapter, symbols: ["BTC-USD"], seed: 1), on: core.loop)
            let runner = LiveFeed.Runner(
                core, 0..<1, memory: StoredMemory(core: core, store: store), joiner: nil,
                intake: CandleIntake(core.onLoop.pipeline, base: 0, count: 1, use: .besideTrades),
                title: adapter.title, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, clock: clock,
                makeConnection: { _ in connection })
            runner.connections = [LiveFeed.Runner.Link(connection: connection, markets: [0])]
            connection.receiver = runner
            connection.report(.live(symbol: "BTC-USD"))
            /// - Parameter stated: seconds that are in the message.
            func trade(_ number: Int, at second: Double, stated: Double? = nil) {
                shared.venueTime.withLock { $0 = Self.day + second }
                let time = RFC3339.text(Self.day + (stated ?? second), fractionDigits: 6)
                var message =
                    #"{"type":"match","trade_id":\#(number),"side":"buy","size":"1","price":"10","#
                    + #""product_id":"BTC-USD","time":"\#(time)"}"#
                message.withUTF8 {
                    connection.handle(
                        .received(UnsafeRawBufferPointer($0), isText: true), on: SocketNumber(rawValue: 1))
                }
            }
            trade(1, at: 10)
            // On the second with which the minute begins.
            trade(4, at: 60)
            trade(5, at: 121)
            trade(6, at: 181)
            // It shows another hole, and is refused for its time: later minutes have nothing to do with it.
            trade(8, at: 190, stated: 86_400)
            trade(9, at: 241)
            trade(10, at: 301)
            _ = runner.stop()
        }.get()
        try await store.close()
        let bars = shared.bars.withLock { $0 }
        #expect(bars.map { ($0.candle.timestamp - Self.day) / 60 } == [0, 1, 2, 3, 4])
        #expect(bars.map(\.quality) == [.gap, .gap, .complete, .gap, .complete])
    }
}
