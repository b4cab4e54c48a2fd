import Consultation
import StreamCore
import TestKit
import Testing

@Suite struct ChatCompletionStreamTests {
    private static let recorded = """
        : a comment\r
        data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}\r
        \r
        event: message
        data: {"choices":[{"index":0,"delta":{"content":"Grün "},"finish_reason":null}]}

        data:{"choices":[{"index":0,
        data: "delta":{"content":"\u{1F33F}"},"finish_reason":null}]}

        data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"create_watchlist","arguments":"{\\"name\\":\\"n\\",\\"symbols\\":[\\"A\\"]}"}}]}}]}

        data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

        data: [DONE]


        """

    private static func read(_ pieces: [ArraySlice<UInt8>]) -> [ModelEvent] {
        var stream = ChatCompletionStream()
        return pieces.flatMap { stream.feed($0) } + stream.finish()
    }

    @Test("every split of the bytes gives the same events")
    func splits() {
        let bytes = Array(Self.recorded.utf8)
        let whole = Self.read([bytes[...]])
        #expect(
            whole == [
                .text("Grün "), .text("\u{1F33F}"),
                .toolCall(ToolCall(name: "create_watchlist", arguments: ["name": "n", "symbols": ["A"]])),
                .end(ModelUsage()),
            ])
        for split in bytes.indices { #expect(Self.read([bytes[..<split], bytes[split...]]) == whole) }
        #expect(Self.read(bytes.indices.map { bytes[$0...$0] }) == whole)
    }

    @Test("the last event is the end or a failure, once, whatever bytes come", arguments: [21, 22])
    func mutations(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<1_500 {
            var bytes = Array(Self.recorded.utf8)
            for _ in 0...Int.random(in: 0...4, using: &random) {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0...2, using: &random) {
                case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: at)
                default: bytes.removeSubrange(at..<min(bytes.count, at + 30))
                }
            }
            let events = Self.read([bytes[...]])
            let ends = events.filter {
                switch $0 {
                case .end, .failed: true
                case .text, .toolCall, .refused: false
                }
            }
            #expect(ends.count == 1 && events.last == ends.last)
        }
    }

    @Test("an event without an end is refused before it fills the memory")
    func overflow() {
        var stream = ChatCompletionStream()
        var events: [ModelEvent] = []
        let piece = Array("data: ".utf8) + [UInt8](repeating: 0x61, count: 64 << 10)
        for _ in 0..<40 { events += stream.feed(piece) }
        #expect(events == [.failed("The model's server sent too large a piece.")])
    }

    @Test("a tool call that never ends is stopped, whichever of its fields grows", arguments: ["name", "arguments"])
    func endlessCalls(field: String) {
        var stream = ChatCompletionStream()
        var events: [ModelEvent] = []
        let text = String(repeating: "a", count: 1 << 10)
        let piece = #"data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"\#(field)":"\#(text)"}}]}}]}"#
        var sent = 0
        while !stream.isOver, sent < 100 {
            events += stream.feed(Array((piece + "\n\n").utf8))
            sent += 1
        }
        #expect(events == [.failed("The model called too many tools, or one with too much.")])
        #expect(sent <= 65)
    }

    @Test("a server that leaves [DONE] out after its finish reason has ended its answer")
    func withoutDone() {
        let text = #"data: {"choices":[{"delta":{"content":"x"},"finish_reason":"length"}]}"# + "\n\n"
        #expect(Self.read([Array(text.utf8)[...]]) == [.text("x"), .end(ModelUsage(finishReason: "length"))])
    }
}
