import StreamCore
import Testing

@testable import MarketFeeds

@Suite("What a venue refuses, and what only its answers seem to say")
struct FeedRefusalTests {
    private static func refusal(_ reason: String, _ symbol: String, _ number: Int) -> String {
        #"{"error":"\#(reason)","method":"subscribe","success":false,"symbol":"\#(symbol)","req_id":\#(number)}"#
    }

    @Test(
        "a refusal that passes is not final: the symbol is requested again after growing pauses",
        arguments: ["EService:Busy", "EService:Unavailable", "Exceeded msg rate", "EGeneral:Too many requests"])
    func passing(reason: String) {
        var script = FeedScript(KrakenAdapter(), ["BTC/USD"])
        _ = script.connect()
        _ = script.open()
        var pauses: [Double] = []
        var reported: [String] = []
        for number in 1...5 {
            let lines = script.receive(Self.refusal(reason, "BTC/USD", number))
            #expect(lines.first == "problem refused")
            reported += lines.dropFirst()
            let start = script.now
            var sent: [String] = []
            while sent.isEmpty, script.now < start + 100 {
                sent = script.wait(1).filter { $0.hasPrefix("send") }
                _ = script.receive(#"{"channel":"heartbeat"}"#)
            }
            pauses.append(script.now - start)
        }
        #expect(pauses == [5, 10, 20, 40, 60])
        #expect(reported == ["unanswered BTC/USD"], "after the third time")
        #expect(
            script.receive(
                #"{"method":"subscribe","result":{"channel":"trade","symbol":"BTC/USD"},"success":true,"req_id":6}"#
            )
            .first == "live BTC/USD")
    }

    @Test("one that does not pass stays final")
    func final() {
        var script = FeedScript(KrakenAdapter(), ["NO/USD"])
        _ = script.connect()
        _ = script.open()
        #expect(
            script.receive(Self.refusal("Currency pair not supported NO/USD", "NO/USD", 1))
                == ["refused NO/USD: Currency pair not supported NO/USD"])
        for reason in [
            "Invalid symbol", "EQuery:Unknown asset pair", "NO-USD is not a valid product", "parameter error",
        ] {
            #expect(!RefusalReason.isPassing(reason))
        }
    }

    @Test("Bitfinex says that a channel is there already: its trades come")
    func duplicate() {
        var script = FeedScript(BitfinexAdapter(), ["tBTCUSD", "tETHUSD"])
        _ = script.connect()
        _ = script.open()
        _ = script.receive(#"{"event":"subscribed","channel":"trades","chanId":7,"symbol":"tBTCUSD","pair":"BTCUSD"}"#)
        _ = script.receive(#"{"event":"subscribed","channel":"trades","chanId":8,"symbol":"tETHUSD","pair":"ETHUSD"}"#)
        script.session.setWanted(0, false, now: 0)
        #expect(script.actions() == ["interrupted tBTCUSD"], "it cannot be unsubscribed")
        #expect(!script.session.isWanted(0) && script.session.isWanted(1) && !script.session.isWanted(2))
        script.session.setWanted(0, true, now: 0)
        #expect(script.actions() == [#"send 1 {"event":"subscribe","channel":"trades","symbol":"tBTCUSD"}"#])
        #expect(
            script.receive(
                #"{"event":"error","msg":"subscribe: dup","code":10301,"channel":"trades","symbol":"tBTCUSD"}"#)
                == ["live tBTCUSD"])
    }

    @Test("Bitfinex' channel numbers are those of one connection, also while another replaces it")
    func rotatedChannels() {
        var script = FeedScript(BitfinexAdapter(), ["tBTCUSD", "tETHUSD"])
        func subscribed(_ channel: Int, _ symbol: String) -> String {
            #"{"event":"subscribed","channel":"trades","chanId":\#(channel),"symbol":"\#(symbol)"}"#
        }
        _ = script.connect()
        _ = script.open()
        _ = script.receive(subscribed(1, "tBTCUSD"))
        _ = script.receive(subscribed(2, "tETHUSD"))
        _ = script.wait(20)
        _ = script.receive(#"[1,"hb"]"#)
        _ = script.receive(#"{"event":"info","code":20051,"msg":"restart"}"#)
        #expect(script.wait(0.1) == ["open 2"])
        _ = script.open(2)
        // The same numbers the other way round.
        _ = script.receive(subscribed(2, "tBTCUSD"), on: 2)
        _ = script.receive(#"[1,"te",[1,1618665870435,1,60000],1]"#)
        _ = script.receive(#"[2,"te",[2,1618665870435,1,3000],1]"#)
        _ = script.receive(#"[2,"te",[3,1618665870436,1,60001],1]"#, on: 2)
        #expect(script.receive(subscribed(1, "tETHUSD"), on: 2).contains("close 1 1000"))
        _ = script.receive(#"[1,"te",[4,1618665870436,1,3001],1]"#, on: 2)
        #expect(script.trades == ["tBTCUSD 60000.0", "tETHUSD 3000.0", "tBTCUSD 60001.0", "tETHUSD 3001.0"])
        #expect(script.session.venueSession.counts.flaws[.unknownChannel] == 0)
    }

    @Test("Gemini: data of one market says nothing of another")
    func oneByOne() {
        var script = FeedScript(GeminiAdapter(), ["BTCUSD", "NOSUCH", "ETHUSD"])
        _ = script.connect()
        _ = script.open()
        let update = #"{"type":"l2_updates","symbol":"ETHUSD","changes":[["buy","0.07929","14300"]]}"#
        #expect(script.receive(update) == ["live ETHUSD"])
        #expect(script.receive(update) == [])
        let trade =
            #"{"type":"trade","symbol":"BTCUSD","event_id":7,"timestamp":1624493666869,"price":"10","quantity":"1","side":"buy"}"#
        #expect(script.receive(trade) == ["live BTCUSD"])
        #expect(script.trades == ["BTCUSD 10.0"])
        var lines: [String] = []
        for _ in 0..<40 {
            lines += script.wait(1).filter { !$0.hasPrefix("ping") }
            _ = script.receive(#"{"type":"heartbeat","timestamp":1624493666869}"#)
        }
        #expect(lines.filter { $0.hasPrefix("send") }.allSatisfy { $0.contains(#"["NOSUCH"]"#) })
        #expect(lines.contains("unanswered NOSUCH"))
    }

    @Test(
        "a refusal with an empty reason says that there is none",
        arguments: [
            ("bybit", #"{"success":false,"ret_msg":"","conn_id":"1","req_id":"1","op":"subscribe"}"#),
            ("binance", #"{"code":2,"msg":"","id":1}"#), ("gemini", #"{"result":"error","reason":""}"#),
            ("kraken", #"{"error":" ","method":"subscribe","success":false,"symbol":"BTC/USD"}"#),
            ("kraken-v1", #"{"errorMessage":"","event":"subscriptionStatus","pair":"XBT/USD","status":"error"}"#),
            ("bitstamp", #"{"event":"bts:error","channel":"live_trades_btcusd","data":{"message":""}}"#),
            ("bitfinex", #"{"event":"error","msg":"","code":10300,"symbol":"tBTCUSD"}"#),
            ("coinbase", #"{"type":"error","message":""}"#), ("coinbase-advanced", #"{"type":"error","message":""}"#),
        ])
    func emptyReason(name: String, text: String) throws {
        let adapter = try #require(FeedCatalogue.adapter(named: name))
        let answers = Array(text.utf8).withUnsafeBytes { adapter.answers(to: $0, .refusal) }
        guard case .refused(_, _, let reason)? = answers.first else {
            Issue.record("\(answers) is no refusal")
            return
        }
        #expect(reason.hasPrefix("the venue gave no reason"))
    }

    @Test("a symbol's flaw names the venue of the request", arguments: FeedCatalogue.adapters.map(\.name))
    func title(name: String) throws {
        let adapter = try #require(FeedCatalogue.adapter(named: name))
        #expect(adapter.flaw(of: "a b")?.hasPrefix("\(adapter.title) has no symbol") == true)
    }
}
