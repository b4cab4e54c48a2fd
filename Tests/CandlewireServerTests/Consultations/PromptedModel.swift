import Consultation
import Synchronization

/// A model that sends the text a test gives it, when the test gives it.
final class PromptedModel: LanguageModel {
    private struct State {
        var requests: [AnswerRequest] = []
        var streams: [String: AsyncStream<ModelEvent>.Continuation] = [:]
        var stopped: Set<String> = []
    }

    private let state = Mutex(State())
    let name = "prompted"

    func answer(_ request: AnswerRequest) -> AsyncStream<ModelEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: ModelEvent.self)
        state.withLock { state in
            state.requests.append(request)
            state.streams[request.answer] = continuation
        }
        continuation.onTermination = { [weak self] reason in
            if case .cancelled = reason { self?.state.withLock { _ = $0.stopped.insert(request.answer) } }
        }
        return stream
    }

    var requests: [AnswerRequest] { state.withLock { $0.requests } }
    var stopped: Set<String> { state.withLock { $0.stopped } }

    /// Waits for a question, counted from 1.
    func request(_ number: Int) async throws -> AnswerRequest {
        try await eventually { [self] in requests.count >= number ? requests[number - 1] : nil }
    }

    /// Says something in an answer.
    func say(_ events: ModelEvent..., in answer: String) {
        let stream = state.withLock { $0.streams[answer] }
        for event in events { stream?.yield(event) }
    }

    /// The stream of events ends here, whatever was said.
    func fallSilent(in answer: String) { state.withLock { $0.streams[answer] }?.finish() }
}

struct NeverHappened: Error {}

/// Looks again and again until there is something.
func eventually<R>(isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R?) async throws -> R {
    for _ in 0..<6_000 {
        if let value = try await body() { return value }
        try await Task.sleep(for: .milliseconds(10))
    }
    throw NeverHappened()
}
