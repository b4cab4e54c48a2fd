internal import StreamCore

/// Reads the streamed answer of a server with OpenAI's chat completions: bytes in, model events out.
///
/// Chunks of text come out as they are; a tool call comes out whole, once its pieces are together. The last event is
/// `end` or `failed`, once: an answer that stops in the middle, an error inside the stream and what is no JSON are all
/// failures, and the text until then stays. Source: OpenAI API reference, "Chat completions, streaming".
package struct ChatCompletionStream: Sendable {
    private struct Call {
        var id = ""
        var name = ""
        var arguments = ""
    }

    private var events = ServerSentEvents()
    /// By the index that their pieces carry.
    private var calls: [Int: Call] = [:]
    private var usage = ModelUsage()
    private var hasFinishReason = false
    /// The last event was given.
    package private(set) var isOver = false

    /// Calls in one answer, and bytes of one's name and arguments; a model beyond is stopped.
    static let maxCalls = 32
    static let maxNameLength = 256
    static let maxArgumentsLength = 64 << 10

    package init() {}

    /// Reads the next bytes of the body.
    package mutating func feed(_ bytes: some Sequence<UInt8>) -> [ModelEvent] {
        guard !isOver else { return [] }
        var out: [ModelEvent] = []
        for data in events.feed(bytes) where !isOver { read(data, &out) }
        if events.isOverflown, !isOver { fail("The model's server sent too large a piece.", &out) }
        return out
    }

    /// The body is at its end.
    package mutating func finish() -> [ModelEvent] {
        guard !isOver else { return [] }
        var out: [ModelEvent] = []
        // Some servers leave the `[DONE]` out, but none the reason.
        if hasFinishReason { complete(&out) } else { fail("The model's answer was cut off.", &out) }
        return out
    }

    private mutating func fail(_ sentence: String, _ out: inout [ModelEvent]) {
        isOver = true
        out.append(.failed(sentence))
    }

    private mutating func complete(_ out: inout [ModelEvent]) {
        isOver = true
        for (_, call) in calls.sorted(by: { $0.key < $1.key }) {
            // Arguments that are no object are refused like those that lack a field: by who makes the template.
            let arguments = (try? JSONValue(parsing: call.arguments))?.members
            out.append(
                .toolCall(
                    ToolCall(
                        name: call.name, arguments: arguments ?? [:], isReadable: arguments != nil, id: call.id)))
        }
        out.append(.end(usage))
    }

    private mutating func read(_ data: [UInt8], _ out: inout [ModelEvent]) {
        if data.elementsEqual("[DONE]".utf8) { return complete(&out) }
        let read = data.withUnsafeBytes { bytes in Result { () throws(JSONError) in try JSONValue(parsing: bytes) } }
        guard case .success(let chunk) = read else {
            return fail("The model's server sent something that cannot be read.", &out)
        }
        if let error = chunk["error"], error != .null { return fail(Self.sentence(error), &out) }
        if let counted = chunk["usage"], counted != .null {
            usage.inputTokens = counted["prompt_tokens"]?.integer
            usage.outputTokens = counted["completion_tokens"]?.integer
        }
        // The chunk with the usage has no choices.
        guard let choice = chunk["choices"]?.elements?.first else { return }
        if let text = choice["delta"]?["content"]?.text, !text.isEmpty { out.append(.text(text)) }
        for piece in choice["delta"]?["tool_calls"]?.elements ?? [] where !isOver { add(piece, &out) }
        if let reason = choice["finish_reason"]?.text {
            usage.finishReason = Self.word(reason)
            hasFinishReason = true
        }
    }

    private mutating func add(_ piece: JSONValue, _ out: inout [ModelEvent]) {
        let index = piece["index"]?.integer ?? 0
        var call = calls[index] ?? Call()
        if let id = piece["id"]?.text, id.utf8.count <= Self.maxNameLength { call.id = id }
        call.name += piece["function"]?["name"]?.text ?? ""
        call.arguments += piece["function"]?["arguments"]?.text ?? ""
        calls[index] = call
        if calls.count > Self.maxCalls || call.name.utf8.count > Self.maxNameLength
            || call.arguments.utf8.count > Self.maxArgumentsLength
        {
            fail("The model called too many tools, or one with too much.", &out)
        }
    }

    /// What a provider says of an error may quote the key that it refuses: only its code is passed on.
    static func sentence(_ error: JSONValue) -> String {
        let code = error["code"]?.text ?? error["type"]?.text ?? error["code"]?.integer.map { "\($0)" } ?? ""
        let word = word(code)
        return word.isEmpty
            ? "The model's server reported an error." : "The model's server reported an error (\(word))."
    }

    /// At most 40 letters, digits and `_-.`.
    static func word(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(40).filter { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    || "_-.".unicodeScalars.contains(scalar))
        }
        return String(String.UnicodeScalarView(scalars))
    }
}

/// Splits a stream of server-sent events, in whatever pieces it comes (WHATWG HTML, section 9.2.6).
///
/// Only `data` is of interest here; `event`, `id`, `retry` and comments are passed over.
package struct ServerSentEvents: Sendable {
    /// Bytes of one event; a server that sends more is not to be believed.
    package let limit: Int
    private var line: [UInt8] = []
    private var data: [UInt8] = []
    private var hasData = false
    private var endedWithReturn = false
    private var isAtStart = true
    /// An event was larger than `limit`; nothing more comes out.
    package private(set) var isOverflown = false

    package init(limit: Int = 1 << 20) { self.limit = limit }

    /// Reads the next bytes.
    /// - Returns: the data of the events that they complete.
    package mutating func feed(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
        var events: [[UInt8]] = []
        for byte in bytes where !isOverflown {
            switch byte {
            case 0x0A where endedWithReturn: endedWithReturn = false
            case 0x0A, 0x0D:
                endedWithReturn = byte == 0x0D
                endLine(&events)
            default:
                endedWithReturn = false
                line.append(byte)
                isOverflown = line.count + data.count > limit
            }
        }
        return events
    }

    private mutating func endLine(_ events: inout [[UInt8]]) {
        defer { line.removeAll(keepingCapacity: true) }
        if isAtStart {
            isAtStart = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        }
        guard !line.isEmpty else {
            // The end of an event.
            if hasData { events.append(data) }
            data = []
            hasData = false
            return
        }
        let name = Array("data".utf8)
        guard line.starts(with: name), line.count == 4 || line[4] == 0x3A else { return }
        var value = line.dropFirst(5)
        if value.first == 0x20 { value = value.dropFirst() }
        if hasData { data.append(0x0A) }
        data += value
        hasData = true
    }
}

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
