/// Whatever answers: a model behind HTTP, the built-in guide, or a test.
public protocol LanguageModel: Sendable {
    /// For a person: what answers here.
    var name: String { get }

    /// Answers. The last event is `end` or `failed`; a stream that is let go earlier stops the model.
    func answer(_ request: AnswerRequest) -> AsyncStream<ModelEvent>
}
