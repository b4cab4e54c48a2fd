internal import StreamCore

/// Reads the streamed answer of a server that speaks OpenAI's chat completions: bytes in, model events out.
///
/// Chunks of text come out as they are; a tool call comes out whole, once its pieces are together. The last event is
/// `end` or `failed`, once: an answer that stops in the middle, an error inside the stream and what is no JSON are all
/// failures, and the text until then stays. Source: OpenAI API reference, "Chat completions, streaming".
public struct ChatCompletionStream: Sendable {
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
    public private(set) var isOver = false

    /// Calls in one answer, and bytes of one's name and arguments; a model beyond is stopped.
    static let mostCalls = 32
    static let longestName = 256
    static let longestArguments = 64 << 10

    public init() {}

    /// Reads the next bytes of the body.
    public mutating func feed(_ bytes: some Sequence<UInt8>) -> [ModelEvent] {
        guard !isOver else { return [] }
        var out: [ModelEvent] = []
        for data in events.feed(bytes) where !isOver { read(data, &out) }
        if events.isOverflown, !isOver { fail("The model's server sent too large a piece.", &out) }
        return out
    }

    /// The body is at its end.
    public mutating func finish() -> [ModelEvent] {
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
        if let id = piece["id"]?.text, id.utf8.count <= Self.longestName { call.id = id }
        call.name += piece["function"]?["name"]?.text ?? ""
        call.arguments += piece["function"]?["arguments"]?.text ?? ""
        calls[index] = call
        if calls.count > Self.mostCalls || call.name.utf8.count > Self.longestName
            || call.arguments.utf8.count > Self.longestArguments
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
