import Synchronization

/// The queue between the socket's thread and the one reader of a `FeedClient`. Bounded: while it is full new trades,
/// quotes and candles are discarded, and the reader gets their counts where they are missing. Events about the connection have as
/// much room again; beyond it the oldest go: the newest describe the present state.
final class FeedMailbox: Sendable {
    struct State {
        let capacity: Int
        var events: [FeedClientEvent] = []
        var head = 0
        var dropped = FeedDrops()
        var isFinished = false
        var waiter: (number: UInt64, continuation: CheckedContinuation<FeedClientEvent?, Never>)?
        var lastWaiter: UInt64 = 0

        init(capacity: Int) { self.capacity = max(1, capacity) }
        var count: Int { events.count - head }

        mutating func append(_ event: FeedClientEvent) {
            guard !isFinished else { return }
            if let drops = event.drops {
                if count >= capacity { return dropped += drops }
                if let hole = popDropped() { events.append(hole) }
            } else if count >= 2 * capacity {
                makeRoom()
            }
            events.append(event)
        }

        /// What was thrown away since the last time, to be said before what comes after the hole.
        private mutating func popDropped() -> FeedClientEvent? {
            guard dropped != FeedDrops() else { return nil }
            defer { dropped = FeedDrops() }
            return .dropped(dropped)
        }

        /// Discards the oldest event, and counts it where it is market data.
        private mutating func makeRoom() {
            if let drops = popFirst()?.drops { dropped += drops }
        }

        mutating func popFirst() -> FeedClientEvent? {
            guard head < events.count else { return popDropped() }
            let event = events[head]
            head += 1
            if head == events.count {
                events.removeAll(keepingCapacity: true)
                head = 0
            } else if head >= capacity {
                events.removeFirst(head)
                head = 0
            }
            return event
        }
    }

    private let state: Mutex<State>

    init(capacity: Int) { state = Mutex(State(capacity: capacity)) }

    /// All of one message, under one lock; then the reader is woken.
    func write(_ body: (inout State) -> Void) {
        let wake = state.withLock { state -> (CheckedContinuation<FeedClientEvent?, Never>, FeedClientEvent)? in
            body(&state)
            guard let waiter = state.waiter, let event = state.popFirst() else { return nil }
            state.waiter = nil
            return (waiter.continuation, event)
        }
        wake?.0.resume(returning: wake?.1)
    }

    func put(_ event: FeedClientEvent) { write { $0.append(event) } }

    /// What is in the queue is still read; then there is nothing more.
    func finish() {
        let waiter = state.withLock { state in
            state.isFinished = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.continuation.resume(returning: nil)
    }

    /// The next event; `nil` at the end, for a cancelled task, and for a second reader while another waits.
    func next() async -> FeedClientEvent? {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> FeedClientEvent?? in
                    if let event = state.popFirst() { return .some(event) }
                    if state.isFinished || state.waiter != nil || Task.isCancelled { return .some(nil) }
                    state.waiter = (number, continuation)
                    return .none
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                guard let waiter = state.waiter, waiter.number == number else {
                    return CheckedContinuation<FeedClientEvent?, Never>?.none
                }
                state.waiter = nil
                return waiter.continuation
            }
            waiter?.resume(returning: nil)
        }
    }
}
