import HistoryStore
import MarketFeeds
import MarketModel
import NIOCore
import Testing
import TradingCore

@testable import CandlewireServer

@Suite("Several feeds in one process: names and addresses")
struct FeedSetTests {
    private final class NamedFeed: Feed {
        let name: String
        let markets: [Market]
        let summary = ""

        init(_ name: String, _ symbols: String...) {
            self.name = name
            markets = symbols.map { Market(symbol: $0, precision: 2) }
        }

        func start(_ core: MarketCore, base: Int, store: CandleStore) {}
        func status(_ core: MarketCore) async throws -> FeedStatus {
            FeedStatus(name: name, state: "live", figures: [])
        }
    }

    @Test("a market is found by its full name, however many feeds there are, and by the bare one where that is clear")
    func names() {
        let alone = FeedSet([NamedFeed("kraken", "BTC/USD", "ETH/USD")], marksStore: true).registry
        #expect(alone.markets.map(\.symbol) == ["BTC/USD", "ETH/USD"])
        #expect(
            alone.find("kraken:ETH/USD") == 1 && alone.find("ETH/USD") == 1 && alone.find("bitstamp:ETH/USD") == nil)
        let both = FeedSet(
            [NamedFeed("kraken", "BTC/USD", "ETH/USD"), NamedFeed("other", "BTC/USD")], marksStore: true
        ).registry
        #expect(both.find("kraken:BTC/USD") == 0 && both.find("other:BTC/USD") == 2)
        #expect(both.find("BTC/USD") == nil && both.find("ETH/USD") == 1)
        #expect(alone.storeNames == Array(both.storeNames.prefix(2)), "stored under one name")
    }

    @Test("the simulated exchange and the tracker share no series in the store")
    func storeNames() {
        let both = FeedSet([NamedFeed("sim", "BTC-USD"), NamedFeed("tracker", "BTC-USD")], marksStore: false).registry
        #expect(both.storeNames == ["BTC-USD", "tracker:BTC-USD"])
        #expect(FeedSet([NamedFeed("sim", "BTC-USD")], marksStore: false).registry.storeNames == ["BTC-USD"])
    }

    @Test("the ledger's names of markets do not depend on the number of feeds")
    func ledger() throws {
        let alone = FeedSet([NamedFeed("kraken", "BTC-USD")], marksStore: true).registry
        let both = FeedSet([NamedFeed("kraken", "BTC-USD"), NamedFeed("other", "BTC-USD")], marksStore: true).registry
        let entries = try LedgerCodecTests.entries()
        for entry in entries {
            let kept = LedgerNames(alone).kept(entry)
            if let order = entry.event.order {
                #expect(order.symbol == "BTC-USD" && kept.event.order?.symbol == "kraken:BTC-USD")
                #expect(LedgerNames(both).shown(kept).event.order?.symbol == "kraken:BTC-USD")
            }
            if entry.event.fill != nil { #expect(kept.event.fill?.symbol == "kraken:BTC-USD") }
            #expect(LedgerNames(alone).shown(kept) == entry)
            #expect(LedgerNames(both).kept(LedgerNames(both).shown(kept)) == kept)
        }
        var leverage = try #require(entries.first)
        leverage.event = .leverageChanged(symbol: "BTC-USD", leverage: 3)
        #expect(LedgerNames(alone).kept(leverage).event == .leverageChanged(symbol: "kraken:BTC-USD", leverage: 3))
    }

    @Test(
        "an address is shown without what may be a secret",
        arguments: [
            ("ws://127.0.0.1:9000/", "ws://127.0.0.1:9000/"),
            ("wss://feed.example/stream?token=secret&x=1", "wss://feed.example/stream"),
            ("wss://name:secret@feed.example:8443/a/b#secret", "wss://feed.example:8443/a/b"),
            ("ws://secret@host", "ws://host"), ("ws://secret:secret@[::1]:80/x", "ws://[::1]:80/x"),
            ("http://host/?token=secret", "http://host/"), ("ws://[::1]", "ws://[::1]"),
            ("ws://us\\er:secret@host", "ws://host"),
        ])
    func shown(url: String, shown: String) {
        #expect(FeedAddress.shown(url) == shown)
    }

    @Test(
        "of what cannot be read as an address without a doubt nothing is shown",
        arguments: [
            "ws://user:pa/ss@host", "ws://user:12/ss@host", "ws://user:pa?ss@host", "ws://user:12#ss@host",
            "ws://user:pass", "ws://user:99999", "ws://user:+1", "ws://", "ws:", "", "secret",
            "name:secret@host/a", "kraken:wss//host?secret", "se cret://host", "ws://se cret", "ws://:80",
            "ws://a:b:80",
            "://host", "ws://host/\\secret",
        ])
    func unreadable(url: String) {
        #expect(FeedAddress.shown(url) == "(not shown: it cannot be read)")
    }
}
