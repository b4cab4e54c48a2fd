/// What a model says, in order; `end` or `failed` is the last.
public enum ModelEvent: Sendable, Hashable {
    /// Text that follows what came before.
    case text(String)
    /// The model wants something made: see `TemplateTool`.
    case toolCall(ToolCall)
    /// The model wanted something made that cannot be; a sentence for the user.
    case refused(String)
    case end(ModelUsage)
    /// A sentence for the user, without secrets.
    case failed(String)
}

public struct ToolCall: Sendable, Hashable {
    public var name: String
    public var arguments: [String: JSONValue]
    /// Whether the arguments were a JSON object; where not, they are empty here, and nothing can be made of them.
    public var isReadable: Bool
    /// How the model calls this call; empty where it does not.
    public var id: String

    public init(name: String, arguments: [String: JSONValue], isReadable: Bool = true, id: String = "") {
        self.name = name
        self.arguments = arguments
        self.isReadable = isReadable
        self.id = id
    }
}

/// Why nothing is made of a call.
public struct ToolCallRefusal: Error, Sendable, Hashable {
    /// A sentence for the user and for the model.
    public var reason: String

    public init(_ reason: String) { self.reason = reason }
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
