import Consultation
import StreamCore
import Testing

@Suite("A model learns what became of its calls, and may correct them") struct ToolRoundTests {
    private static let order =
        #"{"name":"Buy","symbol":"BTC-USD","side":"buy","order_type":"market","quantity":"QUANTITY"}"#

    private static func order(_ quantity: String) -> String { order.replacing("QUANTITY", with: quantity) }

    /// What a request is answered.
    private static func round(
        _ calls: String..., tool: String = "create_order_proposal", text: String = ""
    ) -> [ModelServer.Piece] {
        let pieces = calls.enumerated().map { index, arguments -> JSONValue in
            [
                "index": .number(Double(index)), "id": .string("id_\(index)"),
                "function": ["name": .string(tool), "arguments": .string(arguments)],
            ]
        }
        let delta: JSONValue = ["content": .string(text), "tool_calls": .array(pieces)]
        let reason: JSONValue = calls.isEmpty ? "stop" : "tool_calls"
        let said: JSONValue = ["choices": [["index": 0, "delta": delta, "finish_reason": reason]]]
        let usage = #"{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":2}}"#
        return ModelServer.streaming([said.json, usage])
    }

    private func answer(
        _ rounds: [[ModelServer.Piece]],
        check: @escaping @Sendable (ToolCall) throws(ToolCallRefusal) -> ToolCall = {
            call throws(ToolCallRefusal) in call
        }
    ) async throws -> (events: [ModelEvent], bodies: [JSONValue]) {
        let server = try await ModelServer.start(rounds: rounds)
        let model = OpenAICompatibleModel(.init(baseURL: server.baseURL, model: "m"), check: check)
        var events: [ModelEvent] = []
        let request = AnswerRequest(
            conversation: "c", answer: "c-1", user: "anna", kind: "markets",
            messages: [ModelMessage(.user, "buy 5 BTC-USD")])
        for await event in model.answer(request) where event != .text("") { events.append(event) }
        let bodies = try server.requests.map { text in
            let split = try #require(text.firstRange(of: "\r\n\r\n"))
            return try JSONValue(parsing: String(text[split.upperBound...]))
        }
        await server.stop()
        return (events, bodies)
    }

    private static func made(_ events: [ModelEvent]) -> [String] {
        events.compactMap { if case .toolCall(let call) = $0 { call.arguments["quantity"]?.text } else { nil } }
    }

    @Test("a refused call goes back to the model with its reason, and the user sees only the corrected call")
    func corrected() async throws {
        let (events, bodies) = try await answer([
            Self.round(Self.order("-5"), text: "A moment."), Self.round(Self.order("5")),
            Self.round(text: "There it is."),
        ])
        // A text was said, so that the model need not be requested one.
        #expect(bodies.count == 2)
        #expect(events.first == .text("A moment.") && Self.made(events) == ["5"])
        #expect(
            events.last == .end(ModelUsage(finishReason: "tool_calls", inputTokens: 20, outputTokens: 4)))
        #expect(events.count == 3)
        let reported = try #require(bodies[1]["messages"]?.elements?.suffix(2))
        let call = reported.first?["tool_calls"]?.elements?.first
        #expect(reported.first?["role"] == "assistant" && reported.first?["content"] == "A moment.")
        #expect(call?["id"] == "id_0" && call?["type"] == "function")
        #expect(call?["function"]?["name"] == "create_order_proposal")
        #expect(
            reported.last == [
                "role": "tool", "tool_call_id": "id_0",
                "content": "Refused, and not shown: The field quantity must be a decimal above 0.",
            ])
    }

    @Test("a model that does not learn is called three times in all, and the user notified once")
    func stubborn() async throws {
        let (events, bodies) = try await answer([Self.round(Self.order("-5"))])
        #expect(bodies.count == 3)
        #expect(
            events == [
                .refused("The field quantity must be a decimal above 0."),
                .end(ModelUsage(finishReason: "tool_calls", inputTokens: 30, outputTokens: 6)),
            ])
    }

    @Test("of two calls the good one is shown at once, and once, however often it comes")
    func twice() async throws {
        let (events, bodies) = try await answer([Self.round(Self.order("5"), Self.order("x"))])
        #expect(bodies.count == 3 && Self.made(events) == ["5"])
        #expect(events.dropLast().last == .refused("The field quantity must be a decimal above 0."))
        let reported = bodies[1]["messages"]?.elements?.suffix(2).map { $0["content"]?.text ?? "" }
        #expect(
            reported == ["Shown to the user.", "Refused, and not shown: The field quantity must be a decimal above 0."])
    }

    @Test("a model whose calls are made is not called again, with words or without")
    func words() async throws {
        let (events, bodies) = try await answer([Self.round(Self.order("5")), Self.round(text: "There it is.")])
        #expect(bodies.count == 1 && Self.made(events) == ["5"] && events.count == 2)
        let (spoken, once) = try await answer([Self.round(Self.order("5"), text: "Here:"), Self.round(text: "Again.")])
        #expect(once.count == 1 && spoken.first == .text("Here:") && Self.made(spoken) == ["5"])
    }

    @Test("what is sent again under another name is the same, and a call corrects none of another tool")
    func same() async throws {
        let again = Self.order("5").replacing(#""name":"Buy""#, with: #""name":"Buy five""#)
        let (events, _) = try await answer([
            Self.round(Self.order("5"), Self.order("-5")), Self.round(again, tool: "create_order_proposal"),
            Self.round(text: "Done."),
        ])
        #expect(Self.made(events) == ["5"])
        let alert = #"{"name":"A","symbol":"BTC-USD","condition":"above","price":1}"#
        let (other, _) = try await answer([Self.round(Self.order("-5")), Self.round(alert, tool: "create_alert")])
        #expect(other.contains { if case .toolCall(let call) = $0 { call.name == "create_alert" } else { false } })
        #expect(other.contains(.refused("The field quantity must be a decimal above 0.")))
    }

    @Test("texts of two rounds are two paragraphs")
    func paragraphs() async throws {
        let (events, _) = try await answer([Self.round(Self.order("0"), text: "One."), Self.round(text: "Two.")])
        #expect(events.prefix(2) == [.text("One."), .text("\n\nTwo.")])
        // Nothing took its place.
        #expect(events.dropFirst(2).first == .refused("The field quantity must be a decimal above 0."))
    }

    @Test("a server that accepts no answers to calls spoils nothing of what there is")
    func withoutRounds() async throws {
        let refusal = ModelServer.refusing("400 Bad Request", body: "{}")
        let (shown, _) = try await answer([Self.round(Self.order("5"), Self.order("-5")), refusal])
        #expect(Self.made(shown) == ["5"] && shown.count == 3)
        #expect(shown.last == .end(ModelUsage(finishReason: "tool_calls", inputTokens: 10, outputTokens: 2)))
        let (refused, _) = try await answer([Self.round(Self.order("-5")), refusal])
        #expect(refused.first == .refused("The field quantity must be a decimal above 0.") && refused.count == 2)
        // Where it was speaking, its end is missing.
        let cut = ModelServer.streaming([#"{"choices":[{"delta":{"content":"Half"}}]}"#], done: false)
        let (half, _) = try await answer([Self.round(Self.order("-5")), cut])
        #expect(half.last == .failed("The model's answer was cut off."))
    }

    @Test("what cannot be made here is refused as well, and a name is spelled as it is here")
    func checked() async throws {
        let (events, bodies) = try await answer([
            Self.round(Self.order("1"), Self.order("2")), Self.round(text: "Only one of them."),
        ]) { call throws(ToolCallRefusal) in
            guard call.arguments["quantity"] == "1" else { throw ToolCallRefusal("There is too little.") }
            var call = call
            call.arguments["symbol"] = "sim:BTC-USD"
            return call
        }
        #expect(bodies.count == 2)
        guard case .toolCall(let call)? = events.first else {
            Issue.record("\(events)")
            return
        }
        #expect(call.arguments["symbol"] == "sim:BTC-USD")
        #expect(events.contains(.refused("There is too little.")))
    }
}
