internal import StreamCore

/// The body of a request for chat completions.
struct ChatCompletionRequest {
    var model: String
    /// The model's task, and what is on screen.
    var instructions: String
    var messages: [ModelMessage]
    /// The rounds of this answer so far: `ToolRounds.messages`.
    var rounds: [JSONValue] = []
    var tools: [TemplateTool]

    var body: [UInt8] {
        var sent: [JSONValue] = [["role": "system", "content": .string(instructions)]]
        sent += messages.map { ["role": .string($0.role.rawValue), "content": .string($0.text)] }
        sent += rounds
        var body: [String: JSONValue] = [
            "model": .string(model), "stream": true, "stream_options": ["include_usage": true],
            "messages": .array(sent),
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
