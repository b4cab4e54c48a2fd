import MarketFeeds
import MarketModel
import NIOPosix
import Testing

@testable import CandlewireServer

@Suite("The list of markets since a position")
struct MarketListTests {
    private static let symbols = ["A-USD", "B-USD", "C-USD", "D-USD", "E-USD", "F-USD"]

    private static func core() async throws -> MarketCore {
        try await MarketCore(
            registry: MarketRegistry(symbols.map { Market(symbol: $0, precision: 2) }),
            loop: MultiThreadedEventLoopGroup.singleton.next(), shards: []
        ) { _, _ in }
    }

    private static let quote: VenueQuote? = {
        var session = VenueSession(venue: .coinbase, markets: ["BTC-USD"])
        var text =
            #"{"type":"ticker","product_id":"BTC-USD","price":"10","open_24h":"9","volume_24h":"3","low_24h":"8","#
            + #""high_24h":"12","best_bid":"9","best_ask":"11","time":"2021-04-17T16:43:37Z"}"#
        text.withUTF8 { _ = session.read(UnsafeRawBufferPointer($0)) }
        return session.quotes.first
    }()

    private static func row(_ pipeline: MarketPipeline, _ summary: MarketSummary) -> [UInt8] {
        var bytes: [UInt8] = []
        pipeline.registry.write(summary, into: &bytes)
        return bytes
    }

    /// Whatever can happen to a market.
    private static func change(
        _ pipeline: MarketPipeline, _ market: Int, _ now: Double, _ random: inout SeededGenerator
    ) {
        let minute = Timeframe.m1.bucketStart(of: now)
        let price = 100 + 20 * random.unit()
        let candle = Candle(timestamp: minute - 60, open: price, high: price, low: price, close: price, volume: 1)
        switch Int(random.unit() * 16) {
        case 0:
            let states: [MarketFeedState] = [.live, .paused, .refused("no")]
            pipeline.setFeed(states[Int(random.unit() * 3)], ofMarket: market)
        case 1:
            guard var quote else { return }
            quote.timestamp = now
            quote.bid = price
            pipeline.apply(quote, market: market, now: now)
        case 2: pipeline.noteDecimals(Int(random.unit() * 8), ofMarket: market)
        case 3: pipeline.place([candle], market: market, timeframe: .m1)
        case 4: pipeline.placeStored([candle], revisions: [:], market: market, timeframe: .m30)
        case 5:
            _ = pipeline.join([candle], market: market, timeframe: .m1, covered: minute - 120..<minute, now: now)
        case 6: _ = pipeline.evict(market)
        case 7: pipeline.restored(market)
        case 8: pipeline.registry.setTitle("Market \(price)", of: market)
        case 9: pipeline.registry.remove(market)
        case 10:
            let market = Market(symbol: symbols[market], precision: 2)
            let names = MarketRegistry.Names(store: market.symbol, bare: market.symbol, full: market.symbol)
            _ = pipeline.registry.place(market, names, in: 0..<symbols.count)
        case 11 where random.unit() < 0.1: pipeline.reset()
        default:
            let time = now - (random.unit() < 0.2 ? 5 * random.unit() : 0)
            pipeline.ingest(market: market, Tick(timestamp: time, price: price, volume: 1), now: now)
        }
    }

    @Test("put into an older list, the changes make the present one", arguments: 1...4 as ClosedRange<UInt64>)
    func changes(seed: UInt64) async throws {
        try await Self.core().read { pipeline in
            var random = SeededGenerator(seed: seed)
            var now = 1_725_141_600.0
            var client: [Int: [UInt8]] = [:]
            var position: MarketListPosition?
            var (partial, rows) = (0, 0)
            for _ in 0..<1_000 {
                now += random.unit() < 0.01 ? 3_000 * random.unit() : random.unit()
                for _ in 0..<Int(random.unit() * 3) {
                    Self.change(pipeline, Int(random.unit() * Double(Self.symbols.count)), now, &random)
                }
                let list = pipeline.list(since: position)
                if list.isPartial {
                    partial += 1
                    rows += list.summaries.count
                } else {
                    client = [:]
                }
                for summary in list.summaries { client[summary.market] = Self.row(pipeline, summary) }
                position = MarketListPosition(list.position.text)
                #expect(position == list.position)
                let present = pipeline.summaries().map { ($0.market, Self.row(pipeline, $0)) }
                guard client == Dictionary(uniqueKeysWithValues: present) else {
                    Issue.record("the client's list is not the server's (seed \(seed))")
                    return
                }
            }
            #expect(partial > 500 && rows < 2 * partial)
        }
    }

    @Test("a position that is none, or of another run, gets the whole list")
    func unknown() async throws {
        try await Self.core().read { pipeline in
            let now = pipeline.list(since: nil).position
            #expect(pipeline.list(since: now).isPartial && pipeline.list(since: now).summaries.isEmpty)
            for text in ["", "1", "1-2-3", "1-2-3-4-5", "a-b-c-d", "-1-2-3-4", "99999999999-0-0-0", "1-2-3-"] {
                #expect(MarketListPosition(text) == nil, "\(text)")
            }
            var others = [now, now, now, now]
            others[0].run ^= 1
            others[1].listing -= 1
            others[2].minute -= 1
            others[3].changes += 1
            for other in others {
                let list = pipeline.list(since: other)
                #expect(!list.isPartial && list.summaries.count == Self.symbols.count)
            }
        }
    }
}
