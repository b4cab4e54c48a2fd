import Consultation
import StreamCore
import TestKit
import Testing

/// A server that was requested the state too often says so; the answer under way is not lost by that.
@Suite struct SyncRefusalTests {
    private static func refusal(_ id: String, _ more: [String: JSONValue] = [:]) -> PeerStep {
        frame(
            .error, "e1", "This connection requests the state too often; wait a moment.",
            metadata: more.merging(["code": "rate_limited", "message_id": .string(id)]) { first, _ in first })
    }

    /// When `sync` was sent, after the first one.
    private static func requested(_ play: Script) -> [Double] {
        play.log.filter { $0.contains(#""type":"sync""#) && $0.contains("->") }.dropFirst()
            .compactMap { $0.split(separator: " ").first.flatMap { Double($0) } }
    }

    @Test("a sync that is refused as one too many is sent again after the server's pause, and the answer goes on")
    func requestedAgain() {
        var play = Script.playing([
            .expectText(containing: "sync"), frame(.sync, "x", sequence: 0, metadata: ["resumed": true]),
            frame(.aiMessageStart, "a1", sequence: 1), frame(.aiMessageChunk, "a1", "Hello ", offset: 0),
            frame(.aiMessageChunk, "a1", "you", offset: 9),
            .expectText(containing: #""type":"sync","message_id":"a1""#),
            Self.refusal("a1", ["retry_after": 18]),
            .expectText(containing: #""sequence":1,"offset":6"#),
            frame(.sync, "a1", sequence: 1, metadata: ["resumed": true]),
            frame(.aiMessageChunk, "a1", "to you", offset: 6), frame(.aiMessageComplete, "a1", sequence: 2, offset: 12),
        ])
        play.update { $0.connect(now: $1) }
        play.run(for: 17.9)
        #expect(play.client.messages.map(\.state) == [.streaming] && play.client.isTyping)
        #expect(play.client.problem == nil && Self.requested(play).count == 1)
        play.run(for: 1)
        #expect(play.client.messages.map(\.text) == ["Hello to you"])
        #expect(play.client.messages.map(\.state) == [.complete])
        #expect(play.client.diagnostics.resumed == 2 && play.isFinished && play.failures.isEmpty)
    }

    @Test("refused again and again without a time, the client retries ever more rarely and gives nothing up")
    func everMoreRarely() {
        var steps = [
            PeerStep.expectText(containing: "sync"), frame(.sync, "x", sequence: 0, metadata: ["resumed": true]),
            frame(.aiMessageStart, "a1", sequence: 1), frame(.aiMessageChunk, "a1", "later", offset: 7),
        ]
        for _ in 0..<4 { steps += [.expectText(containing: "sync"), Self.refusal("a1")] }
        var play = Script.playing(steps)
        play.update { $0.connect(now: $1) }
        play.run(for: 14)
        #expect(Self.requested(play) == [0, 1, 3, 7])
        #expect(play.client.messages.map(\.state) == [.streaming] && play.client.problem == nil)
    }

    @Test("a pause is no longer than a minute, whatever the server requests")
    func longestPause() {
        var play = Script.playing([
            .expectText(containing: "sync"), frame(.sync, "x", sequence: 0, metadata: ["resumed": true]),
            frame(.aiMessageStart, "a1", sequence: 1), frame(.aiMessageChunk, "a1", "later", offset: 7),
            .expectText(containing: "sync"), Self.refusal("a1", ["retry_after": 1e300]),
            .expectText(containing: "sync"),
        ]) { $0.connection.heartbeat.interval = 1_000 }
        play.update { $0.connect(now: $1) }
        play.run(for: 59.9)
        #expect(Self.requested(play) == [0])
        play.run(for: 0.2)
        #expect(Self.requested(play) == [0, 60] && play.failures.isEmpty)
    }
}
