import Testing

@testable import VenueSimulation

@Suite("Intrinio simulated")
struct IntrinioSimulationTests {
    private func talk(_ venue: SimulatedVenue = .intrinio) throws -> VenueTranscript {
        VenueTranscript(venue, try #require(venue.madeSession(seconds: 10)))
    }

    private static func message(_ event: String, _ topic: String, _ ref: String = #""1""#) -> String {
        #"{"topic":"\#(topic)","event":"\#(event)","payload":{},"ref":\#(ref)}"#
    }

    private static func ok(_ topic: String, _ ref: String = #""1""#) -> String {
        #"{"topic":"\#(topic)","event":"phx_reply","payload":{"status":"ok","response":{}},"ref":\#(ref)}"#
    }

    @Test(
        "the token is given to those who show who they are, and 401 to others",
        arguments: [
            ("/auth?api_key=demo", nil, 200), ("/auth", "Basic ZGVtbzpkZW1v", 200), ("/auth", "Public demo", 200),
            ("/auth", nil, 401), ("/auth?api_key=wrong", nil, 401), ("/auth?api_key=demo", "Basic x", 401),
            ("/companies?query=apple", "Bearer demo", 200), ("/companies?query=apple", nil, 401),
            ("/prices?identifier=AAPL", "Bearer demo", 200), ("/prices?identifier=NONE", "Bearer demo", 404),
            ("/elsewhere", "Bearer demo", 404),
        ] as [(String, String?, Int)])
    func token(target: String, authorization: String?, status: Int) throws {
        var talk = try talk()
        let answer = talk.request(target, headers: authorization.map { ["authorization": $0] } ?? [:])
        #expect(answer.status == status)
        if status == 200, target.hasPrefix("/auth") { #expect(answer.body == IntrinioDesk.token) }
    }

    @Test("no WebSocket without the token, and none for another version")
    func handshake() throws {
        for venue in [SimulatedVenue.intrinio, .intrinioEquities] {
            var talk = try talk(venue)
            for target in [
                "/socket/websocket", "/socket/websocket?vsn=1.0.0&token=other",
                IntrinioDesk.target.replacing("1.0.0", with: "2.0.0"),
            ] {
                #expect(talk.connect(target) == nil)
            }
            #expect(talk.log.refused == 3)
            #expect(talk.connect() == 3)
        }
    }

    @Test(
        "joins and leaves are answered with their ref; what is not joined cannot be left, what is not there not joined")
    func channels() throws {
        var talk = try talk()
        talk.connect()
        let apple = "iex:securities:AAPL"
        talk.say(Self.message("phx_leave", apple))
        #expect(talk.drain().allSatisfy { $0.contains("unmatched topic") })
        talk.say(Self.message("phx_join", apple, "null"))
        #expect(talk.drain() == [Self.ok(apple, "null")])
        talk.runUntilIdle()
        let played = talk.drain()
        #expect(!played.isEmpty && played.allSatisfy { $0.contains(#""ticker":"AAPL""#) })
        talk.say(Self.message("phx_join", "iex:securities:ZZZZ", #""2""#))
        #expect(talk.drain().allSatisfy { $0.contains(#"{"reason":"unmatched topic"}},"ref":"2""#) })
        talk.say(Self.message("phx_leave", apple))
        #expect(talk.drain().first == Self.ok(apple) && talk.log.subscriptions[0] == [])
    }

    @Test("a client that sends no heartbeat for 20 s is closed, one that does is not")
    func heartbeats() throws {
        var talk = try talk()
        talk.connect()
        for _ in 0..<4 {
            talk.pass(15)
            talk.say(Self.message("heartbeat", "phoenix", #""h""#))
            #expect(talk.drain() == [Self.ok("phoenix", #""h""#)])
        }
        talk.say(Self.message("phx_join", "iex:securities:AAPL"))
        talk.pass(19.9)
        #expect(talk.log.kicks.isEmpty)
        talk.pass(0.1)
        #expect(talk.log.kicks.map(\.reason) == ["no heartbeat within 20 s"])
    }

    @Test("the binary stream sends the items of what was joined, trades alone where only those are wanted")
    func binary() throws {
        let session = try #require(SimulatedVenue.intrinioEquities.madeSession(seconds: 30))
        for (tradesOnly, types) in [(UInt8(0), Set<UInt8>([0, 1, 2])), (1, [0])] {
            var venue = VenueMachine(.intrinioEquities, session: session, settings: .init(times: .now))
            guard case .accept(let number) = venue.handshake(target: IntrinioDesk.target, now: 1_900_000_000) else {
                Issue.record("not accepted")
                return
            }
            venue.opened(number, target: IntrinioDesk.target, now: 1_900_000_000)
            venue.received([0x4A, tradesOnly] + Array("GE".utf8), on: number, now: 1_900_000_000)
            var items: [IntrinioItem] = []
            var notes: [String] = []
            for _ in 0..<100 {
                venue.advance(now: 1_900_000_000)
                while let action = venue.nextAction() {
                    if case .send(_, let bytes) = action { items += IntrinioItem.all(in: bytes) }
                    if case .note(.received(_, let text)) = action { notes.append(text) }
                }
            }
            #expect(notes == [#"J\x0\#(tradesOnly)GE"#])
            #expect(Set(items.map(\.symbol)) == ["GE"] && Set(items.map(\.type)) == types)
            #expect(items.allSatisfy { abs($0.nanoseconds - 1_900_000_000_000_000_000) < 290_000_000_000 })
        }
    }

    @Test("a made session is the same for the same seed, another for another, and none where recordings exist")
    func made() throws {
        for venue in [SimulatedVenue.intrinio, .intrinioEquities] {
            let session = try #require(venue.madeSession(seed: 3))
            #expect(session.messages == venue.madeSession(seed: 3)?.messages && session.messages.count == 232)
            #expect(session.messages != venue.madeSession(seed: 4)?.messages)
        }
        #expect(SimulatedVenue.kraken.madeSession() == nil)
    }
}
