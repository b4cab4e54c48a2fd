import Foundation
import Synchronization
import Testing

@testable import CandlewireServer

@Suite("The lanes of charts that are drawn")
struct RenderLaneTests {
    /// A job that runs until it is released.
    private struct HeldJob {
        private let gate = DispatchSemaphore(value: 0)
        private let task: Task<Int, any Error>

        /// Returns when the job runs.
        init(in lane: RenderLane) async {
            let (started, start) = AsyncStream.makeStream(of: Void.self)
            task = Task { [gate] in
                try await lane.run { _ in
                    start.finish()
                    gate.wait()
                    return 1
                }
            }
            for await _ in started {}
        }

        func release() async throws -> Int {
            gate.signal()
            return try await task.value
        }
    }

    private final class Runs: Sendable {
        let count = Atomic(0)
    }

    @Test("a lane refuses more jobs than it has room for, and has room again afterwards")
    func room() async throws {
        let lane = RenderLane("test", maxJobs: 1)
        let held = await HeldJob(in: lane)
        let error = await #expect(throws: APIError.self) { try await lane.run { _ in 2 } }
        #expect(error?.statusCode == 503 && error?.code == "busy" && error?.retryAfter == 1)
        #expect(try await held.release() == 1)
        #expect(try await lane.run { _ in 3 } == 3)
    }

    @Test("a job in one lane does not wait for another lane's")
    func lanes() async throws {
        let held = await HeldJob(in: RenderLane("large", maxJobs: 1))
        #expect(try await RenderLane("small", maxJobs: 1).run { _ in 2 } == 2)
        #expect(try await held.release() == 1)
    }

    @Test("a job that was cancelled while it waited never runs, and makes room")
    func cancelledWhileWaiting() async throws {
        let lane = RenderLane("test", maxJobs: 2)
        let held = await HeldJob(in: lane)
        let runs = Runs()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await #expect(throws: CancellationError.self) {
                    try await lane.run { _ in _ = runs.count.add(1, ordering: .relaxed) }
                }
            }
            group.cancelAll()
            _ = try? await held.release()
        }
        #expect(runs.count.load(ordering: .relaxed) == 0)
        #expect(try await lane.run { _ in 3 } == 3)
    }

    @Test("a job that runs sees that it was cancelled")
    func cancelledWhileRunning() async throws {
        let lane = RenderLane("test", maxJobs: 1)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await lane.run { isCancelled in
                start.finish()
                while !isCancelled() { sched_yield() }
                return "stopped"
            }
        }
        for await _ in started {}
        task.cancel()
        #expect(try await task.value == "stopped")
    }
}
