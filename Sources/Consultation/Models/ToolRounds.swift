internal import StreamCore

/// One answer of a model that calls tools: each call is made or refused, the model gets the result, and may continue.
///
/// A value without IO: the model's events go in with `apply`, what of them is for the user comes out, and `endRound` decides
/// whether there is another request, with `messages` behind the conversation. There is one where a call was refused, so that
/// the model corrects it; `maxCorrections` times, whatever it does.
struct ToolRounds {
    /// Requests after the first one.
    static let maxCorrections = 2

    /// What the model is to know of this answer so far, as chat completions have it.
    private(set) var messages: [JSONValue] = []
    private let check: @Sendable (ToolCall) throws(ToolCallRefusal) -> ToolCall
    private var round = 0
    private var made: [ToolCall] = []
    /// Refused in earlier rounds, and not corrected since.
    private var refused: [(tool: String, reason: String)] = []
    private var hasText = false
    private var usage = ModelUsage()

    // Of this round.
    private var text = ""
    private var calls: [(call: ToolCall, answer: String)] = []
    private var refusedNow: [(tool: String, reason: String)] = []
    private var hasNews = false
    private var failure: String?

    /// - Parameter check: gives a call back as it can be made, and throws where it cannot.
    init(check: @escaping @Sendable (ToolCall) throws(ToolCallRefusal) -> ToolCall) { self.check = check }

    var isFirst: Bool { round == 0 }

    /// - Returns: what the user is to get of it at once; `nil` where there is nothing yet.
    mutating func apply(_ event: ModelEvent) -> ModelEvent? {
        switch event {
        case .text(let piece):
            guard !piece.isEmpty else { return event }
            let isNext = hasText && text.isEmpty
            text += piece
            return .text(isNext ? "\n\n" + piece : piece)
        case .toolCall(let call): return apply(call)
        case .refused(let reason):
            refusedNow.append(("", reason))
            return nil
        case .end(let used):
            usage.finishReason = used.finishReason
            usage.inputTokens = Self.sum(usage.inputTokens, used.inputTokens)
            usage.outputTokens = Self.sum(usage.outputTokens, used.outputTokens)
            return nil
        case .failed(let reason):
            failure = reason
            return nil
        }
    }

    private mutating func apply(_ call: ToolCall) -> ModelEvent? {
        do throws(ToolCallRefusal) {
            let call = try checked(call)
            guard !made.contains(where: { Self.isSame($0, call) }) else {
                calls.append((call, "The user has this already."))
                return nil
            }
            replaceRefused(call.name)
            made.append(call)
            hasNews = true
            calls.append((call, "Shown to the user."))
            return .toolCall(call)
        } catch {
            replaceRefused(call.name)
            refusedNow.append((call.name, error.reason))
            calls.append((call, "Refused, and not shown: \(error.reason)"))
            return nil
        }
    }

    /// Whether two calls make the same thing, however they call it: a model that corrects one of two calls may send both again.
    private static func isSame(_ one: ToolCall, _ other: ToolCall) -> Bool {
        guard one.name == other.name else { return false }
        let what = { (call: ToolCall) in call.arguments.filter { $0.key != "name" && $0.key != "description" } }
        return what(one) == what(other)
    }

    private func checked(_ call: ToolCall) throws(ToolCallRefusal) -> ToolCall {
        do throws(EnvelopeError) { _ = try TemplateTool.template(call, id: "") } catch {
            throw ToolCallRefusal(error.description)
        }
        return try check(call)
    }

    /// A call replaces one that was refused before it: of the same tool, or of one that does not exist.
    private mutating func replaceRefused(_ tool: String) {
        let place =
            refused.firstIndex { $0.tool == tool }
            ?? refused.firstIndex { one in !TemplateTool.all.contains { $0.name == one.tool } }
        if let place { refused.remove(at: place) }
    }

    /// The model's answer to this request is complete.
    /// - Returns: the last events of the answer; `nil`: there is another request.
    mutating func endRound() -> [ModelEvent]? {
        // What was said before stays a whole answer where the model has nothing to add to it.
        if let failure, isFirst || !text.isEmpty || hasNews { return [.failed(failure)] }
        hasText = hasText || !text.isEmpty
        guard failure == nil, !refusedNow.isEmpty, round < Self.maxCorrections, usage.finishReason != "length",
            !calls.isEmpty
        else {
            return (refused + refusedNow).map { ModelEvent.refused($0.reason) } + [.end(usage)]
        }
        messages.append(contentsOf: report)
        refused += refusedNow
        round += 1
        (text, calls, refusedNow, hasNews) = ("", [], [], false)
        return nil
    }

    /// The model's own words of this round, and an answer to each of its calls.
    private var report: [JSONValue] {
        let ids = calls.indices.map { calls[$0].call.id.isEmpty ? "call_\(round)_\($0)" : calls[$0].call.id }
        let requested = zip(ids, calls).map { id, each -> JSONValue in
            let function: JSONValue = [
                "name": .string(ChatCompletionStream.word(each.call.name)),
                "arguments": .string(JSONValue.object(each.call.arguments).json),
            ]
            return ["id": .string(id), "type": "function", "function": function]
        }
        let said: JSONValue = ["role": "assistant", "content": .string(text), "tool_calls": .array(requested)]
        return [said]
            + zip(ids, calls).map { id, each -> JSONValue in
                ["role": "tool", "tool_call_id": .string(id), "content": .string(each.answer)]
            }
    }

    private static func sum(_ first: Int?, _ second: Int?) -> Int? {
        guard let first, let second else { return first ?? second }
        let (sum, isTooMuch) = first.addingReportingOverflow(second)
        return isTooMuch ? .max : sum
    }
}
