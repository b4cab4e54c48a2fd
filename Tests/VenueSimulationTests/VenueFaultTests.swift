import Testing

@testable import VenueSimulation

@Suite("Faults of a simulated venue")
struct VenueFaultTests {
    private let subscribe = #"{"type":"subscribe","product_ids":["AB-CD"],"channels":["matches","heartbeat"]}"#

    private func play(_ faults: VenueFaults..., count: Int = 6) -> VenueTranscript {
        var settings = VenueSettings()
        settings.faults = faults
        var talk = VenueTranscript(.coinbase, VenueRecordings.coinbase(count), settings)
        talk.connect()
        talk.say(subscribe)
        talk.runUntilIdle()
        return talk
    }

    private func numbers(_ lines: [String]) -> [Int] {
        lines.compactMap { VenueJSON($0)?["trade_id"]?.integer }
    }

    @Test("a refusal, and the next connection is fine")
    func refused() {
        var talk = play(VenueFaults(refuse: 503, retryAfter: 7))
        #expect(talk.drain().isEmpty && talk.log.refused == 1 && talk.log.open == 0)
        #expect(talk.connect() == 1)
        talk.say(subscribe, on: 1)
        talk.runUntilIdle()
        #expect(talk.drain().count == 8)
    }

    @Test("a cut after so many messages")
    func cut() {
        var talk = play(VenueFaults(cutAfter: 3))
        let lines = talk.drain()
        #expect(numbers(lines) == [100, 101, 102] && lines.last == "cut")
        talk.pass(10)
        #expect(talk.drain().isEmpty, "nothing comes after it")
    }

    @Test("silence after so many messages, also of the heart")
    func silent() {
        var talk = play(VenueFaults(silentAfter: 2))
        #expect(numbers(talk.drain()) == [100, 101])
        talk.pass(10)
        #expect(talk.drain().isEmpty && talk.log.open == 1)
    }

    @Test("trades that are left out are a gap in their numbers")
    func gap() {
        var talk = play(VenueFaults(droppedTrades: 1..<3))
        #expect(numbers(talk.drain()) == [100, 101, 104, 105, 106])
    }

    @Test("an answer that comes late, and all that it brings with it")
    func lateAnswer() {
        var talk = play(VenueFaults(answerDelay: 2.5))
        #expect(talk.drain().isEmpty)
        talk.pass(2)
        #expect(talk.drain().isEmpty)
        talk.pass(0.5)
        talk.runUntilIdle()
        #expect(talk.drain().first?.contains("subscriptions") == true)
    }

    @Test("data before the ack")
    func dataFirst() {
        var talk = play(VenueFaults(dataBeforeAnswer: 3))
        let lines = talk.drain()
        #expect(lines.firstIndex { $0.contains("subscriptions") } == 3)
        #expect(numbers(lines) == Array(100...106))
    }

    @Test("no heartbeats, while trades go on")
    func heartless() {
        var talk = play(VenueFaults(stopsHeartbeats: true))
        _ = talk.drain()
        talk.pass(10)
        #expect(talk.drain().isEmpty)
        var other = play()
        _ = other.drain()
        other.pass(10)
        #expect(other.drain().count == 10)
    }

    @Test("a request that is never answered")
    func ignored() {
        var talk = play(VenueFaults(ignoresRequests: true))
        talk.pass(4)
        #expect(talk.drain().isEmpty)
    }

    @Test("an end at an age")
    func age() {
        var talk = play(VenueFaults(maximumAge: 20))
        talk.pass(19)
        _ = talk.drain()
        talk.pass(2)
        #expect(talk.drain().last == "close 1001 the connection is 20 s old")
    }
}
