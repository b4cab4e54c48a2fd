import Testing

@testable import VenueSimulation

@Suite("Kraken, simulated")
struct KrakenSimulationTests {
    private func row(_ id: Int, symbol: String = "AB/CD") -> String {
        let time = VenueTime.rfc3339(1_700_000_000_000_000_000 + Int64(id) * 1_000_000_000)
        return
            #"{"symbol":"\#(symbol)","side":"buy","price":84.10,"qty":0.00093400,"ord_type":"limit","trade_id":\#(id),"timestamp":"\#(time)"}"#
    }

    private func update(_ ids: Int..., type: String = "update") -> String {
        #"{"channel":"trade","type":"\#(type)","data":[\#(ids.map { row($0) }.joined(separator: ","))]}"#
    }

    private var session: RecordedSession {
        RecordedSession(
            lines: [
                #"{"channel":"status","type":"update","data":[{"system":"online"}]}"#,
                #"{"method":"subscribe","success":true,"result":{"channel":"trade","symbol":"AB/CD"}}"#,
                update(1, 2, 3, type: "snapshot"), #"{"channel":"heartbeat"}"#, update(4), update(5, 6), update(7),
            ], times: (0..<7).map { 1_700_000_002_000_000_000 + $0 * 1_000_000_000 })
    }

    private let stamp = #""time_in":"2023-11-14T22:13:22.000000Z","time_out":"2023-11-14T22:13:22.000042Z""#

    @Test("a status at once, an ack a symbol with its id, and the snapshot where it is wanted")
    func subscribes() {
        var talk = VenueTranscript(.kraken, session)
        talk.connect()
        #expect(
            talk.drain() == [
                #"{"channel":"status","type":"update","data":[{"version":"2.0.10","system":"online","api_version":"v2","#
                    + #""connection_id":16763580994566763544,"upcoming_maintenance":[],"emergency":[]}]}"#
            ])
        talk.say(
            #"{"method":"subscribe","params":{"channel":"trade","symbol":["AB/CD","XBT/CD"],"snapshot":true},"req_id":7}"#
        )
        talk.runUntilIdle()
        #expect(
            talk.drain() == [
                #"{"method":"subscribe","req_id":7,"result":{"channel":"trade","snapshot":true,"symbol":"AB/CD"},"#
                    + #""success":true,\#(stamp)}"#,
                update(1, 2, 3, type: "snapshot"),
                #"{"error":"Currency pair not supported XBT/CD","method":"subscribe","req_id":7,"success":false,"#
                    + #""symbol":"XBT/CD",\#(stamp)}"#,
                update(4), update(5, 6), update(7),
            ])
    }

    @Test("trades come without a snapshot where none is requested; what is unsubscribed from stops")
    func withoutSnapshot() {
        var talk = VenueTranscript(.kraken, session, VenueSettings(pace: .recorded()), now: 1_000)
        talk.connect()
        talk.say(#"{"method":"subscribe","params":{"channel":"trade","symbol":["AB/CD"]}}"#)
        _ = talk.drain()
        talk.pass(4.5)
        #expect(talk.drain().filter { $0 != #"{"channel":"heartbeat"}"# } == [update(4)])
        talk.say(#"{"method":"unsubscribe","params":{"channel":"trade","symbol":["AB/CD"]},"req_id":2}"#)
        let answer = talk.drain()
        #expect(
            answer.count == 1
                && answer[0].hasPrefix(
                    #"{"method":"unsubscribe","req_id":2,"result":{"channel":"trade","symbol":"AB/CD"},"success":true"#)
        )
        talk.pass(10)
        #expect(talk.drain().allSatisfy { $0 == #"{"channel":"heartbeat"}"# })
    }

    @Test("a client that comes later gets the last trades until then as a snapshot, oldest first")
    func lateSnapshot() {
        var talk = VenueTranscript(.kraken, session, VenueSettings(pace: .recorded()), now: 1_000)
        talk.connect()
        talk.say(#"{"method":"subscribe","params":{"channel":"trade","symbol":["AB/CD"]}}"#)
        talk.pass(5.5)
        talk.connect()
        _ = talk.drain()
        talk.say(#"{"method":"subscribe","params":{"channel":"trade","symbol":["AB/CD"],"snapshot":true}}"#, on: 1)
        #expect(talk.drain().last == "1: " + update(1, 2, 3, 4, 5, 6, type: "snapshot"))
    }

    @Test(
        "candles begin with the minutes that traded, and a ticker with the last trades; in the answers their parameters"
    )
    func snapshots() throws {
        var talk = VenueTranscript(.kraken, session, VenueSettings(pace: .recorded()), now: 1_000)
        talk.connect()
        talk.say(#"{"method":"subscribe","params":{"channel":"trade","symbol":["AB/CD"]}}"#)
        talk.pass(5.5)
        _ = talk.drain()
        talk.say(#"{"method":"subscribe","params":{"channel":"ohlc","symbol":["AB/CD"],"interval":1}}"#)
        let candles = talk.drain()
        #expect(candles.count == 2 && candles[0].contains(#""interval":1,"#))
        // Three times 0.000934, added without a rounding error; those of the recording's own snapshot were before.
        let expected: [String] = [
            #"{"channel":"ohlc","type":"snapshot","data":[{"symbol":"AB/CD","open":84.1,"high":84.1,"low":84.1,"#,
            #""close":84.1,"trades":3,"volume":0.002802,"vwap":0.0,"interval_begin":"2023-11-14T22:13:00.000000000Z","#,
            #""interval":1,"timestamp":"2023-11-14T22:14:00.000000Z"}]}"#,
        ]
        #expect(candles.last == expected.joined())
        talk.say(#"{"method":"subscribe","params":{"channel":"ticker","symbol":["AB/CD"],"event_trigger":"bbo"}}"#)
        let ticker = talk.drain()
        #expect(ticker.count == 2 && ticker[0].contains(#""event_trigger":"bbo","#))
        let row = try #require(VenueJSON(ticker.last ?? "")?["data"]?[0])
        #expect(row["bid"]?.digits == "84.1" && row["ask"]?.digits == "84.1" && row["last"]?.digits == "84.10")
        #expect(row["timestamp"]?.string == "2023-11-14T22:13:26.000000Z")
        #expect(row["change"]?.digits.flatMap(Double.init) == 0)
    }

    @Test("heartbeats come every second after the first request, granted or not")
    func heartbeats() {
        var talk = VenueTranscript(.kraken, session)
        talk.connect()
        talk.pass(3)
        #expect(talk.drain().count == 1)
        talk.say(#"{"method":"subscribe","params":{"channel":"trade","symbol":["XBT/CD"]}}"#)
        talk.pass(3)
        #expect(talk.drain().dropFirst() == Array(repeating: #"{"channel":"heartbeat"}"#, count: 3)[...])
    }

    @Test("a ping is answered with its id")
    func ping() {
        var talk = VenueTranscript(.kraken, session)
        talk.connect()
        _ = talk.drain()
        talk.say(#"{"method":"ping","req_id":101}"#)
        #expect(talk.drain() == [#"{"method":"pong","req_id":101,\#(stamp)}"#])
    }

    @Test("too many requests are refused and leave the connection open")
    func rate() {
        var talk = VenueTranscript(.kraken, session)
        talk.connect()
        for _ in 0...100 { talk.say(#"{"method":"ping"}"#) }
        #expect(talk.drain().last == #"{"Error":"Exceeded msg rate"}"# && talk.log.kicks.isEmpty)
    }

    @Test("a recording that begins anew counts its trades on and moves its times on")
    func loops() throws {
        var talk = VenueTranscript(
            .kraken, session, VenueSettings(pace: .recorded(), times: .now, loops: true), now: 1_800_000_000)
        talk.connect()
        talk.say(#"{"method":"subscribe","params":{"channel":"trade","symbol":["AB/CD"]}}"#)
        talk.pass(130)
        let rows = talk.drain().compactMap { VenueJSON($0) }.filter { $0["channel"]?.string == "trade" }
            .flatMap { $0["data"]?.array ?? [] }
        // One after the other: the three of the snapshot are not sent again to a subscriber.
        #expect(rows.compactMap { $0["trade_id"]?.integer } == Array(4...15))
        let times = rows.compactMap { $0["timestamp"]?.string.flatMap(VenueTime.nanoseconds) }
        #expect(times == times.sorted())
        #expect(times.allSatisfy { 1_799_999_935 * 1_000_000_000...1_800_000_130 * 1_000_000_000 ~= Int($0) })
        #expect(rows.allSatisfy { $0["price"]?.digits == "84.10" && $0["qty"]?.digits == "0.00093400" })
    }

    @Test("a client of a later round gets the trades of earlier rounds as a snapshot, with their numbers and times")
    func lateInALoop() throws {
        var talk = VenueTranscript(
            .kraken, session, VenueSettings(pace: .recorded(), times: .now, loops: true), now: 1_800_000_000)
        talk.connect()
        let subscribe = #"{"method":"subscribe","params":{"channel":"trade","symbol":["AB/CD"],"snapshot":true}}"#
        talk.say(subscribe)
        var received: [String] = []
        // At the beginning of a round, in the middle of one, and between two.
        for pause in [62.5, 3, 30] {
            talk.pass(pause)
            received += talk.drain().filter { $0.contains(#""trade""#) }
            let opened = talk.connect()
            let number = try #require(opened)
            talk.say(subscribe, on: number)
            let answers = talk.drain()
            let answer = try #require(answers.last)
            #expect(answer.hasPrefix("\(number): "))
            let rows = try #require(VenueJSON(String(answer.dropFirst("\(number): ".count)))?["data"]?.array)
            let known = received.compactMap { VenueJSON($0) }.filter { $0["channel"]?.string == "trade" }
                .flatMap { $0["data"]?.array ?? [] }
            #expect(rows == known, "after \(pause) s")
            talk.leave(number)
        }
    }

    @Test("a book is as deep as the recorded one, and the answer says so")
    func bookDepth() {
        let session = RecordedSession(
            lines: [
                #"{"method":"subscribe","success":true,"result":{"channel":"book","depth":25,"symbol":"AB/CD"}}"#,
                #"{"channel":"book","type":"snapshot","data":[{"symbol":"AB/CD","bids":[],"asks":[],"checksum":0}]}"#,
            ], times: [1_700_000_002_000_000_000, 1_700_000_003_000_000_000])
        var talk = VenueTranscript(.kraken, session)
        talk.connect()
        _ = talk.drain()
        talk.say(#"{"method":"subscribe","params":{"channel":"book","symbol":["AB/CD"],"depth":1000}}"#)
        #expect(talk.drain().first?.contains(#""channel":"book","depth":25,"#) == true)
    }
}
