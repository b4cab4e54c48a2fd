import Consultation
import StreamCore
import Testing

@Suite struct OpenAICompatibleModelTests {
    private static let key = "sk-test-51f3"

    private static func request() -> AnswerRequest {
        AnswerRequest(
            conversation: "c", answer: "c-1", user: "anna", kind: "nutrition",
            messages: [ModelMessage(.user, "I want to \"lose\" weight")])
    }

    private func answer(
        _ pieces: [ModelServer.Piece], timeout: Double = 30
    ) async throws -> (events: [ModelEvent], requests: [String]) {
        let server = try await ModelServer.start(pieces)
        var configuration = OpenAICompatibleModel.Configuration(
            baseURL: server.baseURL, model: "small-1", key: .init(Self.key))
        configuration.timeout = timeout
        let model = OpenAICompatibleModel(configuration) { _ in "BTC-USD is at 1." }
        var events: [ModelEvent] = []
        for await event in model.answer(Self.request()) { events.append(event) }
        let requests = server.requests
        await server.stop()
        return (events, requests)
    }

    private static func text(_ text: String) -> String {
        #"{"id":"x","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":\#(JSONValue.string(text).json)},"finish_reason":null}]}"#
    }

    private static let stop = #"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#

    @Test("a streamed answer comes as it is written, with its usage; the request is what such servers want")
    func streaming() async throws {
        let usage = #"{"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":3,"total_tokens":15}}"#
        let (events, requests) = try await answer(
            ModelServer.streaming([Self.text("Eat "), Self.text("wéll"), Self.stop, usage]))
        #expect(
            events == [
                .text("Eat "), .text("wéll"),
                .end(ModelUsage(finishReason: "stop", inputTokens: 12, outputTokens: 3)),
            ])
        let request = try #require(requests.first)
        #expect(request.hasPrefix("POST /v1/chat/completions HTTP/1.1\r\n"))
        #expect(request.lowercased().contains("authorization: bearer \(Self.key)"))
        let split = try #require(request.firstRange(of: "\r\n\r\n"))
        let body = try JSONValue(parsing: String(request[split.upperBound...]))
        #expect(body["model"] == "small-1" && body["stream"] == true)
        #expect(body["messages"]?.elements?.last == ["role": "user", "content": "I want to \"lose\" weight"])
        #expect(body["messages"]?.elements?.first?["content"]?.text?.contains("BTC-USD is at 1.") == true)
        let tools = body["tools"]?.elements?.compactMap { $0["function"]?["name"]?.text }
        #expect(tools == ["create_chart_layout", "create_alert", "create_watchlist", "create_order_proposal"])
    }

    @Test(
        "a model of a type without context gets the type's prompt, notes and tools, and no price; other cards are refused"
    )
    func typed() async throws {
        let proposal =
            #"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"create_order_proposal","arguments":"{\"name\":\"B\",\"symbol\":\"WREN\",\"side\":\"buy\",\"order_type\":\"market\",\"quantity\":\"0.1\"}"}}]}}]}"#
        let server = try await ModelServer.start(ModelServer.streaming([proposal, Self.stop]))
        let type = ConsultationTypes.builtIn["nutrition"]
        let model = OpenAICompatibleModel(.init(baseURL: server.baseURL, model: "small-1"), type: type) { _ in
            Issue.record("the live state was requested")
            return "BTC-USD is at 1."
        }
        var events: [ModelEvent] = []
        for await event in model.answer(Self.request()) { events.append(event) }
        let request = try #require(server.requests.first)
        await server.stop()
        #expect(!request.contains("BTC-USD") && request.contains(type.prompt) && request.contains(type.safetyNotes[0]))
        #expect(request.contains("create_meal") && !request.contains("create_order_proposal"))
        #expect(!events.contains { if case .toolCall = $0 { true } else { false } })
        #expect(
            events.contains {
                if case .refused(let reason) = $0 { reason.contains("no order_proposal cards") } else { false }
            })
    }

    @Test("tool calls come in pieces and are put together")
    func toolCalls() async throws {
        let (events, _) = try await answer(
            ModelServer.streaming([
                #"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"create_alert","arguments":""}}]}}]}"#,
                #"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"name\":\"High\",\"symbol\":"}}]}}]}"#,
                #"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"BTC\",\"condition\":\"above\",\"price\":70000.5}"}}]}}]}"#,
                #"{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#,
            ]))
        guard case .toolCall(let call)? = events.first else {
            Issue.record("\(events)")
            return
        }
        let template = try TemplateTool.template(call, id: "t")
        #expect(template.kind == .alert && template.fields["price"] == "70000.5")
        #expect(events.last == .end(ModelUsage(finishReason: "tool_calls")))
    }

    @Test(
        "a server that refuses is reported in a sentence, without the key that it quotes",
        arguments: [
            ("401 Unauthorized", "The model's server does not accept the key."),
            ("404 Not Found", "The model's server does not know the model or the address."),
            ("429 Too Many Requests", "The model is overloaded, or its quota is used up; try again later."),
            ("500 Internal Server Error", "The model's server failed (status 500)."),
            ("302 Found", "The model's server refused the request (status 302)."),
        ])
    func refusals(status: String, sentence: String) async throws {
        let (events, _) = try await answer(
            ModelServer.refusing(status, body: #"{"error":{"message":"Incorrect API key provided: \#(Self.key)"}}"#))
        #expect(events == [.failed(sentence)])
    }

    @Test("an error in the middle of the stream keeps the text before it, and quotes nothing but its code")
    func errorInside() async throws {
        let (events, _) = try await answer(
            ModelServer.streaming([
                Self.text("part"),
                #"{"error":{"message":"key \#(Self.key) is over its limit","code":"insufficient_quota"}}"#,
            ]))
        #expect(events == [.text("part"), .failed("The model's server reported an error (insufficient_quota).")])
    }

    @Test("an answer that is cut off is no whole answer: by the end of the body, and by the end of the connection")
    func truncation() async throws {
        let (ended, _) = try await answer(ModelServer.streaming([Self.text("half")], done: false))
        #expect(ended == [.text("half"), .failed("The model's answer was cut off.")])
        let event = "data: \(Self.text("half"))\n\n"
        let (cut, _) = try await answer([
            .text("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"),
            .text("\(String(event.utf8.count, radix: 16))\r\n\(event)\r\n"), .wait(0.05), .close,
        ])
        #expect(
            cut == [
                .text("half"), .failed("The connection to the model's server was lost in the middle of its answer."),
            ])
    }

    @Test("a server that says nothing is given up after the time set for the whole answer")
    func slow() async throws {
        let (events, _) = try await answer(
            [.text("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"), .wait(600)], timeout: 0.3)
        #expect(events == [.failed("The model was not done with its answer after 0.3 seconds.")])
    }

    @Test("dropping the answer stops the model: the connection ends")
    func cancelling() async throws {
        let server = try await ModelServer.start(
            [
                .text("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"),
                .text("data: \(Self.text("one"))\n\n"), .wait(600),
            ])
        let model = OpenAICompatibleModel(.init(baseURL: server.baseURL, model: "m"))
        for await event in model.answer(Self.request()) {
            #expect(event == .text("one"))
            break
        }
        let deadline = ContinuousClock.now.advanced(by: .seconds(120))
        while server.losses == 0, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(5)) }
        #expect(server.losses == 1)
        await server.stop()
    }

    @Test("an unreachable server and an invalid URL are reported in sentences")
    func unreachable() async {
        for baseURL in ["http://127.0.0.1:1/v1", "not a url"] {
            let model = OpenAICompatibleModel(.init(baseURL: baseURL, model: "m", key: .init(Self.key)))
            var events: [ModelEvent] = []
            for await event in model.answer(Self.request()) { events.append(event) }
            guard case .failed(let sentence)? = events.first else { continue }
            #expect(events.count == 1 && sentence.hasPrefix("The ") && !sentence.contains(Self.key))
        }
    }

    @Test("the key does not show itself where its configuration is printed")
    func secrecy() {
        let configuration = OpenAICompatibleModel.Configuration(baseURL: "http://a", model: "m", key: .init(Self.key))
        var dumped = ""
        dump(configuration, to: &dumped)
        #expect(!"\(configuration)".contains(Self.key) && !dumped.contains(Self.key))
        #expect(!String(reflecting: OpenAICompatibleModel(configuration)).contains(Self.key))
    }
}
