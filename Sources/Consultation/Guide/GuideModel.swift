public import ConversationCore

/// The guide as a model: the default where none is configured.
public struct GuideModel: LanguageModel {
    /// Candles of markets over the seconds before now.
    public typealias Past = @Sendable (_ symbols: [String], _ seconds: Double) async -> [ComparedCandles]

    /// Seconds between two words, and the most that a whole answer may take longer for them.
    static let pause = 0.03
    static let maxDelay = 3.0

    private let type: ConsultationType
    private let snapshot: @Sendable (AnswerRequest) async -> MarketSnapshot
    private let past: Past
    private let sleep: @Sendable (Double) async throws -> Void

    /// - Parameters:
    ///   - type: what the guide keeps to.
    ///   - past: for comparisons.
    ///   - sleep: waits for as many seconds between two words; throws when the answer is stopped.
    ///   - snapshot: the live state as the user of the request may see it, no more than the type's context. Types without a
    ///     context never request it.
    public init(
        type: ConsultationType = ConsultationTypes.builtIn["markets"],
        past: @escaping Past = { _, _ in [] },
        sleep: @escaping @Sendable (Double) async throws -> Void = { try await Task.sleep(for: .seconds($0)) },
        snapshot: @escaping @Sendable (AnswerRequest) async -> MarketSnapshot
    ) {
        self.type = type
        self.past = past
        self.sleep = sleep
        self.snapshot = snapshot
    }

    public var name: String { "Candlewire guide" }

    public func answer(_ request: AnswerRequest) -> AsyncStream<ModelEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: ModelEvent.self)
        let task = Task {
            let answer = await makeAnswer(request)
            let events = Self.events(answer)
            let pause = min(Self.pause, Self.maxDelay / Double(max(1, events.count)))
            for event in events {
                continuation.yield(event)
                if case .text = event {
                    do { try await sleep(pause) } catch { break }
                }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    private func makeAnswer(_ request: AnswerRequest) async -> GuideAnswer {
        let live = type.context.isEmpty ? MarketSnapshot(time: 0) : await snapshot(request)
        let said = request.messages.filter { $0.role == .user }.map(\.text)
        let question = said.last ?? ""
        var candles: [ComparedCandles] = []
        if type.context.contains(.markets), let comparison = Guide.comparison(question, live, type: type) {
            candles = await past(comparison.symbols, comparison.seconds)
        }
        return Guide.answer(
            question, in: live, type: type, earlier: said.dropLast(), past: candles,
            isFirst: !request.messages.contains { $0.role == .assistant })
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
