import MarketModel
import StreamCore
import TestKit
import Testing

@Suite("ScriptedTransport")
struct ScriptedTransportTests {
    static let subscribed =
        #"{"type":"subscribed","id":1,"symbol":"A","timeframe":"1m","epoch":"e","offset":4,"recovered":false}"#
    static let snapshot = #"{"type":"snapshot","symbol":"A","timeframe":"1m","candles":[],"epoch":"e","offset":4}"#
    static func tick(_ offset: Int) -> String {
        #"{"type":"tick","symbol":"A","timestamp":1700000000,"price":2,"volume":1,"timeframe":"1m","offset":\#(offset)}"#
    }

    @Test("a session reconnects after a cut and a refusal, and recovers from where it was")
    func session() {
        var transport = ScriptedTransport(
            client: StreamSession(SessionConfiguration(), seed: 3),
            scripts: [
                [
                    .expectText(containing: #""symbol":"A""#), .send(Self.subscribed), .send(Self.snapshot),
                    .send(Self.tick(5)), .wait(3), .cut,
                ],
                [.refuse(status: 503, retryAfter: 7)],
                [.expectText(containing: #""recover":{"epoch":"e","offset":5}"#)],
            ])
        _ = transport.update { $0.subscribe(SubscribeRequest(symbol: "A", timeframe: .m1), now: $1) }
        transport.update { $0.connect(now: $1) }
        transport.run(for: 60)
        #expect(transport.failures.isEmpty, "\(transport.failures)")
        #expect(transport.isFinished)
        let ticks = transport.events.filter { if case .stream(_, .tick) = $0.event { true } else { false } }
        #expect(ticks.map(\.time) == [0])
        let opens = transport.log.filter { $0.contains(" open ") }
        #expect(opens.count == 3)
        let waits = transport.events.compactMap { event -> Double? in
            if case .state(.waiting(let until)) = event.event { until - event.time } else { nil }
        }
        #expect(waits.count == 2 && waits[1] >= 7, "Retry-After: \(waits)")
        #expect(transport.clock.seconds == 60)
    }

    @Test("a peer that hangs is found out by the heartbeat; what it finds is in the log")
    func hanging() {
        var configuration = SessionConfiguration()
        configuration.heartbeat.interval = 15
        configuration.heartbeat.deadline = 10
        var transport = ScriptedTransport(
            client: StreamSession(configuration, seed: 3), scripts: [[.wait(20), .stall], [.wait(1)]])
        transport.update { $0.connect(now: $1) }
        transport.run(for: 39)
        #expect(transport.log.count { $0.contains(" open ") } == 1)
        transport.run(for: 30)
        #expect(transport.log.contains("15.0 <- 1 pong"))
        #expect(transport.log.contains("40.0 drop 1"))
        #expect(transport.log.count { $0.contains(" open ") } == 2)
        #expect(transport.failures.isEmpty)
    }

    @Test("what is not in the script fails it")
    func failures() {
        var transport = ScriptedTransport(
            client: StreamSession(SessionConfiguration(), seed: 3),
            scripts: [[.expectText(containing: "unsubscribe")], [.expectClose(.normal)]])
        _ = transport.update { $0.subscribe(SubscribeRequest(symbol: "A", timeframe: .m1), now: $1) }
        transport.update { $0.connect(now: $1) }
        transport.run(for: 1)
        #expect(transport.failures.map(\.step) == [0])
        var closing = ScriptedTransport(
            client: StreamSession(SessionConfiguration(), seed: 3), scripts: [[.expectClose(.normal)]])
        closing.update { $0.connect(now: $1) }
        closing.update { $0.disconnect(now: $1) }
        closing.run(for: 1)
        #expect(closing.failures.isEmpty && closing.isFinished)
    }

    /// Two ways of never coming to an end.
    struct StuckClient: ScriptedClient {
        var deadline: Double?
        var isChatty = false

        func opened(socket: Int, now: Double) {}
        func refused(socket: Int, status: Int, retryAfter: Double?, now: Double) {}
        func received(_ text: String, socket: Int, now: Double) {}
        func ponged(socket: Int, now: Double) {}
        func closed(socket: Int, code: WebSocketCloseCode, reason: String, now: Double) {}
        func timerFired(now: Double) {}
        func nextScriptedAction() -> ScriptedAction<Never>? { isChatty ? .other("again") : nil }
    }

    @Test("a client whose deadline does not move fails the test, and does not hang it")
    func stuck() {
        var transport = ScriptedTransport(client: StuckClient(deadline: 3), scripts: [])
        transport.run(for: 10)
        #expect(transport.failures.map(\.what).first?.contains("deadline, 3.0, does not move") == true)
        #expect(transport.failures.count == 1 && transport.clock.seconds == 10)
        var chatty = ScriptedTransport(client: StuckClient(deadline: 3, isChatty: true), scripts: [])
        chatty.run(for: 10)
        #expect(chatty.failures.last?.what == "client and script never rest")
        #expect(chatty.failures.count <= 2)
    }

    @Test("the same seed and script give the same log")
    func deterministic() {
        func run() -> [String] {
            var transport = ScriptedTransport(
                client: StreamSession(SessionConfiguration(), seed: 9),
                scripts: Array(repeating: [.wait(2), .cut], count: 6) + [[]])
            transport.update { $0.connect(now: $1) }
            transport.run(for: 300)
            return transport.log
        }
        #expect(run() == run())
        #expect(run().count > 10)
    }
}
