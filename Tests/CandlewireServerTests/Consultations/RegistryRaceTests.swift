import Consultation
import HistoryStore
import NIOCore
import Testing

@testable import CandlewireServer

/// Things that happen at the same time in the conversations of a server, in the order that is worst.
@Suite("Races in the conversations of a server", .timeLimit(.minutes(5)))
struct RegistryRaceTests {
    private static let now = 1_800_000_000.0
    private static let opened = ConversationEvent.opened(user: "anna", kind: "x")

    @Test("A conversation that was deleted while it was read from the disk does not come back")
    func deletedWhileRead() async throws {
        let stage = try await RegistryStage()
        let transcript = try await stage.keep(
            "c1", [Self.opened, .userMessage(id: "m1", text: "a secret of mine")], at: Self.now)
        try await stage.result { (registry, promise: EventLoopPromise<Void>) in
            registry.delete("c1") { promise.completeWith($0.mapError { $0 as any Error }) }
        }
        // What was read before comes after it.
        try await stage.turn { $0.handle([.loaded(conversation: "c1", .success(transcript))]) }
        #expect(try await stage.turn { $0.conversations.isEmpty && $0.answers.isEmpty })
        #expect(stage.model.requests.isEmpty)

        // And a request made meanwhile is refused.
        _ = try await stage.keep("c2", [Self.opened], at: Self.now)
        let refusal = try await stage.result { (registry, promise: EventLoopPromise<String?>) in
            registry.with("c2") { result in
                if case .failure(let error) = result { promise.succeed(error.code) } else { promise.succeed(nil) }
            }
            registry.delete("c2") { _ in }
        }
        #expect(refusal == "unknown_consultation")
        try stage.store.close()
    }

    @Test("What is old is not deleted while a client opens it, and cannot be opened while its age is looked at")
    func expiring() async throws {
        let stage = try await RegistryStage()
        for id in ["c1", "c2", "c3"] { _ = try await stage.keep(id, [Self.opened], at: Self.now) }
        // A client opens it a moment earlier.
        let opened = try await stage.result { (registry, promise: EventLoopPromise<Bool>) in
            registry.with("c1") { result in
                if case .failure(let error) = result { promise.fail(error) }
            }
            registry.expire("c1", since: Self.now + 1) { promise.completeWith($0) }
        }
        #expect(!opened && stage.index.owner(of: "c1") == "anna")

        // Or a moment later: come back.
        let late = stage.loop.makePromise(of: String?.self)
        let expired = try await stage.result { (registry, promise: EventLoopPromise<Bool>) in
            registry.expire("c2", since: Self.now + 1) { promise.completeWith($0) }
            registry.with("c2") { result in
                if case .failure(let error) = result { late.succeed(error.code) } else { late.succeed(nil) }
            }
        }
        #expect(try await late.futureResult.get() == "consultations_unavailable")
        #expect(expired && stage.index.owner(of: "c2") == nil)
        #expect(try await stage.store.summary(of: "c2") == nil)

        // Something happened in it since the list was made.
        let kept = try await stage.result { (registry, promise: EventLoopPromise<Bool>) in
            registry.expire("c3", since: Self.now) { promise.completeWith($0) }
        }
        #expect(!kept)
        let code = try await stage.result { (registry, promise: EventLoopPromise<String?>) in
            registry.with("c3") { result in
                if case .failure(let error) = result { promise.succeed(error.code) } else { promise.succeed(nil) }
            }
        }
        #expect(code == nil)
        try stage.store.close()
    }

    @Test("What a stopped run of the model still says does not reach another run for an answer of the same id")
    func lateWords() async throws {
        let stage = try await RegistryStage()
        _ = try await stage.keep("c1", [Self.opened, .userMessage(id: "m1", text: "hello")], at: Self.now)
        try await stage.result { (registry, promise: EventLoopPromise<Void>) in
            registry.with("c1") { promise.completeWith($0.map { _ in }.mapError { $0 as any Error }) }
        }
        let answer = try await stage.model.request(1).answer
        let run = try await stage.turn { registry in
            let run = registry.lastRun
            registry.handle([
                .model(.text("late "), run: run - 1, answer: answer, conversation: "c1"),
                .model(nil, run: run - 1, answer: answer, conversation: "c1"),
            ])
            return run
        }
        #expect(try await stage.turn { $0.answers[answer]?.run == run && $0.answersOf[UserKey("anna")] == 1 })
        let text = try await stage.turn { registry in
            registry.handle([
                .model(.text("new"), run: run, answer: answer, conversation: "c1"),
                .model(.end(ModelUsage()), run: run, answer: answer, conversation: "c1"),
            ])
            return registry.conversations["c1"]?.machine.transcript.message(answer)
        }
        #expect(text?.text == "new" && text?.end == .completed)
        // Its own end frees its place.
        try await stage.turn { $0.handle([.model(nil, run: run, answer: answer, conversation: "c1")]) }
        #expect(try await stage.turn { $0.answers.isEmpty && $0.answersOf.isEmpty })
        try stage.store.close()
    }
}
