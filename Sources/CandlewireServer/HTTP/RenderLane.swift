import Dispatch
import HTTPTypes
import Synchronization

/// Runs jobs one after the other, in the order they came, on a thread of its own: a picture needs a core for up to a
/// second, and the threads that answer requests are as few as the processors.
struct RenderLane: Sendable {
    /// How many jobs may wait or run; more are refused and may retry.
    let maxJobs: Int
    private let name: String
    private let counts: RequestCounts
    private let queue: DispatchQueue
    private let jobs = Count()

    private final class Count: Sendable {
        let value = Atomic(0)
    }

    /// Whether those who wait for a job are gone.
    private final class Cancellation: Sendable {
        private let flag = Atomic(false)

        var isCancelled: Bool { flag.load(ordering: .relaxed) }
        func cancel() { flag.store(true, ordering: .relaxed) }
    }

    init(_ name: String, maxJobs: Int, counts: RequestCounts = RequestCounts()) {
        self.maxJobs = maxJobs
        self.name = name
        self.counts = counts
        queue = DispatchQueue(label: "candlewire.pictures.\(name)", qos: .utility)
    }

    /// - Parameter work: gets a function that says whether the task was cancelled; it should return early then.
    /// - Throws: `APIError` 503 where too many wait, `CancellationError` where the task was cancelled, and what `work`
    ///   throws.
    func run<R: Sendable>(_ work: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> R)
        async throws -> R
    {
        // What was cancelled counts until its turn, when it ends at once: it holds its memory as long.
        guard jobs.value.add(1, ordering: .relaxed).newValue <= maxJobs else {
            jobs.value.subtract(1, ordering: .relaxed)
            counts.pictureRefused(in: name)
            throw APIError(
                .serviceUnavailable, "busy", "Too many charts are being drawn; try again in a second.", retryAfter: 1)
        }
        counts.pictureWaits(in: name, 1)
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async {
                    let result = Result<R, any Error> {
                        if cancellation.isCancelled { throw CancellationError() }
                        let start = ContinuousClock.now
                        defer { counts.pictureDrawn(in: name, seconds: start.duration(to: .now).inSeconds) }
                        return try work { cancellation.isCancelled }
                    }
                    counts.pictureWaits(in: name, -1)
                    jobs.value.subtract(1, ordering: .relaxed)
                    continuation.resume(with: result)
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}
