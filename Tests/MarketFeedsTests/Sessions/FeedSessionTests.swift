import StreamCore
import Testing

@testable import MarketFeeds

@Suite("Sessions with venues")
struct FeedSessionTests {
    @Test("a connection subscribes when it opens, and after each outage again")
    func subscribes() {
        var script = FeedScript(CoinbaseAdapter(), ["BTC-USD", "ETH-USD"])
        #expect(script.connect() == ["open 1", "connecting"])
        let request =
            #"{"type":"subscribe","product_ids":["BTC-USD","ETH-USD"],"channels":["matches","heartbeat","ticker"]}"#
        #expect(script.open() == ["open", "send 1 \(request)"])
        let answer = #"{"type":"subscriptions","channels":[{"name":"matches","product_ids":["BTC-USD","ETH-USD"]}]}"#
        #expect(script.receive(answer) == ["live BTC-USD", "live ETH-USD"])
        #expect(script.receive(answer) == [], "every subscription is answered with all of them")

        let lost = script.close()
        #expect(lost.last == "waiting" && lost.contains("interrupted BTC-USD") && lost.contains("interrupted ETH-USD"))
        #expect(script.wait(2) == ["open 2", "connecting"])
        #expect(script.open(2) == ["open", "send 2 \(request)"])
    }

    @Test("a candle that ran when the line broke is closed by none that comes after: what it came to is not known")
    func brokenCandle() {
        func ohlc(_ minute: Int) -> String {
            #"{"channel":"ohlc","type":"update","timestamp":"2026-09-10T17:35:52.114514810Z","data":[{"symbol":"BTC/USD","open":1,"high":1,"low":1,"close":1,"trades":1,"volume":1,"vwap":1,"interval_begin":"2026-09-10T17:\#(minute):00.000000000Z","interval":1,"timestamp":"2026-09-10T17:36:00.000000Z"}]}"#
        }
        let answer =
            #"{"method":"subscribe","result":{"channel":"trade","snapshot":false,"symbol":"BTC/USD"},"success":true,"req_id":1}"#
        for isBroken in [false, true] {
            var script = FeedScript(KrakenAdapter(), ["BTC/USD"])
            _ = script.connect() + script.open()
            #expect(script.receive(answer).first == "live BTC/USD")
            _ = script.receive(ohlc(35))
            if isBroken {
                #expect(script.close().contains("interrupted BTC/USD"))
                _ = script.wait(2) + script.open(2)
            }
            _ = script.receive(ohlc(37), on: isBroken ? 2 : 1)
            #expect(script.session.venueSession.candles.count == (isBroken ? 0 : 1))
        }
    }

    @Test("data that comes before its acknowledgement is accepted")
    func early() {
        var script = FeedScript(CoinbaseAdapter(), ["SKL-USD"])
        _ = script.connect()
        _ = script.open()
        let match =
            #"{"type":"match","trade_id":10,"side":"sell","size":"450","price":"0.791","product_id":"SKL-USD","sequence":7,"time":"2021-04-17T16:43:37.121358Z"}"#
        #expect(script.receive(match) == [])
        #expect(script.trades == ["SKL-USD 0.791"])
    }

    @Test("gaps are detected by trade_id, not by sequence, and by a heartbeat's last trade")
    func gaps() {
        var script = FeedScript(CoinbaseAdapter(), ["SKL-USD"])
        _ = script.connect()
        _ = script.open()
        func match(_ id: Int, _ sequence: Int) -> String {
            #"{"type":"match","trade_id":\#(id),"side":"sell","size":"1","price":"0.5","product_id":"SKL-USD","sequence":\#(sequence),"time":"2021-04-17T16:43:37.121358Z"}"#
        }
        #expect(script.receive(match(10, 100)) == [])
        #expect(script.receive(match(11, 900)) == [], "a sequence counts other messages too")
        #expect(script.receive(match(14, 901)) == ["missed SKL-USD 2"])
        let heartbeat =
            #"{"type":"heartbeat","sequence":950,"last_trade_id":15,"product_id":"SKL-USD","time":"2021-04-17T16:43:38.0Z"}"#
        #expect(script.receive(heartbeat) == ["missed SKL-USD 1"])
        #expect(script.session.venueSession.counts.missing == 3)
    }

    @Test("Kraken answers each symbol by itself; a refused one does not stop the others")
    func oneAnswerEach() {
        var script = FeedScript(KrakenAdapter(), ["BTC/USD", "XBT/USDT"])
        _ = script.connect()
        #expect(
            script.receive(
                #"{"channel":"status","type":"update","data":[{"version":"2.0.10","system":"online","api_version":"v2","connection_id":16763580994566763544}]}"#
            ) == [], "a number above Int64, and before the subscription")
        #expect(
            script.open() == [
                "open",
                #"send 1 {"method":"subscribe","params":{"channel":"trade","symbol":["BTC/USD","XBT/USDT"],"snapshot":true},"req_id":1}"#,
            ])
        #expect(
            script.receive(
                #"{"method":"subscribe","result":{"channel":"trade","snapshot":true,"symbol":"BTC/USD"},"success":true,"req_id":1}"#
            ) == ["live BTC/USD"])
        #expect(
            script.receive(
                #"{"error":"Currency pair not supported XBT/USDT","method":"subscribe","success":false,"symbol":"XBT/USDT","req_id":1}"#
            ) == [
                "refused XBT/USDT: Currency pair not supported XBT/USDT",
                #"send 1 {"method":"subscribe","params":{"channel":"ohlc","symbol":["BTC/USD"],"interval":1},"req_id":2}"#,
                #"send 1 {"method":"subscribe","params":{"channel":"ticker","symbol":["BTC/USD"],"event_trigger":"bbo"},"req_id":3}"#,
            ])
        // Heartbeats keep coming after a refused subscription: they prove the connection and nothing about data.
        for _ in 0..<30 {
            #expect(script.wait(1).allSatisfy { $0 == "ping 1" })
            #expect(script.receive(#"{"channel":"heartbeat"}"#) == [])
        }
        #expect(script.session.state == .open)
        let lost = script.close()
        #expect(lost.contains("interrupted BTC/USD") && !lost.contains("interrupted XBT/USDT"))
        _ = script.wait(2)
        #expect(
            script.open(2).last
                == #"send 2 {"method":"subscribe","params":{"channel":"trade","symbol":["BTC/USD"],"snapshot":true},"req_id":1}"#,
            "what was refused is not requested again")
    }

    @Test("a venue in maintenance is reported, once, and again when it is over")
    func maintenance() {
        var script = FeedScript(KrakenAdapter(), ["BTC/USD"])
        _ = script.connect()
        _ = script.open()
        func status(_ system: String) -> String {
            #"{"channel":"status","type":"update","data":[{"system":"\#(system)","connection_id":1}]}"#
        }
        #expect(script.receive(status("maintenance")) == ["unavailable: Kraken is in maintenance"])
        #expect(script.receive(status("maintenance")) == [])
        #expect(script.session.outage != nil)
        #expect(script.receive(status("post_only")) == ["unavailable: no more"])
    }

    @Test("a refused request of many is split, so that the bad symbol is found and the good ones come")
    func splits() {
        var script = FeedScript(BinanceAdapter.spot, ["BTCUSDT", "NOSUCH", "ETHUSDT"])
        _ = script.connect()
        #expect(
            script.open().last
                == #"send 1 {"method":"SUBSCRIBE","params":["btcusdt@trade","btcusdt@kline_1m","btcusdt@ticker","nosuch@trade","nosuch@kline_1m","nosuch@ticker","ethusdt@trade","ethusdt@kline_1m","ethusdt@ticker"],"id":1}"#
        )
        let split = script.receive(#"{"code":2,"msg":"Invalid request"}"#)
        #expect(
            split == [
                #"send 1 {"method":"SUBSCRIBE","params":["btcusdt@trade","btcusdt@kline_1m","btcusdt@ticker"],"id":2}"#
            ], "two messages at once are allowed, one went out before")
        #expect(
            script.wait(1) == [
                #"send 1 {"method":"SUBSCRIBE","params":["nosuch@trade","nosuch@kline_1m","nosuch@ticker"],"id":3}"#,
                #"send 1 {"method":"SUBSCRIBE","params":["ethusdt@trade","ethusdt@kline_1m","ethusdt@ticker"],"id":4}"#,
            ])
        #expect(script.receive(#"{"result":null,"id":2}"#) == ["live BTCUSDT"])
        #expect(
            script.receive(#"{"code":2,"msg":"Invalid request","id":3}"#) == [
                "refused NOSUCH: Invalid request (code 2)"
            ])
        #expect(script.receive(#"{"result":null,"id":4}"#) == ["live ETHUSDT"])
        #expect(script.receive(#"{"result":null,"id":4}"#) == [], "a doubled acknowledgement")
        #expect(script.receive(#"{"code":3,"msg":"Invalid JSON","id":77}"#) == ["problem refused"])
    }

    @Test("340 symbols of three streams each are one connection, within 1,024 streams and five messages a second")
    func paced() {
        let limits = BinanceAdapter.spot.limits
        #expect(limits.symbolsPerConnection * 3 <= 1024)
        let symbols = (0..<limits.symbolsPerConnection).map { "S\($0)USDT" }
        var script = FeedScript(BinanceAdapter.spot, symbols)
        _ = script.connect()
        var sent: [Double] = []
        for line in script.open() where line.hasPrefix("send") { sent.append(script.now) }
        for _ in 0..<180 {
            let lines = script.wait(0.05) + script.receive(#"{"e":"none"}"#)
            for line in lines where line.hasPrefix("send") { sent.append(script.now) }
        }
        #expect(sent.count == 7)
        for start in sent { #expect(sent.filter { $0 >= start && $0 < start + 1 }.count <= 4, "a pong counts too") }
    }

    @Test("a venue that does not answer gets the request again, is reported as silent, and gets it each minute then")
    func unanswered() {
        var script = FeedScript(BinanceAdapter.spot, ["BTCUSDT"])
        _ = script.connect()
        _ = script.open()
        var lines: [(Double, String)] = []
        for _ in 0..<95 {
            let before = script.now
            for line in script.wait(1) where !line.hasPrefix("ping") { lines.append((before, line)) }
            _ = script.receive(#"{"e":"other"}"#)
        }
        let requests = lines.filter { $0.1.hasPrefix("send") }.map(\.0)
        #expect(requests == [9, 19, 89])
        #expect(lines.filter { $0.1 == "unanswered BTCUSDT" }.count == 1)
        #expect(script.receive(#"{"result":null,"id":4}"#) == ["live BTCUSDT"])
    }

    @Test("a venue of which no message is understood is reported once, with what came and without its values")
    func foreign() {
        let foreign = #"{"event":"info","version":1,"feed":"s3cret"}"#
        func sentence(_ session: inout FeedSession) -> String? {
            while let action = session.nextAction() {
                if case .emit(.problem(.server(code: "not_understood", let message))) = action { return message }
            }
            return nil
        }
        // By their number.
        var script = FeedScript(KrakenAdapter(), ["BTC/USD"])
        _ = script.connect() + script.open()
        for _ in 1..<FeedSession.foreignMessages { #expect(script.receive(foreign) == []) }
        #expect(script.receive("no JSON") == ["problem not_understood"])
        #expect((0..<50).flatMap { _ in script.receive(foreign) } == [])
        // By the time since the first one.
        var quiet = FeedScript(KrakenAdapter(), ["BTC/USD"])
        _ = quiet.connect() + quiet.open()
        var first = foreign
        first.withUTF8 {
            _ = quiet.session.received(UnsafeRawBufferPointer($0), on: SocketNumber(rawValue: 1), now: quiet.now)
        }
        quiet.session.timerFired(now: FeedSession.foreignTime - 0.1)
        #expect(sentence(&quiet.session) == nil)
        #expect((quiet.session.deadline ?? .infinity) <= FeedSession.foreignTime)
        quiet.session.timerFired(now: FeedSession.foreignTime)
        #expect(
            sentence(&quiet.session)
                == "None of the messages from wss://ws.kraken.com/v2 is of a kind that Kraken sends: 1 other message, "
                + "the first with the members event, feed, version. Check the address.")
        // Not where one is understood.
        var known = FeedScript(KrakenAdapter(), ["BTC/USD"])
        _ = known.connect() + known.open()
        #expect(known.receive(#"{"channel":"heartbeat"}"#) == [])
        #expect((0..<50).flatMap { _ in known.receive(foreign) } == [])
    }

    @Test("silence ends a connection: nothing for twice the time in which something must come")
    func silence() {
        var script = FeedScript(CoinbaseAdapter(), ["BTC-USD"])
        _ = script.connect()
        _ = script.open()
        _ = script.receive(#"{"type":"subscriptions","channels":[{"name":"matches","product_ids":["BTC-USD"]}]}"#)
        #expect(script.wait(9.9) == ["ping 1"])
        let end = script.wait(0.2)
        #expect(end == ["silent", "interrupted BTC-USD", "drop 1", "waiting"])
        #expect(script.wait(2) == ["open 2", "connecting"])
    }

    @Test("a venue must answer a ping")
    func requested() {
        var script = FeedScript(BitstampAdapter(), ["btcusd"])
        _ = script.connect()
        _ = script.open()
        #expect(
            script.receive(#"{"event":"bts:subscription_succeeded","channel":"live_trades_btcusd","data":{}}"#)
                == ["live btcusd"])
        #expect(script.wait(15) == [#"send 1 {"event":"bts:heartbeat"}"#])
        #expect(script.receive(#"{"event":"bts:heartbeat","channel":"","data":{"status":"success"}}"#) == [])
        #expect(script.wait(15) == [#"send 1 {"event":"bts:heartbeat"}"#])
        #expect(script.wait(11).contains("silent"))
    }

    @Test("a connection is replaced before the venue cuts it: no trade twice, no moment without")
    func rotates() {
        var script = FeedScript(BinanceAdapter.spot, ["BTCUSDT"])
        _ = script.connect()
        _ = script.open()
        _ = script.receive(#"{"result":null,"id":1}"#)
        func trade(_ id: Int) -> String {
            #"{"stream":"btcusdt@trade","data":{"e":"trade","E":1,"s":"BTCUSDT","t":\#(id),"p":"1.\#(id)","q":"1","T":1723161255342,"m":true,"M":true}}"#
        }
        _ = script.receive(trade(1))
        var lines: [String] = []
        while lines.isEmpty, script.now < 24 * 3600 {
            lines += script.wait(5).filter { !$0.hasPrefix("ping") }
            _ = script.receive(#"{"e":"other"}"#)
        }
        #expect(lines == ["open 2"])
        #expect(script.now >= 23 * 3600 && script.now < 23 * 3600 + 6)
        #expect(script.receive(trade(2)) == [], "the old one goes on meanwhile")
        #expect(
            script.open(2) == [
                #"send 2 {"method":"SUBSCRIBE","params":["btcusdt@trade","btcusdt@kline_1m","btcusdt@ticker"],"id":1}"#
            ])
        #expect(script.receive(trade(3), on: 2) == [])
        #expect(script.receive(trade(3)) == [])
        #expect(script.receive(#"{"result":null,"id":1}"#, on: 2) == ["close 1 1000"])
        #expect(script.receive(trade(4), on: 2) == [])
        #expect(script.trades == ["BTCUSDT 1.1", "BTCUSDT 1.2", "BTCUSDT 1.3", "BTCUSDT 1.4"])
        #expect(script.session.venueSession.counts.duplicates == 1)
    }

    @Test("serverShutdown, raw or combined, opens the next connection at once")
    func goingAway() {
        for text in [
            #"{"e":"serverShutdown","E":1770123456789}"#,
            #"{"stream":"!serverShutdown","data":{"e":"serverShutdown","E":1770123456789}}"#,
        ] {
            var script = FeedScript(BinanceAdapter.us, ["BTCUSD"])
            _ = script.connect()
            _ = script.open()
            _ = script.receive(#"{"result":null,"id":1}"#)
            _ = script.wait(20)
            #expect(script.receive(text) == ["problem going_away"])
            #expect(script.wait(0.1) == ["open 2"])
        }
    }

    @Test("Bybit's acknowledgements may be byte-identical and name nothing: they answer in order")
    func identical() {
        var script = FeedScript(BybitAdapter(), (0..<15).map { "S\($0)USDT" })
        _ = script.connect()
        #expect(script.open().count == 3, "ten topics a request")
        let answer = #"{"success":true,"ret_msg":"subscribe","conn_id":"1764937c","op":"subscribe"}"#
        #expect(script.receive(answer).count == 10)
        #expect(script.receive(answer).count == 5)
        #expect(script.receive(answer) == [])
        #expect(script.receive(#"{"success":true,"ret_msg":"pong","conn_id":"1","op":"ping"}"#) == [])
    }

    @Test("Bybit's refusal names the request")
    func bybitRefuses() {
        var script = FeedScript(BybitAdapter(), ["NOUSDT"])
        _ = script.connect()
        #expect(script.open().last == #"send 1 {"req_id":"1","op":"subscribe","args":["publicTrade.NOUSDT"]}"#)
        #expect(
            script.receive(
                #"{"success":false,"ret_msg":"error:handler not found","conn_id":"1","req_id":"1","op":"subscribe"}"#)
                == ["refused NOUSDT: error:handler not found"])
    }

    @Test("Bitfinex' channel numbers are those of one connection")
    func channels() {
        var script = FeedScript(BitfinexAdapter(), ["tBTCUSD"])
        _ = script.connect()
        #expect(script.open().last == #"send 1 {"event":"subscribe","channel":"trades","symbol":"tBTCUSD"}"#)
        #expect(
            script.receive(#"{"event":"subscribed","channel":"trades","chanId":7,"symbol":"tBTCUSD","pair":"BTCUSD"}"#)
                == ["live tBTCUSD"])
        _ = script.receive(#"[7,"te",[1,1618665870435,0.5,60000],1]"#)
        _ = script.close()
        _ = script.wait(3)
        _ = script.open(2)
        _ = script.receive(#"[7,"te",[2,1618665870436,0.5,60001],1]"#, on: 2)
        #expect(script.session.venueSession.counts.flaws[.unknownChannel] == 1)
        _ = script.receive(
            #"{"event":"subscribed","channel":"trades","chanId":9,"symbol":"tBTCUSD","pair":"BTCUSD"}"#, on: 2)
        _ = script.receive(#"[9,"te",[3,1618665870437,0.5,60002],2]"#, on: 2)
        #expect(script.trades == ["tBTCUSD 60000.0", "tBTCUSD 60002.0"])
        #expect(
            script.receive(#"{"event":"info","code":20060,"msg":"maintenance"}"#, on: 2).first?.hasPrefix(
                "unavailable: Bitfinex") == true)
    }

    @Test("Gemini acknowledges nothing: its data does")
    func unacknowledged() {
        var script = FeedScript(GeminiAdapter(), ["ANKRUSD"])
        _ = script.connect()
        #expect(
            script.open().last
                == #"send 1 {"type":"subscribe","subscriptions":[{"name":"l2","symbols":["ANKRUSD"]}]}"#)
        #expect(script.receive(#"{"type":"heartbeat","timestamp":1624493666869}"#) == [])
        #expect(
            script.receive(#"{"type":"l2_updates","symbol":"ANKRUSD","changes":[["buy","0.07929","14300"]]}"#)
                == ["live ANKRUSD"])
    }

    @Test("an unwanted symbol is unsubscribed, once, and only where it was subscribed")
    func unwanted() {
        var script = FeedScript(KrakenAdapter(), ["BTC/USD", "ETH/USD", "SOL/USD"])
        script.session.setWanted(1, false, now: 0)
        #expect(script.actions() == [])
        _ = script.connect()
        #expect(script.open().last?.contains(#""symbol":["BTC/USD","SOL/USD"]"#) == true)
        _ = script.receive(
            #"{"method":"subscribe","result":{"channel":"trade","symbol":"BTC/USD"},"success":true,"req_id":1}"#)
        script.session.setWanted(0, false, now: 1)
        #expect(
            script.actions() == [
                #"send 1 {"method":"unsubscribe","params":{"channel":"trade","symbol":["BTC/USD"]},"req_id":2}"#,
                "interrupted BTC/USD",
            ], "SOL/USD has no answer yet, so that no other channel was requested")
        script.session.setWanted(0, false, now: 2)
        #expect(script.actions() == [])
        script.session.setWanted(0, true, now: 3)
        script.now = 3
        #expect(
            script.actions() == [
                #"send 1 {"method":"subscribe","params":{"channel":"trade","symbol":["BTC/USD"],"snapshot":true},"req_id":3}"#
            ])
    }

    @Test("a connection of which nothing is wanted is closed, and opened again by the first request")
    func resting() {
        var script = FeedScript(CoinbaseAdapter(), ["BTC-USD", "ETH-USD"])
        script.session.closesUnwanted = true
        _ = script.connect()
        _ = script.open()
        _ = script.receive(
            #"{"type":"subscriptions","channels":[{"name":"matches","product_ids":["BTC-USD","ETH-USD"]}]}"#)
        script.session.setWanted(0, false, now: 0)
        #expect(script.actions().contains("interrupted BTC-USD") && !script.session.isResting)
        script.session.setWanted(1, false, now: 0)
        let ended = script.actions()
        #expect(ended.contains("interrupted ETH-USD") && ended.contains("close 1 1000") && ended.last == "closed")
        #expect(script.session.isResting && script.wait(1000) == [])
        script.session.setWanted(1, true, now: script.now)
        #expect(script.actions() == ["open 2", "connecting"])
        #expect(script.open(2).last?.contains(#"["ETH-USD"]"#) == true)
        script.session.disconnect(now: script.now)
        script.session.setWanted(0, true, now: script.now)
        #expect(!script.actions().contains { $0.hasPrefix("open") }, "ended for good")
    }

    @Test("a polite close of the server is an outage; our own is the end")
    func closes() {
        var script = FeedScript(KrakenArrayAdapter(), ["XBT/USD"])
        _ = script.connect()
        _ = script.open()
        #expect(script.close(.normal).last == "waiting")
        _ = script.wait(3)
        _ = script.open(2)
        script.session.disconnect(now: script.now)
        #expect(script.actions() == ["close 2 1000", "closed"])
        #expect(script.wait(1000) == [])
    }

    @Test("attempts are spaced by a backoff with jitter, and go on slowly when they are used up")
    func backoff() throws {
        var waits: [[Double]] = Array(repeating: [], count: 12)
        for seed in 1...40 as ClosedRange<UInt64> {
            var script = FeedScript(KrakenAdapter(), ["BTC/USD"], seed: seed)
            _ = script.connect()
            for attempt in 1...12 {
                let before = script.now
                _ = script.close(.abnormal, attempt)
                guard case .waiting(let until) = script.session.state else { return #expect(Bool(false), "no wait") }
                waits[attempt - 1].append(until - before)
                #expect(script.session.isSlowRetry == (attempt > 10), "attempt \(attempt)")
                _ = script.wait(until - before + 0.001)
            }
        }
        for (attempt, waits) in waits.prefix(10).enumerated() {
            let bound = min(pow2(attempt + 1), 30)
            #expect(waits.count == 40 && waits.allSatisfy { $0 <= bound })
            let mean = waits.reduce(0, +) / Double(waits.count)
            #expect(try #require(waits.max()) > bound * 0.8)
            #expect((bound * 0.35...bound * 0.65).contains(mean))
        }
        let slow = waits[10...].joined()
        #expect(slow.allSatisfy { ($0 - 60).magnitude < 1e-6 }, "reported as `waiting`, and still trying")
    }

    @Test(
        "a venue that refuses the connection as a whole is tried again each minute, until no symbol is wanted any more")
    func refusedConnection() {
        var script = FeedScript(BinanceAdapter.spot, ["BTCUSDT"])
        _ = script.connect()
        script.session.refused(SocketNumber(rawValue: 1), status: 403, retryAfter: nil, now: 0)
        #expect(script.actions().last == "failed")
        #expect(script.wait(59.9) == [])
        #expect(script.wait(0.2) == ["open 2", "connecting"])
        _ = script.open(2)
        #expect(script.close(.policyViolation, 2).last == "failed")
        #expect(script.wait(60) == ["open 3", "connecting"])
        script.session.disconnect(now: script.now)
        #expect(script.actions().last == "closed")
        #expect(script.wait(1000) == [])
    }

    private func pow2(_ exponent: Int) -> Double { Double(1 << exponent) }
}
