import Foundation

/// One request at a time, and at most one in each interval.
actor RateLimiter {
    private let interval: Duration
    private var last: Task<Void, Never>?

    init(minimumInterval: Duration = .seconds(1)) { interval = minimumInterval }

    func run<Answer: Sendable>(_ request: @escaping @Sendable () async throws -> Answer) async throws -> Answer {
        let previous = last
        let task = Task {
            await previous?.value
            return try await request()
        }
        last = Task { [interval] in
            await previous?.value
            try? await Task.sleep(for: interval)
            _ = await task.result
        }
        return try await task.value
    }
}
