import MarketFeeds
import MarketModel
import NIOCore
import NIOPosix
import Testing

@testable import CandlewireServer

@Suite("which markets are watched")
struct WatchedMarketsTests {
    /// Counts how often the accounts are looked at.
    private final class Accounts: MarketObserver {
        let maxLeverage = 100
        var looks = 0
        func market(_ market: Int, traded tick: Tick, now: Double) {}
        func market(_ market: Int, finished bars: [Bar]) {}
        func feedChanged(isLive: Bool) {}
        func marketPaused(_ market: Int) {}
        func marketsRestarted() {}

        func involvedMarkets() -> Set<Int> {
            looks += 1
            return [7]
        }
    }

    @Test("the accounts are looked at once for all markets")
    func once() async throws {
        let core = try await MarketCore(
            registry: MarketRegistry((0..<500).map { Market(symbol: "S\($0)", precision: 2) }),
            loop: MultiThreadedEventLoopGroup.singleton.next(), shards: []
        ) { _, _ in }
        let seen = try await core.read { pipeline in
            let accounts = Accounts()
            pipeline.observer = accounts
            return (pipeline.watched(0..<500), accounts.looks)
        }
        #expect(seen.0 == [7] && seen.1 == 1)
    }
}
