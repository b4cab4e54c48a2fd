public import Foundation
public import StreamCore

/// The output of a model, in order; `end` or `failed` is the last.
public enum ModelEvent: Sendable, Hashable {
    /// Text that follows what came before.
    case text(String)
    /// The model requests a template: see `TemplateTool`.
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
public struct ToolCallRefusal: LocalizedError, Sendable, Hashable {
    /// A sentence for the user and for the model.
    public var reason: String

    public init(_ reason: String) { self.reason = reason }

    public var errorDescription: String? { reason }
}

extension ConversationMachine {
    /// Applies what the model sends: a tool call becomes the template that it describes. Ignored for answers that are over.
    public mutating func generated(_ event: ModelEvent, for answer: String, now: Double) {
        let event: AnswerEvent =
            switch event {
            case .text(let text): .text(text)
            case .toolCall(let call): Self.event(call)
            case .refused(let reason): .refused(reason)
            case .end(let usage): .end(usage)
            case .failed(let reason): .failed(reason)
            }
        apply(event, to: answer, now: now)
    }

    private static func event(_ call: ToolCall) -> AnswerEvent {
        do { return .template(try TemplateTool.template(call, id: call.id)) } catch {
            return .refused(error.description)
        }
    }
}

/// Whatever answers: a model behind HTTP, the built-in guide, or a test.
public protocol LanguageModel: Sendable {
    /// For a person: what answers here.
    var name: String { get }

    /// Answers. The last event is `end` or `failed`; a stream that is let go earlier stops the model.
    func answer(_ request: AnswerRequest) -> AsyncStream<ModelEvent>
}
