import NIOConcurrencyHelpers

/// Between the event loop, which delivers in batches, and the one task that reads the events: holds one batch. The next
/// batch is made only when the task requests more, of what is then the latest: what waits meanwhile is merged or
/// bounded by the observer, and this stays small whatever the task does.
final class Mailbox<Event: Sendable>: Sendable {
    private struct State {
        var batch: [Event] = []
        var head = 0
        var waiter: CheckedContinuation<Event?, Never>?
        var isFinished = false

        mutating func popFirst() -> Event? {
            guard head < batch.count else { return nil }
            defer { head += 1 }
            return batch[head]
        }
    }

    private let state = NIOLockedValueBox(State())

    /// Only after the task requested more.
    func put(_ batch: [Event]) {
        let resumption = state.withLockedValue { state -> (CheckedContinuation<Event?, Never>, Event)? in
            if state.head == state.batch.count {
                state.batch = batch
                state.head = 0
            } else {
                // A task that was cancelled while it waited may have left some.
                state.batch.append(contentsOf: batch)
            }
            guard let waiter = state.waiter, let event = state.popFirst() else { return nil }
            state.waiter = nil
            return (waiter, event)
        }
        if let (waiter, event) = resumption { waiter.resume(returning: event) }
    }

    /// What is in it can still be read; then the end.
    func finish() {
        let waiter = state.withLockedValue { state in
            state.isFinished = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: nil)
    }

    /// The next event; nil at the end, and where the task is cancelled.
    /// - Parameter requestMore: called where there is none; leads to `put`.
    func next(requestMore: @Sendable () -> Void) async -> Event? {
        let (event, isFinished) = state.withLockedValue { ($0.popFirst(), $0.isFinished) }
        if let event { return event }
        guard !isFinished else { return nil }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (event, waits) = state.withLockedValue { state -> (Event?, Bool) in
                    if let event = state.popFirst() { return (event, false) }
                    // A second task at the same sequence gets its end: there is one consumer.
                    guard !state.isFinished, !Task.isCancelled, state.waiter == nil else { return (nil, false) }
                    state.waiter = continuation
                    return (nil, true)
                }
                if waits { requestMore() } else { continuation.resume(returning: event) }
            }
        } onCancel: {
            state.withLockedValue { state in
                defer { state.waiter = nil }
                return state.waiter
            }?.resume(returning: nil)
        }
    }
}
