import Testing

@testable import VenueSimulation

@Suite("Binance, simulated")
struct BinanceSimulationTests {
    private func trade(_ id: Int, symbol: String = "ABCUSDT") -> String {
        let time = 1_700_000_000_000 + id
        return
            #"{"e":"trade","E":\#(time),"s":"\#(symbol)","t":\#(id),"p":"1.50","q":"2.00","T":\#(time),"m":true,"M":true}"#
    }

    private func wrapped(_ id: Int, symbol: String = "ABCUSDT") -> String {
        #"{"stream":"\#(symbol.lowercased())@trade","data":\#(trade(id, symbol: symbol))}"#
    }

    private var session: RecordedSession {
        RecordedSession(
            lines: (0..<6).map { wrapped($0, symbol: $0 % 2 == 0 ? "ABCUSDT" : "XYZUSDT") },
            times: (0..<6).map { 1_700_000_000_000_000_000 + $0 * 1_000_000_000 })
    }

    @Test("a stream of the path is there at once, raw")
    func raw() {
        var talk = VenueTranscript(.binance, session)
        talk.connect("/ws/abcusdt@trade")
        talk.runUntilIdle()
        #expect(talk.drain() == [0, 2, 4].map { trade($0) })
    }

    @Test("combined streams have their names around them")
    func combined() {
        var talk = VenueTranscript(.binance, session)
        talk.connect("/stream?streams=abcusdt@trade/xyzusdt@trade")
        talk.runUntilIdle()
        #expect(talk.drain() == (0..<6).map { wrapped($0, symbol: $0 % 2 == 0 ? "ABCUSDT" : "XYZUSDT") })
    }

    @Test("symbols of streams are in lower case, and others do not exist")
    func letters() {
        var talk = VenueTranscript(.binance, session)
        talk.connect("/ws/ABCUSDT@trade")
        talk.runUntilIdle()
        #expect(talk.drain().isEmpty)
        #expect(talk.connect("/nowhere") == nil)
    }

    @Test("a recording without envelopes gets them where they are requested")
    func unwrapped() {
        var talk = VenueTranscript(.binance, RecordedSession(lines: [trade(7)]))
        talk.connect("/stream?streams=abcusdt@trade")
        talk.runUntilIdle()
        #expect(talk.drain() == [wrapped(7)])
    }

    @Test("requests are answered with their ids, whatever those are")
    func requests() {
        var talk = VenueTranscript(.binance, RecordedSession(lines: [wrapped(0)]))
        talk.connect()
        talk.say(#"{"method":"SUBSCRIBE","params":["abcusdt@depth","nosuch@trade"],"id":1}"#)
        talk.say(#"{"method":"LIST_SUBSCRIPTIONS","id":"three"}"#)
        talk.say(#"{"method":"UNSUBSCRIBE","params":["nosuch@trade"],"id":null}"#)
        talk.pass(1)
        talk.say(#"{"method":"GET_PROPERTY","params":["combined"],"id":4}"#)
        talk.say(#"{"method":"LIST_SUBSCRIPTIONS","id":5}"#)
        #expect(
            talk.drain() == [
                #"{"result":null,"id":1}"#, #"{"result":["abcusdt@depth","nosuch@trade"],"id":"three"}"#,
                #"{"result":null,"id":null}"#, #"{"result":false,"id":4}"#, #"{"result":["abcusdt@depth"],"id":5}"#,
            ])
    }

    @Test(
        "wrong requests have a code, and not always an id",
        arguments: [
            ("{", #"{"code":3,"msg":"Invalid JSON: expected value at line 1 column 1"}"#),
            (
                #"{"method":"subscribe","params":[],"id":9}"#,
                #"{"code":2,"msg":"Invalid request: unknown variant `subscribe`, expected one of `SUBSCRIBE`, "#
                    + #"`UNSUBSCRIBE`, `LIST_SUBSCRIPTIONS`, `SET_PROPERTY`, `GET_PROPERTY` at line 1 column 28"}"#
            ),
            (
                #"{"method":"SUBSCRIBE","id":9}"#,
                #"{"code":2,"msg":"Invalid request: missing field `params`","id":9}"#
            ),
        ])
    func errors(_ request: String, _ answer: String) {
        var talk = VenueTranscript(.binance, session)
        talk.connect()
        talk.say(request)
        #expect(talk.drain() == [answer])
    }

    @Test("1,024 streams are the most")
    func streams() {
        var talk = VenueTranscript(.binance, session)
        talk.connect()
        let names = VenueJSON.list((0..<1024).map { "s\($0)@trade" })
        talk.say(#"{"method":"SUBSCRIBE","params":\#(names),"id":1}"#)
        talk.say(#"{"method":"SUBSCRIBE","params":["one@trade"],"id":2}"#)
        #expect(
            talk.drain() == [
                #"{"result":null,"id":1}"#, #"{"code":2,"msg":"Invalid request: too many subscriptions","id":2}"#,
            ])
    }

    @Test("five messages a second are accepted, pongs among them, and the sixth ends the connection")
    func rate() {
        var talk = VenueTranscript(.binance, session)
        talk.connect()
        for _ in 0..<3 { talk.say(#"{"method":"LIST_SUBSCRIPTIONS","id":1}"#) }
        talk.pong([])
        talk.pong([])
        #expect(talk.log.kicks.isEmpty)
        talk.say(#"{"method":"LIST_SUBSCRIPTIONS","id":1}"#)
        #expect(talk.drain().last == "close 1008 too many messages")
        #expect(talk.log.kicks.count == 1)
    }

    @Test("a ping every 20 s expects its own payload back within a minute")
    func pings() {
        var talk = VenueTranscript(.binance, session)
        talk.connect()
        talk.pass(20)
        #expect(talk.drain() == ["ping 1020000"])
        talk.pong(Array("1020000".utf8))
        #expect(talk.log.pongs == 1)
        talk.pass(20)
        talk.pong([])
        talk.pass(59)
        #expect(talk.log.kicks.isEmpty && talk.log.pongs == 1, "a pong without the payload is none")
        talk.pass(1)
        #expect(talk.drain().last == "close 1008 no pong")
    }

    @Test("after 24 hours it ends, and says so before")
    func age() {
        for target in ["/ws", "/stream?streams=none@trade"] {
            var talk = VenueTranscript(.binance, session, VenueSettings(maximumAge: 50))
            talk.connect(target)
            talk.pass(44)
            #expect(talk.drain() == ["ping 1020000", "ping 1040000"])
            talk.pass(1)
            // The second one has read all five seconds of the recording.
            let event = #"{"e":"serverShutdown","E":\#(target == "/ws" ? 1_700_000_000_000 : 1_700_000_005_000)}"#
            #expect(
                talk.drain() == [target == "/ws" ? event : #"{"stream":"!serverShutdown","data":\#(event)}"#])
            talk.pass(5)
            #expect(talk.drain() == ["close 1001 the connection is 50 s old"])
        }
        #expect(BinanceRules.facts.maximumAge == 86_400)
    }

    @Test("the whole book over HTTP is what the changes that were played make of it")
    func wholeBook() {
        func change(_ number: Int, bids: String, asks: String, symbol: String = "ABCUSDT") -> String {
            #"{"stream":"\#(symbol.lowercased())@depth@100ms","data":{"e":"depthUpdate","E":\#(1_700_000_000_000 + number),"#
                + #""s":"\#(symbol)","U":\#(number),"u":\#(number),"b":[\#(bids)],"a":[\#(asks)]}}"#
        }
        let session = RecordedSession(
            lines: [
                change(1, bids: #"["1.50","2.00"],["1.40","3"]"#, asks: #"["1.60","1"]"#),
                change(9, bids: "", asks: #"["9","9"]"#, symbol: "XYZUSDT"),
                change(2, bids: #"["1.50","0.00"]"#, asks: #"["1.55","4.0"]"#),
                change(3, bids: #"["1.41","1"]"#, asks: ""),
            ], times: (0..<4).map { 1_700_000_000_000_000_000 + $0 * 1_000_000_000 })
        var talk = VenueTranscript(.binance, session, VenueSettings(pace: .recorded()), now: 1_000)
        talk.connect("/stream?streams=abcusdt@depth@100ms")
        talk.pass(2.5)
        #expect(
            talk.request("/api/v3/depth?symbol=ABCUSDT&limit=1").body
                == #"{"lastUpdateId":2,"bids":[["1.40","3"]],"asks":[["1.55","4.0"]]}"#)
        #expect(talk.request("/api/v3/depth?symbol=NONE").body.contains("-1121"))
    }
}
