/// What a model says, in order; `end` or `failed` is the last.
public enum ModelEvent: Sendable, Hashable {
    /// Text that follows what came before.
    case text(String)
    /// The model wants something made: see `TemplateTool`.
    case toolCall(ToolCall)
    case end(ModelUsage)
    /// A sentence for the user, without secrets.
    case failed(String)
}

public struct ToolCall: Sendable, Hashable {
    public var name: String
    public var arguments: [String: JSONValue]

    public init(name: String, arguments: [String: JSONValue]) {
        self.name = name
        self.arguments = arguments
    }
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
    /// Whether the model says what its answer took.
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
