import MarketModel
import Testing

@testable import MarketFeeds

@Suite("Sessions with providers")
struct ProviderSessionTests {
    private static func script(_ name: String, _ symbols: [String], token: String? = "tok") throws -> FeedScript {
        FeedScript(try ProviderAdapter(try ProviderExamples.configuration(name), token: token), symbols)
    }

    private static let subscribe = #"{"action":"subscribe","symbol":"BTC-USD","timeframe":"1m"}"#

    @Test(
        "the guide's provider gets one request when it opens, and counts as subscribed without an answer")
    func guide() throws {
        var script = try Self.script("guide", ["BTC-USD", "ETH-USD"])
        #expect(script.connect() == ["open 1", "connecting"])
        #expect(
            script.open() == [
                "open", "send 1 \(Self.subscribe)", "live BTC-USD",
                "send 1 \(Self.subscribe.replacingOccurrences("BTC", "ETH"))", "live ETH-USD",
            ])
        for message in ProviderExamples.messages("guide") { #expect(script.receive(message) == []) }
        #expect(script.trades == ["BTC-USD 67234.5"])
        #expect(!script.wait(29).contains { $0.hasPrefix("unanswered") })
    }

    @Test("an unwanted symbol is unsubscribed by symbol and timeframe")
    func unsubscribes() throws {
        var script = try Self.script("guide", ["BTC-USD"])
        _ = script.connect()
        _ = script.open()
        script.session.setWanted(0, false, now: 1)
        #expect(
            script.actions() == [
                "send 1 \(Self.subscribe.replacingOccurrences("subscribe", "unsubscribe"))", "interrupted BTC-USD",
            ])
        script.session.setWanted(0, true, now: 2)
        #expect(script.actions() == ["send 1 \(Self.subscribe)", "live BTC-USD"])
    }

    @Test(
        "a loss is reported, and leads to one further attempt; while there is a connection, to none")
    func reconnects() throws {
        var script = try Self.script("guide", ["BTC-USD"])
        _ = script.connect()
        _ = script.open()
        let lost = script.close()
        #expect(lost.contains("interrupted BTC-USD") && lost.last == "waiting")
        #expect(script.close() == [], "a second report of the same loss plans nothing")
        #expect(script.wait(2.1) == ["open 2", "connecting"])
        #expect(script.wait(1) == [], "one attempt at a time")
        #expect(script.open(2) == ["open", "send 2 \(Self.subscribe)", "live BTC-USD"])
        #expect(script.wait(20) == [], "none while connected")
    }

    @Test(
        "a provider that answers is believed, its refusals are reported, and its heartbeat is answered by its own message"
    )
    func answers() throws {
        var script = try Self.script("nested", ["BTC-USDT", "NO"])
        _ = script.connect()
        let opened = script.open()
        #expect(
            opened.last
                == #"send 1 {"op":"subscribe","args":[{"channel":"trade","id":"NO"}],"id":2}"#)
        #expect(script.receive(#"{"channel":"subscribed","market":{"id":"BTC-USDT"}}"#) == ["live BTC-USDT"])
        #expect(
            script.receive(#"{"channel":"error","market":{"id":"NO"},"reason":"no such market"}"#)
                == ["refused NO: no such market"])
        #expect(script.wait(20) == [#"send 1 {"op":"ping"}"#])
        #expect(script.receive(#"{"channel":"pong"}"#) == [])
        #expect(script.wait(20) == [#"send 1 {"op":"ping"}"#])
        #expect(script.wait(11).contains("silent"), "nothing answers: the connection is dead")
    }

    @Test("an acknowledgement in one message with trades is received, and a refusal too")
    func answersAmongTrades() throws {
        let trade = #"{"T":"t","S":"BTC/USD","p":"1","s":"1","t":"2024-11-20T19:13:20.5Z","i":"a","tks":"B"}"#
        for (answer, reported) in [
            (#"{"T":"subscription","trades":["BTC/USD"]}"#, "live BTC/USD"),
            (#"{"T":"error","msg":"no such symbol"}"#, "refused BTC/USD: no such symbol"),
        ] {
            for message in ["[\(answer),\(trade)]", "[\(trade),\(answer)]"] {
                var script = try Self.script("texts", ["BTC/USD"])
                _ = script.connect()
                _ = script.open()
                #expect(script.receive(message) == [reported])
                #expect(script.trades == ["BTC/USD 1.0"])
            }
        }
    }

    @Test("gaps of numbered trades are reported")
    func gaps() throws {
        var script = try Self.script("nested", ["BTC-USDT"])
        _ = script.connect()
        _ = script.open()
        let lines = ProviderExamples.messages("nested").map { script.receive($0) }
        #expect(lines == [["live BTC-USDT"], [], ["missed BTC-USDT 1"]])
    }

    @Test("a login goes first, many symbols go in one request, and the token stands where it was put and nowhere else")
    func token() throws {
        var script = try Self.script("texts", ["BTC/USD", "ETH/USD"], token: "a\"b")
        _ = script.connect()
        #expect(
            script.open() == [
                "open", #"send 1 {"action":"auth","key":"a\"b"}"#,
                #"send 1 {"action":"subscribe","trades":["BTC/USD","ETH/USD"],"bars":["BTC/USD","ETH/USD"]}"#,
            ])
        #expect(script.receive(ProviderExamples.messages("texts")[0]) == ["live BTC/USD", "live ETH/USD"])
        #expect(script.session.adapter.endpoint == "wss://stream.example.com/v1beta3")
        let headers = try ProviderAdapter(try ProviderExamples.configuration("texts"), token: "t").headers
        #expect(headers == [FeedHeader("Authorization", "Bearer t")])
    }

    @Test("what is no answer answers nothing")
    func otherMessages() throws {
        let adapter = try ProviderAdapter(try ProviderExamples.configuration("nested"))
        for text in ["", "null", "[]", "{}", "{\"channel\":5}", "{\"channel\":{}}", "nonsense"] {
            for kind in VenueMessageKind.allCases {
                var copy = text
                #expect(copy.withUTF8 { adapter.answers(to: UnsafeRawBufferPointer($0), kind) } == [], "\(text)")
            }
        }
    }

    @Test("only messages that may have an answer in them are read for one")
    func readOnce() throws {
        let adapter = try ProviderAdapter(try ProviderExamples.configuration("nested"))
        let text = #"{"channel":"subscribed","market":{"id":"BTC-USDT"}}"#
        let answering: Set<VenueMessageKind> = [.acknowledgement, .refusal, .trades, .candles]
        for kind in VenueMessageKind.allCases {
            var copy = text
            let answers = copy.withUTF8 { adapter.answers(to: UnsafeRawBufferPointer($0), kind) }
            #expect(answers == (answering.contains(kind) ? [.subscribed(["BTC-USDT"])] : []), "\(kind)")
        }
    }

    @Test("running candles become the ticks that make them")
    func candleTicks() {
        var builder = CandleTicks()
        var aggregator = TickAggregator(timeframes: [.m1, .h1])
        var finals: [Bar] = []
        func report(
            _ minute: Double, _ open: Double, _ high: Double, _ low: Double, _ close: Double, _ volume: Double,
            at now: Double
        ) {
            let candle = Candle(timestamp: minute, open: open, high: high, low: low, close: close, volume: volume)
            let reported = VenueCandle(symbol: "A", seconds: 60, candle: candle, trades: nil, lastTrade: nil)
            builder.accept(reported, timeframe: .m1, now: now) { tick in
                #expect(tick.timestamp >= minute && tick.timestamp < minute + 60)
                aggregator.ingest(tick) { finals.append($0) }
            }
            #expect(aggregator.forming(.m1)?.candle == candle)
        }
        report(3600, 10, 12, 9, 11, 5, at: 3610)
        report(3600, 10, 12, 9, 11, 5, at: 3611)
        report(3600, 10, 15, 9, 14, 6, at: 3612)
        report(3600, 10, 15, 3, 4, 6.5, at: 3700)
        report(3660, 4, 4, 4, 4, 0, at: 3659)
        report(3660, 4, 8, 2, 5, 1, at: 3661)
        #expect(finals.map(\.candle) == [Candle(timestamp: 3600, open: 10, high: 15, low: 3, close: 4, volume: 6.5)])
        #expect(
            aggregator.forming(.h1)?.candle
                == Candle(timestamp: 3600, open: 10, high: 15, low: 2, close: 5, volume: 7.5))
        let old = VenueCandle(
            symbol: "A", seconds: 60, candle: Candle(timestamp: 3600, open: 1, high: 1, low: 1, close: 1, volume: 1),
            trades: nil, lastTrade: nil)
        var longer = old
        longer.seconds = 300
        longer.candle.timestamp = 3900
        builder.accept(old, timeframe: .m1, now: 3700) { _ in Issue.record("a snapshot's past is no news") }
        builder.accept(longer, timeframe: .m5, now: 3901) { _ in Issue.record("longer candles have the others in them")
        }
    }

    @Test("what a candle had in it when it was first reported is of its beginning: only its close is of now")
    func firstTicks() {
        func ticks(_ seconds: Int, _ timeframe: Timeframe, start: Double, now: Double) -> [[Double]] {
            var builder = CandleTicks()
            var ticks: [[Double]] = []
            let candle = Candle(timestamp: start, open: 10, high: 12, low: 9, close: 11, volume: 5)
            builder.accept(VenueCandle(symbol: "A", seconds: seconds, candle: candle), timeframe: timeframe, now: now) {
                ticks.append([$0.timestamp, $0.price, $0.volume])
            }
            return ticks
        }
        #expect(
            ticks(60, .m1, start: 3600, now: 3640) == [[3600, 10, 5], [3600, 12, 0], [3600, 9, 0], [3640, 11, 0]])
        // What is older than five minutes is no trade any more.
        #expect(
            ticks(3600, .h1, start: 3600, now: 5000) == [[4760, 10, 5], [4760, 12, 0], [4760, 9, 0], [5000, 11, 0]])
    }
}
