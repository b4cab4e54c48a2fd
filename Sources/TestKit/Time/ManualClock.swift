import Synchronization

/// A clock whose time stands still until it is moved by hand.
///
/// It is a Swift `Clock`, so `Task.sleep(until:clock:)` and everything generic over clocks works with it; and it calls
/// closures at their time, for code that is not a task. Wake-ups come in the order of their times, those of the same time
/// in the order they were requested, and `now` is the wake-up's own time while it runs.
///
/// ```swift
/// let clock = ManualClock()
/// let task = Task { try await clock.sleep(for: .seconds(60)); return "late" }
/// await clock.waitForSleepers(1)          // the task has got as far as its sleep
/// clock.advance(by: .seconds(60))
/// #expect(try await task.value == "late")
/// ```
public final class ManualClock: Clock, Sendable {
    /// A point of its time. The first one is `seconds == 0` unless the clock was created otherwise.
    public struct Instant: InstantProtocol, CustomStringConvertible {
        public var sinceZero: Duration

        public init(_ sinceZero: Duration) { self.sinceZero = sinceZero }

        /// The time as the machines of the ground floors get it.
        public var seconds: Double {
            let parts = sinceZero.components
            return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
        }

        public func advanced(by duration: Duration) -> Instant { Instant(sinceZero + duration) }
        public func duration(to other: Instant) -> Duration { other.sinceZero - sinceZero }
        public static func < (a: Instant, b: Instant) -> Bool { a.sinceZero < b.sinceZero }
        public var description: String { "\(seconds) s" }
    }

    /// A requested wake-up, to be cancelled.
    public struct WakeUp: Hashable, Sendable {
        fileprivate let number: Int
    }

    private enum Waiter: Sendable {
        case call(@Sendable () -> Void)
        case sleeper(CheckedContinuation<Void, any Error>)
    }

    private struct Entry: Sendable {
        var number: Int
        var time: Instant
        var waiter: Waiter
    }

    private struct State {
        var now: Instant
        var count = 0
        /// In the order they are due.
        var entries: [Entry] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        mutating func insert(_ time: Instant, number: Int, _ waiter: Waiter) {
            let index = entries.firstIndex { $0.time > time } ?? entries.endIndex
            entries.insert(Entry(number: number, time: time, waiter: waiter), at: index)
        }

        var sleepers: Int { entries.count { if case .sleeper = $0.waiter { true } else { false } } }

        mutating func removeSatisfiedWatchers() -> [CheckedContinuation<Void, Never>] {
            let sleepers = sleepers
            let satisfied = watchers.filter { $0.count <= sleepers }
            watchers.removeAll { $0.count <= sleepers }
            return satisfied.map(\.continuation)
        }
    }

    private let state: Mutex<State>

    /// - Parameter seconds: where its time begins, for machines that expect seconds since 1970.
    public init(startingAt seconds: Double = 0) { state = Mutex(State(now: Instant(.seconds(seconds)))) }

    public var now: Instant { state.withLock { $0.now } }
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// `now` in seconds.
    public var seconds: Double { now.seconds }

    /// How many wake-ups are to come, those of sleeping tasks included.
    public var pending: Int { state.withLock { $0.entries.count } }

    /// When the next wake-up is due.
    public var nextWakeUp: Instant? { state.withLock { $0.entries.first?.time } }

    // MARK: Scheduling

    /// Calls `body` when the clock gets to `time`: inside the call that moves it there, on that caller's thread.
    @discardableResult public func schedule(at time: Instant, _ body: @escaping @Sendable () -> Void) -> WakeUp {
        state.withLock { state in
            state.count += 1
            state.insert(max(time, state.now), number: state.count, .call(body))
            return WakeUp(number: state.count)
        }
    }

    /// Calls `body` after `duration`.
    @discardableResult
    public func schedule(after duration: Duration, _ body: @escaping @Sendable () -> Void) -> WakeUp {
        schedule(at: now.advanced(by: duration), body)
    }

    /// Cancels a wake-up; one that came already is left alone.
    public func cancel(_ wakeUp: WakeUp) {
        state.withLock { state in state.entries.removeAll { $0.number == wakeUp.number } }
    }

    /// Sleeps until the clock is moved to `deadline` or beyond. Throws `CancellationError` where the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                enum Step { case cancelled, due, waits([CheckedContinuation<Void, Never>]) }
                let step = state.withLock { state -> Step in
                    // Looked at under the lock: a cancellation from here on finds the entry.
                    if Task.isCancelled { return .cancelled }
                    guard deadline > state.now else { return .due }
                    state.insert(deadline, number: number, .sleeper(continuation))
                    return .waits(state.removeSatisfiedWatchers())
                }
                switch step {
                case .cancelled: continuation.resume(throwing: CancellationError())
                case .due: continuation.resume()
                case .waits(let watchers): for watcher in watchers { watcher.resume() }
                }
            }
        } onCancel: {
            let entry = state.withLock { state in
                state.entries.firstIndex { $0.number == number }.map { state.entries.remove(at: $0) }
            }
            if case .sleeper(let continuation)? = entry?.waiter { continuation.resume(throwing: CancellationError()) }
        }
    }

    /// Returns once at least `count` tasks sleep on this clock: only then does moving it mean something to them.
    public func waitForSleepers(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.sleepers >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    // MARK: Moving it

    /// Moves the time, and wakes everything that is due on the way, also what was requested only during the move.
    /// Woken tasks go on in their own time; the closures have run when this returns.
    public func advance(by duration: Duration) {
        precondition(duration >= .zero, "time does not go back")
        advance(to: now.advanced(by: duration))
    }

    /// Moves the time to `time`; see `advance(by:)`.
    public func advance(to time: Instant) { while wakeNext(until: time) {} }

    /// Moves the time to the next wake-up and does what is due then.
    /// - Returns: false, and nothing moved, where no task waits.
    @discardableResult public func advanceToNextWakeUp() -> Bool {
        guard let next = nextWakeUp else { return false }
        advance(to: next)
        return true
    }

    /// Does what is due next, or moves the time where nothing is due any more: both under one lock, or a sleep that
    /// begins in between would be due and never woken.
    /// - Returns: whether something was due.
    private func wakeNext(until time: Instant) -> Bool {
        let entry = state.withLock { state -> Entry? in
            guard let first = state.entries.first, first.time <= time else {
                state.now = max(state.now, time)
                return nil
            }
            state.now = max(state.now, first.time)
            return state.entries.removeFirst()
        }
        switch entry?.waiter {
        case .call(let body): body()
        case .sleeper(let continuation): continuation.resume()
        case nil: return false
        }
        return true
    }
}
