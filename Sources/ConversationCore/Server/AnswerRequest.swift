internal import StreamCore

/// A request to a model.
public struct AnswerRequest: Sendable, Hashable {
    public var conversation: String
    /// The answer's id, which `apply` names again.
    public var answer: String
    public var user: String
    /// The consultation type.
    public var kind: String
    /// The past and the question, oldest first; the last one is the user's.
    public var messages: [ModelMessage]
    /// What the user sees beside the conversation.
    public var screen: ScreenContext?

    public init(
        conversation: String, answer: String, user: String, kind: String, messages: [ModelMessage],
        screen: ScreenContext? = nil
    ) {
        self.conversation = conversation
        self.answer = answer
        self.user = user
        self.kind = kind
        self.messages = messages
        self.screen = screen
    }
}

/// A message as models know it.
public struct ModelMessage: Sendable, Hashable {
    public var role: Role
    public var text: String

    public init(_ role: Role, _ text: String) {
        self.role = role
        self.text = text
    }
}

/// A part of an answer, in order; `end` or `failed` is the last.
public enum AnswerEvent: Sendable, Hashable {
    /// Text that follows what came before.
    case text(String)
    /// The assistant made something. The machine gives it its id.
    case template(Template)
    /// The assistant wanted to make something that cannot be made; a sentence for the user.
    case refused(String)
    case end(ModelUsage)
    /// A sentence for the user, without secrets.
    case failed(String)
}

/// Why a model stopped and what it cost.
public struct ModelUsage: Sendable, Hashable {
    /// In the model's words: `stop`, `length`, `tool_calls`, and so on.
    public var finishReason: String
    public var inputTokens: Int?
    public var outputTokens: Int?

    public init(finishReason: String = "stop", inputTokens: Int? = nil, outputTokens: Int? = nil) {
        self.finishReason = finishReason
        self.inputTokens = inputTokens
        self.outputTokens = outputTokens
    }
}

extension ModelUsage {
    /// Whether the model reports what its answer used.
    var isKnown: Bool { inputTokens != nil || outputTokens != nil }

    var json: JSONValue {
        var members: [String: JSONValue] = ["finish_reason": .string(finishReason)]
        if let inputTokens { members["input_tokens"] = .number(Double(inputTokens)) }
        if let outputTokens { members["output_tokens"] = .number(Double(outputTokens)) }
        return .object(members)
    }

    init(json: JSONValue) {
        self.init(
            finishReason: json["finish_reason"]?.text ?? "stop", inputTokens: json["input_tokens"]?.integer,
            outputTokens: json["output_tokens"]?.integer)
    }
}
