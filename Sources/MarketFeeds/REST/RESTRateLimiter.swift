public import StreamCore
import WebSocketTransport

/// Lets requests to one server out one after another, no faster than the server allows.
///
/// ```swift
/// let limiter = RESTRateLimiter()                        // one request a second
/// try await limiter.acquire()
/// let (data, response) = try await session.data(for: request)
/// await limiter.answered(status: response.statusCode, retryAfter: response.value(forHTTPHeaderField: "Retry-After"))
/// ```
///
/// Requests go in the order they came. A 429 or 503 pauses all of them for as long as `Retry-After` says. Waiting blocks no thread;
/// a task that is cancelled while it waits leaves the queue at once, and those behind it wait no longer for that.
public actor RESTRateLimiter {
    private struct Waiter {
        var number: Int
        var continuation: CheckedContinuation<Void, any Error>
    }

    private var pacer: RequestPacer
    private var waiters: [Waiter] = []
    private var lastNumber = 0
    private var timer: Task<Void, Never>?
    /// What the timer waits for, seconds by `now`.
    private var timerAt = Double.infinity
    private let now: @Sendable () -> Double
    private let sleep: @Sendable (_ until: Double) async throws -> Void
    private let wallClock: @Sendable () -> Double

    /// - Parameters:
    ///   - clock: what is waited by; a clock of a test's own makes a minute pass in no time.
    ///   - wallClock: seconds since 1970, for a `Retry-After` that is a date.
    public init<C: Clock<Duration>>(
        _ configuration: RequestPacer.Configuration = .init(), clock: C = ContinuousClock(),
        wallClock: @escaping @Sendable () -> Double = systemTime
    ) {
        let start = clock.now
        now = { start.duration(to: clock.now) / .seconds(1) }
        sleep = { try await clock.sleep(until: start.advanced(by: .seconds($0)), tolerance: nil) }
        self.wallClock = wallClock
        pacer = RequestPacer(configuration, now: 0)
    }

    deinit { timer?.cancel() }

    /// Waits for the permission to send one request.
    /// - Throws: `CancellationError`, and then no request is counted.
    public func acquire() async throws {
        try Task.checkCancellation()
        if waiters.isEmpty, pacer.acquire(now: now()) { return }
        lastNumber += 1
        let number = lastNumber
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                // From here to the append no other task is on the actor: a cancellation after this look finds the waiter.
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                waiters.append(Waiter(number: number, continuation: continuation))
                setTimer()
            }
        } onCancel: {
            Task { await self.leave(number) }
        }
    }

    /// What came back, to any of the requests.
    /// - Parameters:
    ///   - retryAfter: the header as it came, seconds or a date.
    ///   - date: the header `Date` as it came.
    public func answered(status: Int, retryAfter: String? = nil, date: String? = nil) {
        let seconds = retryAfter.flatMap { RetryAfter.seconds($0, date: date, wallClock: wallClock()) }
        pacer.answered(status: status, retryAfter: seconds, now: now())
    }

    /// Seconds until a new request would go out, if none that waits is cancelled. 0: at once.
    public var delay: Double {
        let interval = max(pacer.configuration.minimumInterval, 1 / pacer.configuration.rate)
        return max(0, pacer.nextAvailable - now()) + Double(waiters.count) * interval
    }

    /// Callers that wait.
    public var waiting: Int { waiters.count }

    private func leave(_ number: Int) {
        guard let index = waiters.firstIndex(where: { $0.number == number }) else { return }
        waiters.remove(at: index).continuation.resume(throwing: CancellationError())
    }

    /// One timer for all who wait, for the first of them.
    private func setTimer() {
        let wanted = pacer.nextAvailable
        guard !waiters.isEmpty, wanted < timerAt, wanted.isFinite else { return }
        timer?.cancel()
        timerAt = wanted
        timer = Task { [weak self, sleep] in
            guard (try? await sleep(wanted)) != nil else { return }
            await self?.timerFired(wanted)
        }
    }

    private func timerFired(_ time: Double) {
        // One that was replaced may have fired meanwhile.
        guard time == timerAt else { return }
        timerAt = .infinity
        timer = nil
        // The clock's resolution may be coarser than the time that was requested.
        let now = max(now(), time)
        while !waiters.isEmpty, pacer.acquire(now: now) { waiters.removeFirst().continuation.resume() }
        setTimer()
    }
}

/// Seconds since 1970 UTC by the system's clock.
@Sendable public func systemTime() -> Double { wallClock() }
