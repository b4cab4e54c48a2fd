internal import StreamCore

/// The body of a request for chat completions.
struct ChatCompletionRequest {
    var model: String
    /// What the model is told about its task and what is on screen.
    var instructions: String
    var messages: [ModelMessage]
    /// What the model said and was told in this answer already: `ToolRounds.messages`.
    var rounds: [JSONValue] = []
    var tools: [TemplateTool]

    var body: [UInt8] {
        var said: [JSONValue] = [["role": "system", "content": .string(instructions)]]
        said += messages.map { ["role": .string($0.role.rawValue), "content": .string($0.text)] }
        said += rounds
        var body: [String: JSONValue] = [
            "model": .string(model), "stream": true, "stream_options": ["include_usage": true],
            "messages": .array(said),
        ]
        if !tools.isEmpty {
            body["tools"] = .array(
                tools.map { tool in
                    let function: JSONValue = [
                        "name": .string(tool.name), "description": .string(tool.purpose), "parameters": tool.schema,
                    ]
                    return ["type": "function", "function": function]
                })
        }
        var bytes: [UInt8] = []
        JSONValue.object(body).write(into: &bytes)
        return bytes
    }
}
