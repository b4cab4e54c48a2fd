import NIOConcurrencyHelpers
import StreamCore

/// Between the event loop, which delivers in batches, and the one task that takes the events: holds one batch.
///
/// The next batch is made only when the task asks for more, of what is then the latest: what waits meanwhile is merged
/// by the observer's `ViewConflator`, and this stays small whatever the task does.
final class StreamMailbox: Sendable {
    private struct State {
        var batch: [StreamEvent] = []
        var head = 0
        var waiter: CheckedContinuation<StreamEvent?, Never>?
        var isFinished = false

        mutating func take() -> StreamEvent? {
            guard head < batch.count else { return nil }
            defer { head += 1 }
            return batch[head]
        }
    }

    private let state = NIOLockedValueBox(State())

    /// Only after the task asked for more.
    func put(_ batch: [StreamEvent]) {
        let resumption = state.withLockedValue { state -> (CheckedContinuation<StreamEvent?, Never>, StreamEvent)? in
            if state.head == state.batch.count {
                state.batch = batch
                state.head = 0
            } else {
                // A task that was cancelled while it waited may have left some.
                state.batch.append(contentsOf: batch)
            }
            guard let waiter = state.waiter, let event = state.take() else { return nil }
            state.waiter = nil
            return (waiter, event)
        }
        if let (waiter, event) = resumption { waiter.resume(returning: event) }
    }

    /// What is in it can still be taken; then the end.
    func finish() {
        let waiter = state.withLockedValue { state in
            state.isFinished = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: nil)
    }

    /// The next event; nil at the end, and where the task is cancelled.
    /// - Parameter askForMore: called where there is none; leads to `put`.
    func next(askForMore: @Sendable () -> Void) async -> StreamEvent? {
        let (event, isFinished) = state.withLockedValue { ($0.take(), $0.isFinished) }
        if let event { return event }
        guard !isFinished else { return nil }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (event, waits) = state.withLockedValue { state -> (StreamEvent?, Bool) in
                    if let event = state.take() { return (event, false) }
                    // A second task at the same sequence gets its end: there is one consumer.
                    guard !state.isFinished, !Task.isCancelled, state.waiter == nil else { return (nil, false) }
                    state.waiter = continuation
                    return (nil, true)
                }
                if waits { askForMore() } else { continuation.resume(returning: event) }
            }
        } onCancel: {
            state.withLockedValue { state in
                defer { state.waiter = nil }
                return state.waiter
            }?.resume(returning: nil)
        }
    }
}
