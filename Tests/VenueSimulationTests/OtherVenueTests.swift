import Testing

@testable import VenueSimulation

@Suite("Other venues, simulated")
struct OtherVenueTests {
    /// A venue, what it recorded, what a client says, and everything that comes of it.
    struct Story: Sendable, CustomTestStringConvertible {
        var venue: SimulatedVenue
        var recorded: [String]
        var said: [String]
        var answers: [String]
        var testDescription: String { venue.name }
    }

    private func play(_ story: Story, _ target: String? = nil) -> [String] {
        let times = story.recorded.indices.map { 1_700_000_000_000_000_000 + Int64($0) }
        var talk = VenueTranscript(story.venue, RecordedSession(lines: story.recorded, times: times))
        talk.connect(target)
        for text in story.said { talk.say(text) }
        talk.runUntilIdle()
        return talk.drain()
    }

    private static func advanced(_ number: Int, _ channel: String, _ events: String) -> String {
        #"{"channel":"\#(channel)","timestamp":"2023-11-14T22:13:20.000000000Z","sequence_num":\#(number),"#
            + #""events":[\#(events)]}"#
    }

    private static let advancedTrades = (0..<3).map {
        #"{"type":"\#($0 == 0 ? "snapshot" : "update")","trades":[{"product_id":"A-B","trade_id":"\#(8 + $0)","#
            + #""price":"1.5","size":"2","time":"2023-11-14T22:13:20.000000Z","side":"SELL"}]}"#
    }

    private static let bitfinexInfo =
        #"{"event":"info","version":2,"serverId":"083bd8d4-aca7-4690-a573-eabfc8103de8","platform":{"status":1}}"#

    private static let stories = [
        Story(
            venue: .coinbaseAdvanced,
            recorded: [
                advanced(0, "market_trades", advancedTrades[0]), advanced(1, "subscriptions", "{}"),
                advanced(17, "market_trades", advancedTrades[1]), advanced(19, "market_trades", advancedTrades[2]),
            ],
            said: [
                #"{"type":"subscribe","product_ids":["A-B"],"channel":"market_trades"}"#,
                #"{"type":"subscribe","product_ids":["X-Y"],"channel":"ticker"}"#,
                #"{"type":"subscribe","product_ids":["A-B"],"channel":"matches"}"#,
            ],
            // The snapshot before its ack, and every frame numbered anew.
            answers: [
                advanced(0, "market_trades", advancedTrades[0]),
                advanced(1, "subscriptions", #"{"subscriptions":{"market_trades":["A-B"]}}"#),
                #"{"type":"error","message":"X-Y is not a valid product"}"#,
                #"{"type":"error","message":"channel is not valid"}"#,
                advanced(2, "market_trades", advancedTrades[1]), advanced(3, "market_trades", advancedTrades[2]),
            ]),
        Story(
            venue: .krakenArrays,
            recorded: [
                #"{"connectionID":1,"event":"systemStatus"}"#,
                #"[993,[["354.11","0.89","1700000000.557535","s","l",""]],"trade","XMR/USD"]"#,
                #"[992,{"b":[]},{"a":[]},"book-10","XMR/USD"]"#,
            ],
            said: [
                #"{"event":"subscribe","pair":["XMR/USD","NO/NE"],"subscription":{"name":"trade"},"reqid":4}"#,
                #"{"event":"subscribe","pair":["XMR/USD"],"subscription":{"name":"candles"}}"#,
                #"{"event":"ping","reqid":5}"#,
            ],
            answers: [
                #"{"connectionID":17843232920108168701,"event":"systemStatus","status":"online","version":"1.8.3"}"#,
                #"{"channelID":993,"channelName":"trade","event":"subscriptionStatus","pair":"XMR/USD","reqid":4,"#
                    + #""status":"subscribed","subscription":{"name":"trade"}}"#,
                #"{"errorMessage":"Currency pair not supported NO/NE","event":"subscriptionStatus","pair":"NO/NE","#
                    + #""reqid":4,"status":"error","subscription":{"name":"trade"}}"#,
                #"{"errorMessage":"Subscription name invalid","event":"subscriptionStatus","pair":"XMR/USD","#
                    + #""status":"error","subscription":{"name":"candles"}}"#,
                #"{"event":"pong","reqid":5}"#,
                #"[993,[["354.11","0.89","1700000000.557535","s","l",""]],"trade","XMR/USD"]"#,
            ]),
        Story(
            venue: .bitstamp,
            recorded: [
                #"{"event":"bts:subscription_succeeded","channel":"live_trades_ethusd","data":{}}"#,
                #"{"data":{"id":7,"microtimestamp":"1700000000000000"},"channel":"live_trades_ethusd","event":"trade"}"#,
                #"{"data":{"bids":[]},"channel":"diff_order_book_ethusd","event":"data"}"#,
            ],
            said: [
                #"{"event":"bts:subscribe","data":{"channel":"live_trades_ethusd"}}"#,
                #"{"event":"bts:subscribe","data":{"channel":"live_trades_nousd"}}"#, #"{"event":"bts:heartbeat"}"#,
                #"{"event":"subscribe"}"#,
            ],
            answers: [
                #"{"event":"bts:subscription_succeeded","channel":"live_trades_ethusd","data":{}}"#,
                #"{"event":"bts:error","channel":"","data":{"code":null,"message":"Bad subscription string."}}"#,
                #"{"event":"bts:heartbeat","channel":"","data":{"status":"success"}}"#,
                #"{"event":"bts:error","channel":"","data":{"code":null,"message":"Incorrect JSON format."}}"#,
                #"{"data":{"id":7,"microtimestamp":"1700000000000000"},"channel":"live_trades_ethusd","event":"trade"}"#,
            ]),
        Story(
            venue: .gemini,
            recorded: [
                #"{"type":"l2_updates","symbol":"AUSD","changes":[],"trades":[{"type":"trade","symbol":"AUSD","#
                    + #""event_id":3,"timestamp":1700000000000,"price":"2","quantity":"1","side":"buy"}]}"#,
                #"{"type":"l2_updates","symbol":"AUSD","changes":[["buy","1","2"]]}"#,
                #"{"type":"trade","symbol":"AUSD","event_id":4,"timestamp":1700000000000,"price":"2","quantity":"1"}"#,
            ],
            said: [
                #"{"type":"subscribe","subscriptions":[{"name":"l2","symbols":["AUSD"]}]}"#,
                #"{"type":"subscribe","subscriptions":[{"name":"l2","symbols":["NONE"]}]}"#,
            ],
            // No acks.
            answers: [
                #"{"type":"l2_updates","symbol":"AUSD","changes":[],"trades":[{"type":"trade","symbol":"AUSD","#
                    + #""event_id":3,"timestamp":1700000000000,"price":"2","quantity":"1","side":"buy"}]}"#,
                #"{"result":"error","reason":"InvalidSymbol","message":"NONE is not a symbol"}"#,
                #"{"type":"l2_updates","symbol":"AUSD","changes":[["buy","1","2"]]}"#,
                #"{"type":"trade","symbol":"AUSD","event_id":4,"timestamp":1700000000000,"price":"2","quantity":"1"}"#,
            ]),
        Story(
            venue: .bitfinex,
            recorded: [
                #"{"event":"subscribed","channel":"trades","chanId":17,"symbol":"tAUSD","pair":"AUSD"}"#,
                #"[17,[[1,1700000000000,2.5,1.1e-7]],1]"#, #"[17,"hb",2]"#, #"[17,"te",[2,1700000000000,-1,2],3]"#,
                #"[17,"tu",[2,1700000000000,-1,2],4]"#,
            ],
            said: [
                #"{"event":"conf","flags":65536}"#, #"{"event":"subscribe","channel":"trades","symbol":"tAUSD"}"#,
                #"{"event":"subscribe","channel":"trades","symbol":"tNONE"}"#,
                #"{"event":"subscribe","channel":"trades","symbol":"tAUSD"}"#, #"{"event":"ping","cid":12}"#,
            ],
            answers: [
                bitfinexInfo, #"{"event":"conf","status":"OK","flags":65536}"#,
                #"{"event":"subscribed","channel":"trades","chanId":17,"symbol":"tAUSD","pair":"AUSD"}"#,
                #"[17,[[1,1700000000000,2.5,1.1e-7]],1]"#,
                #"{"channel":"trades","symbol":"tNONE","event":"error","msg":"symbol: invalid","code":10300}"#,
                #"{"channel":"trades","symbol":"tAUSD","event":"error","msg":"subscribe: dup","code":10301}"#,
                #"{"event":"pong","ts":1700000000000,"cid":12}"#, #"[17,"te",[2,1700000000000,-1,2],2]"#,
                #"[17,"tu",[2,1700000000000,-1,2],3]"#,
            ]),
        Story(
            venue: .bybit,
            recorded: [
                #"{"topic":"publicTrade.AUSDT","ts":1700000000000,"type":"snapshot","data":[{"i":"u","T":1700000000000,"#
                    + #""p":"1","v":"2","S":"Buy","s":"AUSDT"}]}"#,
                #"{"topic":"orderbook.1.AUSDT","ts":1700000000000,"type":"snapshot","data":{"s":"AUSDT"}}"#,
            ],
            said: [
                #"{"op":"subscribe","args":["publicTrade.AUSDT"]}"#, #"{"op":"subscribe","args":["publicTrade.NONE"]}"#,
                #"{"op":"ping","req_id":"9"}"#,
            ],
            answers: [
                #"{"success":true,"ret_msg":"subscribe","conn_id":"1764937c-c1f0-4e2b-969d-000000000000","op":"subscribe"}"#,
                #"{"success":false,"ret_msg":"error:handler not found,topic:publicTrade.NONE","#
                    + #""conn_id":"1764937c-c1f0-4e2b-969d-000000000000","op":"subscribe"}"#,
                #"{"success":true,"ret_msg":"pong","conn_id":"1764937c-c1f0-4e2b-969d-000000000000","req_id":"9","op":"ping"}"#,
                #"{"topic":"publicTrade.AUSDT","ts":1700000000000,"type":"snapshot","data":[{"i":"u","T":1700000000000,"#
                    + #""p":"1","v":"2","S":"Buy","s":"AUSDT"}]}"#,
            ]),
    ]

    @Test("OKX answers each channel, has channels of its own at each address, and closes a silent connection")
    func okx() {
        let row = #"{"instId":"A-B","tradeId":"7","px":"1.5","sz":"2","side":"buy","ts":"1700000000000"}"#
        let recorded = #"{"arg":{"channel":"trades","instId":"A-B"},"data":[\#(row)]}"#
        var talk = VenueTranscript(.okx, RecordedSession(lines: [recorded], times: [1_700_000_000_000_000_000]))
        talk.connect()
        talk.say("ping")
        talk.say(
            #"{"id":"3","op":"subscribe","args":[{"channel":"trades","instId":"A-B"},{"channel":"candle1m","instId":"A-B"}]}"#
        )
        talk.say(#"{"op":"login"}"#)
        talk.runUntilIdle()
        let unknown =
            "Wrong URL or channel:candle1m,instId:A-B doesn't exist. "
            + "Please use the correct URL, channel and parameters referring to API document."
        #expect(
            talk.drain() == [
                "pong",
                #"{"id":"3","event":"subscribe","arg":{"channel":"trades","instId":"A-B"},"connId":"a4d3ae10"}"#,
                #"{"id":"3","event":"error","code":"60018","msg":"\#(unknown)","connId":"a4d3ae10"}"#,
                #"{"event":"error","code":"60012","msg":"Invalid request: {\"op\":\"login\"}","connId":"a4d3ae10"}"#,
                recorded,
            ])
        talk.pass(61)
        #expect(talk.log.kicks.map(\.reason) == ["No data received in 30s"])
    }

    @Test("a venue answers as it does, and plays what was requested", arguments: stories)
    func transcript(_ story: Story) {
        #expect(play(story) == story.answers)
    }

    @Test("Bitfinex's frames have no numbers where they were not requested, and each channel a heartbeat")
    func bitfinexWithoutNumbers() throws {
        let story = try #require(Self.stories.first { $0.venue == .bitfinex })
        var talk = VenueTranscript(.bitfinex, RecordedSession(lines: story.recorded))
        talk.connect()
        talk.say(story.said[1])
        talk.runUntilIdle()
        #expect(talk.drain().last == #"[17,"tu",[2,1700000000000,-1,2]]"#)
        talk.pass(15)
        #expect(talk.drain() == [#"[17,"hb"]"#])
        talk.say(#"{"event":"unsubscribe","chanId":17}"#)
        #expect(talk.drain() == [#"{"event":"unsubscribed","status":"OK","chanId":17}"#])
    }

    @Test("Bybit's linear market answers with an id that is empty")
    func bybitLinear() throws {
        let story = try #require(Self.stories.first { $0.venue == .bybit })
        #expect(
            play(story, "/v5/public/linear").first
                == #"{"success":true,"ret_msg":"","conn_id":"1764937c-c1f0-4e2b-969d-000000000000","req_id":"","op":"subscribe"}"#
        )
    }

    @Test("every venue survives requests that make no sense, and goes on", arguments: SimulatedVenue.all)
    func nonsense(_ venue: SimulatedVenue) {
        var talk = VenueTranscript(venue, RecordedSession(lines: []))
        talk.connect()
        for text in [
            "", "{", "[]", "null", #"{"event":1,"op":2,"type":3,"method":4}"#, String(repeating: "[", count: 99),
        ] {
            talk.say(text)
            talk.pass(0.5)
        }
        #expect(talk.log.receivedCount == 6)
    }

    @Test("every venue is found by its name")
    func names() {
        #expect(SimulatedVenue.all.allSatisfy { SimulatedVenue(named: $0.name) == $0 })
        #expect(SimulatedVenue(named: "nasdaq") == nil)
    }
}
