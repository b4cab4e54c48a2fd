import MarketModel
import TestKit
import Testing

@testable import MarketFeeds

/// Findings in the recordings' description: how fast real feeds are, and what most of it is.
@Suite("Findings: rates and sizes", .enabled(if: SharedData.isPresent, "no ../shared/data"))
struct RecordedRateTests {
    /// Most messages within one length of time, counted from its multiples, and where they begin.
    private static func burst(_ times: [Double], perSecond: Double) -> Range<Int> {
        var most = 0..<0
        var start = 0
        for index in times.indices {
            if (times[index] * perSecond).rounded(.down) != (times[start] * perSecond).rounded(.down) { start = index }
            if index + 1 - start > most.count { most = start..<index + 1 }
        }
        return most
    }

    @Test("bursts of 1,362 messages in a second and 520 in 10 ms: each is read, and its trades follow one another")
    func bursts() throws {
        let day = try ReadSession.spot.get().before
        for (perSecond, count) in [(1.0, 1362), (100.0, 520)] {
            let burst = Self.burst(day.times, perSecond: perSecond)
            #expect(burst.count == count)
            #expect(day.kinds[burst].allSatisfy { [.trades, .quotes, .book].contains($0) })
            let trades = day.trades.filter { burst.contains($0.message) }.map(\.trade)
            #expect(trades.count > 100)
            #expect(zip(trades, trades.dropFirst()).allSatisfy { $1.id == $0.id + 1 })
        }
    }

    @Test(
        "a burst of 1,362 messages arrives whole over a real socket, in its order", .timeLimit(.minutes(5)))
    func burstOverSocket() async throws {
        let name = "binance_spot_btcusdt_2024-08-08"
        let day = try ReadSession.spot.get().before
        let burst = Self.burst(day.times, perSecond: 1)
        let lines = try SharedRecording.recording(name).lines[burst]
        let reported = try await FollowedFeed.follow(
            "binance", ["BTCUSDT"],
            [.expectText(containing: "btcusdt@"), .send(#"{"result":null,"id":1}"#)] + lines.map { .send($0) }
        ) { $0.kinds.count >= burst.count + 1 }
        #expect(Array(reported.kinds.dropFirst()) == Array(day.kinds[burst]))
        #expect(
            reported.trades == day.trades.filter { burst.contains($0.message) }.map { FollowedFeed.words($0.trade) })
        #expect(reported.problems.isEmpty && reported.connections == 1)
    }

    @Test("66,573 of 73,174 bookTickers change sizes only: quotes of the same prices, without a time")
    func sizeOnlyQuotes() throws {
        let quotes = try ReadSession.spotDays().flatMap(\.quotes).map(\.quote)
        #expect(quotes.count == 73_174)
        #expect(quotes.allSatisfy { $0.timestamp == nil && $0.bid != nil && $0.ask != nil })
        let same = zip(quotes, quotes.dropFirst()).count { $0.bid == $1.bid && $0.ask == $1.ask }
        #expect(same == 66_573)
    }

    @Test("an average of 272 messages a second over 345 s of futures: each has its kind, none is lost")
    func futures() throws {
        let session = try ReadSession("binance_usdm-futures_btcusdt_2024-08-08")
        let (first, last) = (try #require(session.times.first), try #require(session.times.last))
        #expect((271.0...273.0).contains(Double(session.times.count) / (last - first)))
        #expect(session.counts.kinds[.quotes] == 66_089 && session.counts.kinds[.book] == 6551)
        #expect(session.counts.kinds[.trades] == 21_313 && session.counts.malformed == 0)
    }

    @Test(
        "receive times minus the venue's: its clock and the recorder's differ, and a message can be more than a second late",
        arguments: [
            ("binance_spot_btcusdt-ethusdt-dotusdt_2021-04-04", 0.010...0.025),
            ("binance_us_4symbols_2021-08-14", -0.060 ... -0.040),
            ("coinbase_exchange_ws-feed_6products_2021-04-17", -0.020...0.005),
        ])
    func clocks(name: String, usual: ClosedRange<Double>) throws {
        let session = try ReadSession(name)
        var validator = TickValidator()
        var ages: [Double] = []
        for (trade, message) in session.trades {
            ages.append(session.times[message] - trade.tick.timestamp)
            #expect(validator.check(trade.tick, now: session.times[message]) == nil)
        }
        ages.sort()
        #expect(usual.contains(ages[ages.count / 2]), "\(ages[ages.count / 2])")
        if name.contains("2021-04-04") { #expect(ages[ages.count - 1] > 1) }
    }
}
