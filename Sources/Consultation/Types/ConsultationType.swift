public import ConversationCore
package import StreamCore

/// What a consultation is about: how the assistant introduces itself, what it knows and which cards it may create.
///
/// A type has exactly the context and the cards that it names. Models get nothing else of the live state, and a call of a
/// tool that makes another card is refused.
public struct ConsultationType: Sendable, Hashable {
    /// A part of the live state that the assistant may know.
    public enum Context: String, Sendable, CaseIterable {
        /// Prices, their past, indicators, and what is on the user's screen.
        case markets
        /// Paper positions.
        case positions
        /// Whether the feeds are connected.
        case feeds
    }

    /// What a conversation of the type may cost; `nil`: what the server allows. A limit here only lowers the server's.
    public struct Limits: Sendable, Hashable {
        /// Characters in a user's message.
        public var messageCharacters: Int?
        /// Messages of all roles.
        public var messages: Int?
        /// Bytes of one answer.
        public var answerBytes: Int?
        /// Messages of the past that a model is given.
        public var contextMessages: Int?

        public init() {}
    }

    /// As clients request it: lower-case letters, digits, `-` and `_`.
    public var name: String
    public var title: String
    /// The system prompt of language models.
    public var prompt: String
    /// Shown in an empty conversation.
    public var greeting = ""
    /// Shown in the empty field for messages.
    public var placeholder = "Message"
    /// Questions that clients suggest; `{symbol}` is the market on screen.
    public var questions: [String] = []
    /// Cards that the assistant may create, each with a tool of its own (`create_meal`).
    public var templates: [TemplateKind] = []
    public var context: Set<Context> = []
    /// The language model's name at the server's address for models, or `guide` for the built-in guide; `nil`: the server's.
    public var model: String?
    public var limits = Limits()
    /// Rules for the model, which the user is shown too.
    public var safetyNotes: [String] = []
    /// Whether clients offer the type where they list types.
    public var isListed = true

    public init(name: String, title: String, prompt: String) {
        self.name = name
        self.title = title
        self.prompt = prompt
    }
}

extension ConsultationType {
    /// The settings of a conversation of this type.
    package func settings(_ server: ConversationSettings) -> ConversationSettings {
        var settings = server
        func lower(_ path: WritableKeyPath<ConversationSettings, Int>, _ limit: Int?) {
            if let limit { settings[keyPath: path] = min(settings[keyPath: path], limit) }
        }
        lower(\.maxMessageLength, limits.messageCharacters)
        lower(\.maxMessages, limits.messages)
        lower(\.maxAnswerLength, limits.answerBytes)
        lower(\.contextMessages, limits.contextMessages)
        return settings
    }

    /// The tools that a model may call.
    package var tools: [TemplateTool] { TemplateTool.all.filter { templates.contains($0.kind) } }

    /// - Throws: where the call makes a card that the type does not have.
    package func check(_ call: ToolCall) throws(ToolCallRefusal) {
        guard let tool = TemplateTool.all.first(where: { $0.name == call.name }), !templates.contains(tool.kind)
        else { return }
        let own = tools.map(\.name).joined(separator: ", ")
        throw ToolCallRefusal(
            "A consultation of the type \(name) has no \(tool.kind.name) cards; its tools are: "
                + (own.isEmpty ? "none." : "\(own)."))
    }

    /// What clients may know of the type; the prompt is not theirs.
    package var document: JSONValue {
        func texts(_ list: [String]) -> JSONValue { .array(list.map { .string($0) }) }
        return [
            "type": .string(name), "title": .string(title), "greeting": .string(greeting),
            "placeholder": .string(placeholder), "questions": texts(questions),
            "templates": texts(templates.map(\.name)),
            "context": texts(Context.allCases.filter(context.contains).map(\.rawValue)),
            "safety_notes": texts(safetyNotes), "listed": .bool(isListed),
        ]
    }
}
