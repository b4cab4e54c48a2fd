import MarketModel
import NIOCore
import NIOPosix
import StreamCore
import Testing

@testable import CandlewireServer
@testable import MarketFeeds

@Suite("best prices and the day, as the venue sends them")
struct MarketQuoteTests {
    /// The quotes that a message has.
    private static func quotes(_ venue: Venue, _ message: String) -> [VenueQuote] {
        var session = VenueSession(venue: venue, markets: ["BTC-USD"])
        var text = message
        text.withUTF8 { _ = session.read(UnsafeRawBufferPointer($0)) }
        return session.quotes
    }

    private static func ticker(
        bid: String = "9", ask: String = "11", second: Int = 37, low: String = "8"
    ) -> VenueQuote? {
        quotes(
            .coinbase,
            #"{"type":"ticker","product_id":"BTC-USD","price":"10","open_24h":"9.5","volume_24h":"1e3","low_24h":"\#(low)","#
                + #""high_24h":"12","best_bid":"\#(bid)","best_ask":"\#(ask)","time":"2021-04-17T16:43:\#(second)Z"}"#
        ).first
    }

    private static let now = 1_618_677_820.0

    @Test("the last word counts, an empty side is none, and an older word or one from the future changes nothing")
    func applies() throws {
        var quote = MarketQuote()
        quote.apply(try #require(Self.ticker()), now: Self.now)
        #expect(quote.bid == 9 && quote.ask == 11 && quote.day?.volume == 1000 && quote.timestamp == 1_618_677_817)
        quote.apply(try #require(Self.ticker(bid: "8", second: 30)), now: Self.now)
        #expect(quote.bid == 9, "from a connection that is being replaced")
        quote.apply(try #require(Self.ticker(bid: "0", ask: "12", second: 38, low: "13")), now: Self.now)
        #expect(quote.bid == nil && quote.ask == 12 && quote.day?.low == 8, "a low above the high is none")
        quote.apply(try #require(Self.ticker(bid: "7", second: 59)), now: Self.now - 3600)
        #expect(quote.bid == nil)
    }

    @Test("applies quotes of one side and quotes without a time, as some venues send them")
    func sides() throws {
        var quote = MarketQuote()
        let reported = Self.quotes(.binance, #"{"u":5,"s":"BTC-USD","b":"3","B":"1","a":"4","A":"1"}"#)
        quote.apply(try #require(reported.first), now: 100)
        #expect(quote.bid == 3 && quote.ask == 4 && quote.timestamp == 100 && quote.day == nil)
        var one = try #require(reported.first)
        one.bid = nil
        one.ask = 5
        quote.apply(one, now: 101)
        #expect(quote.bid == 3 && quote.ask == 5)
    }

    private static func core() async throws -> MarketCore {
        try await MarketCore(
            registry: MarketRegistry([Market(symbol: "BTC-USD", precision: 2)]),
            loop: MultiThreadedEventLoopGroup.singleton.next(), shards: []
        ) { _, _ in }
    }

    @Test("a market is stale without trades, whether its best prices come or not")
    func stale() async throws {
        let quote = try #require(Self.ticker())
        let ages = try await Self.core().read { pipeline in
            var reported = quote
            pipeline.ingest(market: 0, Tick(timestamp: Self.now, price: 10, volume: 1), now: Self.now)
            return (0...31).compactMap { second -> Double? in
                let now = Self.now + Double(second)
                reported.timestamp = now
                pipeline.apply(reported, market: 0, now: now)
                return pipeline.staleAge(0, isWatched: true, now: now)
            }
        }
        #expect(ages == [15, 30])
    }

    @Test("what trades are a minute ahead of is shown no more, until the venue sends it anew")
    func behind() async throws {
        let quote = try #require(Self.ticker())
        let start = try #require(quote.timestamp)
        let seen = try await Self.core().read { pipeline in
            var reported = quote
            func shown() -> [Double?] {
                let summary = pipeline.summary(of: 0)
                return [summary.bid, summary.ask, summary.day?.volume]
            }
            func trade(_ second: Double) {
                let time = start + second
                pipeline.ingest(market: 0, Tick(timestamp: time, price: 10, volume: 1), now: time)
            }
            pipeline.apply(reported, market: 0, now: start)
            trade(60)
            let before = shown()
            trade(61)
            let after = shown()
            reported.timestamp = start + 62
            pipeline.apply(reported, market: 0, now: start + 62)
            return [before, after, shown()]
        }
        #expect(seen == [[9, 11, 1000], [nil, nil, 2], [9, 11, 1000]])
    }

    @Test("a market shows them until it is interrupted")
    func markets() async throws {
        let core = try await Self.core()
        let quote = try #require(Self.ticker())
        let documents = try await core.read { pipeline in
            func document() -> String {
                var bytes: [UInt8] = []
                pipeline.registry.write(pipeline.summary(of: 0), into: &bytes)
                return String(decoding: bytes, as: UTF8.self)
            }
            pipeline.setFeed(.live, ofMarket: 0)
            let tick = Tick(timestamp: Self.now, price: 12.5, volume: 1)
            pipeline.ingest(market: 0, tick, now: Self.now)
            let before = document()
            pipeline.apply(quote, market: 0, now: Self.now)
            let after = document()
            pipeline.setFeed(.interrupted, ofMarket: 0)
            return [before, after, document()]
        }
        #expect(!documents[0].contains("bid") && documents[0].contains(#""volume_24h":1,"#))
        #expect(documents[1].contains(#""bid":9,"ask":11,"open_24h":9.5,"high_24h":12.5,"low_24h":8,"#))
        #expect(documents[1].contains(#""volume_24h":1000,"#))
        #expect(documents[1].contains(#""change_24h":3,"#))
        #expect(!documents[2].contains("bid") && documents[2].contains(#""volume_24h":1,"#))
    }
}
