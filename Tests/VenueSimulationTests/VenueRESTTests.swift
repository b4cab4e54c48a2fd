import MarketModel
import Testing

@testable import VenueSimulation

@Suite("The REST interface of simulated venues")
struct VenueRESTTests {
    private let subscribe = #"{"type":"subscribe","product_ids":["AB-CD"],"channels":["matches"]}"#

    private func path(_ from: Double, _ to: Double) -> String {
        "/products/AB-CD/candles?granularity=60&start=\(RFC3339.text(from))"
            + "&end=\(RFC3339.text(to))"
    }

    @Test("returns what was played so far, at the venue's own time, newest first and low before open")
    func played() throws {
        // A match a second for three minutes, from a full minute on; the clock is 25 s into one.
        let settings = VenueSettings(pace: .recorded(), times: .now)
        var talk = VenueTranscript(.coinbase, VenueRecordings.coinbase(180), settings, now: 1_700_000_065)
        let start = 1_700_000_040.0
        #expect(talk.request(path(start, start + 600)).body == "[]", "nothing is played before a client subscribes")
        talk.connect()
        talk.say(subscribe)
        talk.pass(90.5)
        let half = talk.request(path(start, start + 600))
        #expect(half.status == 200)
        #expect(half.body == "[[\(Int(start) + 60),10.5,10.5,10.5,10.5,62],[\(Int(start)),10.5,10.5,10.5,10.5,120]]")
        #expect(half.headers.contains { $0 == ("Date", "Tue, 14 Nov 2023 22:15:30 GMT") })
        talk.pass(600)
        let whole = talk.request(path(start, start + 600))
        let bars = [120, 60, 0].map { "[\(Int(start) + $0),10.5,10.5,10.5,10.5,120]" }
        #expect(whole.body == "[\(bars.joined(separator: ","))]")
        #expect(talk.log.requests.last?.hasSuffix(" 200") == true)
    }

    @Test("a recording that is played again and again has the candles of all its rounds")
    func rounds() {
        let settings = VenueSettings(pace: .recorded(), times: .now, loops: true)
        var talk = VenueTranscript(.coinbase, VenueRecordings.coinbase(60), settings, now: 1_700_000_040)
        talk.connect()
        talk.say(subscribe)
        talk.pass(185)
        let start = 1_700_000_040.0
        let bars = [180, 120, 60, 0].map { "[\(Int(start) + $0),10.5,10.5,10.5,10.5,\($0 == 180 ? 12 : 120)]" }
        #expect(talk.request(path(start, start + 240)).body == "[\(bars.joined(separator: ","))]")
    }

    @Test("limits how many requests come, what they name, and how often")
    func limits() {
        var talk = VenueTranscript(.coinbase, VenueRecordings.coinbase(60))
        #expect(talk.request(path(1_618_677_780, 1_618_677_780 + 300 * 60)).status == 400)
        #expect(talk.request(path(1_618_677_780, 1_618_677_780 + 299 * 60)).status == 200)
        #expect(talk.request("/products/AB-CD/candles?granularity=61").body.contains("Unsupported granularity"))
        #expect(talk.request("/products/NO-NE/candles?granularity=60").status == 404)
        #expect(talk.request("/nothing").status == 404)
        #expect(talk.request("/products").body.contains(#""id":"AB-CD","base_currency":"AB","quote_currency":"CD""#))
        var statuses: [Int] = []
        for _ in 0..<20 { statuses.append(talk.request("/products").status) }
        #expect(statuses.first == 200 && statuses.last == 429)
        let refused = talk.request("/products")
        #expect(refused.headers.contains { $0 == ("Retry-After", "1") })
        talk.pass(1)
        #expect(talk.request("/products").status == 200)
    }
}
