import Consultation
import StreamCore
import Testing

@Suite("Cards that a model proposes and the server refuses") struct RefusedCardTests {
    /// As a model's server streams it.
    private static func stream(_ text: String, tool: String, _ arguments: String) -> [ModelEvent] {
        var stream = ChatCompletionStream()
        let call: JSONValue = ["index": 0, "function": ["name": .string(tool), "arguments": .string(arguments)]]
        let deltas: [JSONValue] = [["content": .string(text)], ["tool_calls": [call]]]
        let chunks = deltas.map { JSONValue.object(["choices": [["index": 0, "delta": $0]]]).json }
        let end = #"{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#
        return (chunks + [end, "[DONE]"]).flatMap { stream.feed(Array("data: \($0)\n\n".utf8)) }
    }

    private static let order =
        #"{"name":"Buy","symbol":"BTC-USD","side":"buy","order_type":"market","quantity":"-5"}"#
    private static let alert = #"{"name":"Up","symbol":"BTC-USD","condition":"above","price":1e999}"#

    @Test(
        "a card that is refused is reported in the answer; an answer that has nothing else has failed, and can be requested again",
        arguments: [
            ("create_order_proposal", order, "The field quantity must be a decimal above 0."),
            ("create_alert", alert, nil),
            ("create_alert", "{bad json", "The arguments of create_alert are not a JSON object."),
            ("create_alert", "", "The arguments of create_alert are not a JSON object."),
            ("make it\u{1B}[2J so", "{}", "There is no tool \"makeit2Jso\"."),
        ] as [(String, String, String?)])
    func reported(tool: String, arguments: String, reason: String?) throws {
        var stage = ServerStage()
        stage.attach(1)
        for (number, text) in ["", "Here it is."].enumerated() {
            stage.sendMessage(1, "m\(number)", "please")
            for event in Self.stream(text, tool: tool, arguments) { stage.model(event) }
            let answer = try #require(stage.machine.transcript.messages.last)
            #expect(answer.template == nil && answer.role == .assistant)
            if text.isEmpty {
                let reported = try #require(answer.end?.reason)
                #expect(reported.hasPrefix("A card could not be made. ") && answer.text.isEmpty)
                if let reason { #expect(reported == "A card could not be made. \(reason)") }
            } else {
                #expect(answer.end == .completed && answer.text.hasPrefix("\(text)\n\n(A card could not be made. "))
                if let reason { #expect(answer.text == "\(text)\n\n(A card could not be made. \(reason))") }
            }
        }
        #expect(stage.machine.counts.toolCallsRefused == 2)
        // Clients have what the log has.
        let chunks = (stage.received[1] ?? []).filter { $0.type == .aiMessageChunk }.compactMap(\.content).joined()
        #expect(chunks == stage.machine.transcript.messages.last?.text)
    }

    @Test("where the note would make the answer too long, the answer has failed with it; its text is kept")
    func noRoom() {
        var settings = ConversationSettings()
        settings.maxAnswerLength = 20
        var stage = ServerStage(settings: settings)
        stage.attach(1)
        stage.sendMessage(1, "m1", "please")
        for event in Self.stream("Here it is.", tool: "create_alert", "{") { stage.model(event) }
        let answer = stage.machine.transcript.messages.last
        #expect(answer?.text == "Here it is.")
        #expect(
            answer?.end == .failed("A card could not be made. The arguments of create_alert are not a JSON object."))
    }

    @Test("many refusals are counted, and three reasons reported")
    func many() {
        var stage = ServerStage()
        stage.attach(1)
        stage.sendMessage(1, "m1", "please")
        for number in 0..<50 { stage.model(.toolCall(ToolCall(name: "tool_\(number)", arguments: [:]))) }
        stage.model(.end(ModelUsage()))
        let reasons = (0..<3).map { "There is no tool \"tool_\($0)\"." }.joined(separator: " ")
        #expect(stage.machine.transcript.messages.last?.end == .failed("50 cards could not be made. \(reasons)"))
    }

    @Test("an answer without a word and without a card has failed, whatever its model says", arguments: ["", " \n"])
    func nothing(text: String) {
        var stage = ServerStage()
        stage.attach(1)
        stage.sendMessage(1, "m1", "please")
        stage.model(.text(text), .end(ModelUsage(finishReason: "stop")))
        #expect(stage.machine.transcript.messages.last?.end == .failed("The model answered nothing."))
        #expect(stage.received[1]?.contains { $0.content == "The model answered nothing." } == true)
        // The next answer begins anew.
        stage.sendMessage(1, "m2", "again")
        stage.model(
            .toolCall(ToolCall(name: "create_watchlist", arguments: ["name": "W", "symbols": ["A"]])),
            .end(ModelUsage()))
        #expect(stage.machine.transcript.message(stage.requests[1].answer)?.end == .completed)
    }
}
