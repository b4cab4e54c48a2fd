/// The guide as a model: the default where none is configured.
public struct GuideModel: LanguageModel {
    private let snapshot: @Sendable (AnswerRequest) async -> MarketSnapshot

    /// - Parameter snapshot: the live state as the user of the request may see it.
    public init(snapshot: @escaping @Sendable (AnswerRequest) async -> MarketSnapshot) {
        self.snapshot = snapshot
    }

    public var name: String { "Candlewire guide" }

    public func answer(_ request: AnswerRequest) -> AsyncStream<ModelEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: ModelEvent.self)
        let task = Task { [snapshot] in
            let answer = Guide.answer(
                request.messages.last { $0.role == .user }?.text ?? "", in: await snapshot(request),
                isFirst: !request.messages.contains { $0.role == .assistant })
            for event in Self.events(answer) { continuation.yield(event) }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    /// The answer word by word, then what it makes.
    static func events(_ answer: GuideAnswer) -> [ModelEvent] {
        WordPieces.split(answer.text).map { .text($0) } + answer.calls.map { .toolCall($0) } + [.end(ModelUsage())]
    }
}

/// A text in words, each with the white space that follows it: joined they are the text.
enum WordPieces {
    static func split(_ text: String) -> [String] {
        var pieces: [String] = []
        var piece = ""
        for character in text {
            if let last = piece.last, last.isWhitespace, !character.isWhitespace {
                pieces.append(piece)
                piece = ""
            }
            piece.append(character)
        }
        if !piece.isEmpty { pieces.append(piece) }
        return pieces
    }
}
