import Consultation
import StreamCore
import Testing

@Suite struct ConsultationTypesTests {
    private static func types(_ fields: String, before: String = "") -> String {
        """
        {
          "types": [
            {
              "name": "coach", "title": "Coach",\(before)
              "system_prompt": "You are a coach."\(fields.isEmpty ? "" : ",")
              \(fields)
            }
          ]
        }
        """
    }

    private static func read(_ text: String) throws(ConsultationTypesError) -> ConsultationTypes {
        try ConsultationTypes(parsing: text)
    }

    @Test("a configuration gives each type exactly what it names")
    func reading() throws {
        let text = Self.types(
            #"""
            "greeting": "Hi.", "placeholder": "Write", "questions": ["A?"], "templates": ["meal", "alert"],
            "context": ["feeds"], "model": "small", "safety_notes": ["Careful."],
            "limits": {"message_characters": 100, "messages": 20, "answer_bytes": 4096, "context_messages": 5}
            """#)
        let types = try Self.read(text)
        let type = try #require(types.all.first)
        #expect(types.all.count == 1 && !types.acceptsOthers && types.accepts("coach") && !types.accepts("markets"))
        #expect(type.title == "Coach" && type.prompt == "You are a coach." && type.greeting == "Hi.")
        #expect(type.placeholder == "Write" && type.questions == ["A?"] && type.model == "small" && type.isListed)
        #expect(type.templates == [.meal, .alert] && type.context == [.feeds] && type.safetyNotes == ["Careful."])
        var server = ConversationSettings()
        server.maxMessages = 10
        let settings = type.settings(server)
        #expect(settings.maxMessageLength == 100 && settings.maxAnswerLength == 4_096 && settings.contextMessages == 5)
        #expect(settings.maxMessages == 10, "a type only lowers the server's limits")
        let bare = try #require(try Self.read(Self.types("")).all.first)
        #expect(bare.templates.isEmpty && bare.context.isEmpty && bare.tools.isEmpty)
        #expect(types["gone"].context.isEmpty && types["gone"].templates.isEmpty)
    }

    @Test(
        "a wrong configuration is reported with its line, its field, what is there and what is allowed",
        arguments: [
            ("{", 1, "", "is not JSON"), ("[]", 1, "", "The file must be an object; it is []."),
            ("{\n\"types\": []\n}", 2, "types", "a list of 1 to 20; it is []"), ("{}", 1, "types", "it is missing"),
            ("{\n\n\"kinds\": 1, \"types\": []}", 3, "kinds", "There is no field \"kinds\"; allowed: types."),
            (
                types("\"templates\": [\"meal\",\n\"orders\"]"), 7, "types[0].templates[1]",
                "must be one of meal, workout, wellness, chart_layout, alert, watchlist, order_proposal; it is \"orders\"."
            ),
            (
                types("\"context\": [\"account\"]"), 6, "types[0].context[0]",
                "one of markets, positions, feeds; it is \"account\""
            ),
            (types("\"context\": [\"feeds\", \"feeds\"]"), 6, "types[0].context[1]", "not there already"),
            (
                types("\"limits\": {\"messages\": 1.5}"), 6, "types[0].limits.messages",
                "a whole number from 2 to 4000; it is 1.5"
            ),
            (types("\"limits\": {\"speed\": 1}"), 6, "types[0].limits.speed", "allowed: message_characters, messages"),
            (types("\"colour\": 1"), 6, "types[0].colour", "There is no field"),
            (types("\"greeting\": 5"), 6, "types[0].greeting", "a text of 0 to 2000 bytes; it is 5"),
            (types("\"title\": \"Again\""), 6, "types[0].title", "is there twice"),
            (types("\"model\": \"\""), 6, "types[0].model", "a text of 1 to 200 bytes"),
            (
                "{\"types\": [{\n\"name\": \"A b\"}]}", 2, "types[0].name",
                "lower-case letters, digits, - and _; it is \"A b\""
            ),
            ("{\"types\": [\n{\"name\": \"a\", \"title\": \"A\"}]}", 2, "types[0].system_prompt", "it is missing"),
            (
                "{\"types\": [{\"name\":\"a\",\"title\":\"A\",\"system_prompt\":\"p\"},\n{\"name\":\"a\",\"title\":\"B\",\"system_prompt\":\"p\"}]}",
                2, "types[1].name", "a name that no other type has"
            ),
        ] as [(String, Int, String, String)])
    func errors(text: String, line: Int, field: String, reason: String) {
        let error = #expect(throws: ConsultationTypesError.self) { try Self.read(text) }
        #expect(error?.line == line && error?.field == field, "\(error.map { "\($0) \($0.field)" } ?? "")")
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    @Test("no configuration crashes the reader", arguments: [23])
    func anything(seed: UInt64) {
        var random = SeededBytes(seed: seed)
        for _ in 0..<2_000 { _ = try? Self.read(random.damaged(ConsultationTypes.builtInJSON)) }
    }

    @Test("the built-in types are a configuration; a market type has no meals, and no other type knows the market")
    func builtIn() throws {
        let types = ConsultationTypes.builtIn
        #expect(types.all.map(\.name) == ["markets", "nutrition", "workout"] && types.acceptsOthers)
        #expect(types.all.filter(\.isListed).map(\.name) == ["markets"])
        #expect(types["markets"].templates == [.chartLayout, .alert, .watchlist, .orderProposal])
        for name in ["nutrition", "workout", "anything"] {
            #expect(types[name].context.isEmpty)
            #expect(Set(types[name].templates).isDisjoint(with: types["markets"].templates))
        }
        #expect(try Self.read(ConsultationTypes.builtInJSON).all.allSatisfy(\.isListed))
    }
}
