import Testing

@testable import VenueSimulation

@Suite("Coinbase Exchange, simulated")
struct CoinbaseSimulationTests {
    private let subscribe = #"{"type":"subscribe","product_ids":["AB-CD"],"channels":["matches"]}"#
    private let acknowledged = #"{"type":"subscriptions","channels":[{"name":"matches","product_ids":["AB-CD"]}]}"#

    @Test("each request is answered with everything that is subscribed to")
    func cumulative() {
        var talk = VenueTranscript(.coinbase, VenueRecordings.coinbase(0))
        talk.connect()
        #expect(talk.drain().isEmpty, "the venue sends nothing before the client does")
        talk.say(
            #"{"type":"subscribe","channels":["heartbeat",{"name":"ticker","product_ids":["AB-CD"]}],"product_ids":["AB-CD"]}"#
        )
        talk.say(subscribe)
        talk.say(#"{"type":"unsubscribe","channels":["heartbeat"]}"#)
        talk.say(#"{"type":"unsubscribe","product_ids":["AB-CD"],"channels":["ticker","matches"]}"#)
        let heartbeat = #"{"name":"heartbeat","product_ids":["AB-CD"]}"#
        let ticker = #"{"name":"ticker","product_ids":["AB-CD"]}"#
        let matches = #"{"name":"matches","product_ids":["AB-CD"]}"#
        #expect(
            talk.drain() == [
                #"{"type":"subscriptions","channels":[\#(heartbeat),\#(ticker)]}"#,
                #"{"type":"subscriptions","channels":[\#(heartbeat),\#(ticker),\#(matches)]}"#,
                VenueRecordings.match(100, -30, type: "last_match"),
                #"{"type":"subscriptions","channels":[\#(ticker),\#(matches)]}"#,
                #"{"type":"subscriptions","channels":[]}"#,
            ])
        #expect(talk.log.subscriptions[0] == [])
    }

    @Test("the recording comes whole, after its ack and the last match, as fast as it is read")
    func plays() {
        var talk = VenueTranscript(.coinbase, VenueRecordings.coinbase(200))
        talk.connect()
        talk.say(subscribe)
        talk.runUntilIdle()
        let lines = talk.drain()
        #expect(lines.prefix(2) == [acknowledged, VenueRecordings.match(100, -30, type: "last_match")])
        #expect(Array(lines.dropFirst(2)) == (0..<200).map { VenueRecordings.match(101 + $0, Double($0)) })
        #expect(talk.log.ended == 1)
    }

    @Test("a reader that is not ready holds up no other reader")
    func slowReader() {
        var talk = VenueTranscript(.coinbase, VenueRecordings.coinbase(200))
        talk.connect()
        talk.connect()
        talk.writable(false)
        talk.say(subscribe)
        talk.say(subscribe, on: 1)
        talk.runUntilIdle()
        #expect(talk.drain().filter { $0.contains(#""match""#) && !$0.hasPrefix("1: ") }.isEmpty)
        #expect(talk.log.ended == 1)
        talk.writable(true)
        talk.runUntilIdle()
        #expect(talk.drain().count == 200 && talk.log.ended == 2)
    }

    @Test("at the recorded pace, a client that comes later begins with the last match so far")
    func late() {
        var talk = VenueTranscript(
            .coinbase, VenueRecordings.coinbase(10), VenueSettings(pace: .recorded()), now: 1_618_677_780)
        talk.connect()
        talk.say(subscribe)
        talk.pass(4.5)
        #expect(talk.drain().dropFirst(2) == ArraySlice((0..<5).map { VenueRecordings.match(101 + $0, Double($0)) }))
        talk.connect()
        talk.say(subscribe, on: 1)
        #expect(
            talk.drain() == [
                "1: \(acknowledged)", "1: \(VenueRecordings.match(105, 4, type: "last_match"))",
            ])
        talk.leave(0)
        talk.pass(1)
        #expect(talk.drain() == ["1: \(VenueRecordings.match(106, 5))"])
    }

    @Test("heartbeats come every second, and report the last trade")
    func heartbeats() {
        var talk = VenueTranscript(
            .coinbase, VenueRecordings.coinbase(3), VenueSettings(pace: .recorded()), now: 1_618_677_780)
        talk.connect()
        talk.say(#"{"type":"subscribe","product_ids":["AB-CD"],"channels":["heartbeat"]}"#)
        talk.pass(3.5)
        let expected = [(102, "01"), (103, "02"), (103, "02")].map {
            #"{"type":"heartbeat","sequence":\#($0 * 10),"last_trade_id":\#($0),"product_id":"AB-CD","#
                + #""time":"2021-04-17T16:43:\#($1).000000Z"}"#
        }
        #expect(talk.drain().dropFirst().map { $0 } == expected)
    }

    @Test(
        "heartbeats of a recording that begins anew repeat what was reported last, and of a quiet market always the same"
    )
    func heartbeatsOfLoops() throws {
        let start: Int64 = 1_618_677_780_000_000_000
        let lines = [
            VenueRecordings.match(90, -30, type: "last_match"),
            VenueRecordings.match(7, -90, product: "EF-GH", type: "last_match"),
            VenueRecordings.match(101, 2), VenueRecordings.match(102, 3),
        ]
        let session = RecordedSession(lines: lines, times: [0, 0, 2, 3].map { start + $0 * 1_000_000_000 })
        let subscribe =
            #"{"type":"subscribe","product_ids":["AB-CD","EF-GH"],"channels":["matches","heartbeat"]}"#
        for times in [VenueSettings.Times.now, .asRecorded] {
            var talk = VenueTranscript(
                .coinbase, session, VenueSettings(pace: .recorded(), times: times, loops: true), now: 1_800_000_000)
            #expect(talk.venue.symbols == ["AB-CD", "EF-GH"] && talk.venue.quietSymbols == ["EF-GH"])
            talk.connect()
            talk.say(subscribe)
            talk.pass(200)
            var last: [String: Int] = [:]
            var matches: [Int] = []
            for message in talk.drain().compactMap({ VenueJSON($0) }) {
                guard let product = message["product_id"]?.string else { continue }
                switch message["type"]?.string {
                case "last_match": last[product] = message["trade_id"]?.integer
                case "match":
                    matches.append(try #require(message["trade_id"]?.integer))
                    last[product] = max(last[product] ?? 0, matches.last ?? 0)
                default:
                    let reported = try #require(message["last_trade_id"]?.integer)
                    #expect(reported <= (last[product] ?? 0) && (times == .asRecorded || reported == last[product]))
                }
            }
            #expect(last["EF-GH"] == 7)
            guard times == .now else { continue }
            #expect(matches == Array(101...108))
            // Between two rounds.
            talk.pass(20)
            talk.connect()
            _ = talk.drain()
            talk.say(subscribe, on: 1)
            let firsts = talk.drain().filter { $0.contains("last_match") }
            #expect(firsts.count == 2 && firsts[0].contains(#""trade_id":108,"#), "\(firsts)")
            #expect(firsts.last?.contains(#""trade_id":7,"#) == true)
        }
    }

    @Test(
        "a wrong request changes nothing and says what was wrong",
        arguments: [
            ("nonsense", "Malformed JSON"), (#"{"type":"sub"}"#, "Invalid message"),
            (#"{"type":"subscribe","product_ids":["AB-CD"],"channels":["candles"]}"#, "candles is not a valid channel"),
            (#"{"type":"subscribe","product_ids":["NO-NE"],"channels":["matches"]}"#, "NO-NE is not a valid product"),
            (#"{"type":"subscribe","channels":["matches"]}"#, "matches requires product_ids"),
            (#"{"type":"subscribe","product_ids":["AB-CD"]}"#, "channels is missing"),
        ])
    func errors(_ request: String, _ part: String) throws {
        var talk = VenueTranscript(.coinbase, VenueRecordings.coinbase(1))
        talk.connect()
        talk.say(request)
        let lines = talk.drain()
        let error = try #require(VenueJSON(lines.first ?? ""))
        #expect(lines.count == 1 && error["type"]?.string == "error")
        #expect(error["message"]?.string == part || error["reason"]?.string == part)
        #expect(talk.log.subscriptions.isEmpty)
    }

    @Test("a looped recording as fast as it is read is replayed once a second for a client without its subscription")
    func loopsWithoutReaders() {
        let settings = VenueSettings(pace: .asFastAsRead, loops: true)
        var talk = VenueTranscript(.coinbase, VenueRecordings.coinbase(20), settings)
        talk.connect()
        // No message of the recording is a status.
        talk.say(#"{"type":"subscribe","product_ids":["AB-CD"],"channels":["ticker"]}"#)
        talk.pass(3)
        #expect(talk.drain().count == 1 && talk.log.ended == 0)
        talk.say(subscribe)
        talk.pass(2.5)
        let matches = talk.drain().filter { $0.contains(#""match""#) }
        // Four rounds that went by, which a topic that comes late gets whole, and the two of these seconds.
        #expect(matches.count == 120)
    }

    @Test("a client that does not subscribe within five seconds is disconnected")
    func deadline() {
        var talk = VenueTranscript(.coinbase, VenueRecordings.coinbase(1))
        talk.connect()
        talk.connect()
        talk.pass(4)
        talk.say(subscribe, on: 1)
        _ = talk.drain()
        talk.pass(2)
        #expect(talk.drain().filter { !$0.hasPrefix("1: ") } == ["close 1008 no subscription within 5 s"])
        #expect(talk.log.kicks.map(\.connection) == [0])
    }

    @Test("a hundred messages a second are accepted, and more end the connection")
    func rate() {
        var talk = VenueTranscript(.coinbase, VenueRecordings.coinbase(0))
        talk.connect()
        for _ in 0..<100 { talk.say(subscribe) }
        #expect(talk.drain().count == 101 && talk.log.kicks.isEmpty)
        talk.say(subscribe)
        #expect(talk.drain() == [#"{"type":"error","message":"ErrSlowRead"}"#, "close 1008 ErrSlowRead"])
    }

    @Test("a channel that is requested later is whole as well")
    func laterChannel() {
        let lines = (0..<80).flatMap { [VenueRecordings.match(101 + $0, Double($0)), ticker($0)] }
        var talk = VenueTranscript(.coinbase, RecordedSession(lines: lines))
        talk.connect()
        talk.say(subscribe)
        talk.runUntilIdle()
        _ = talk.drain()
        talk.say(#"{"type":"subscribe","product_ids":["AB-CD"],"channels":["ticker"]}"#)
        talk.runUntilIdle()
        #expect(talk.drain().dropFirst() == ArraySlice((0..<80).map(ticker)))
    }

    private func ticker(_ number: Int) -> String {
        #"{"type":"ticker","product_id":"AB-CD","trade_id":\#(101 + number),"price":"1"}"#
    }
}
