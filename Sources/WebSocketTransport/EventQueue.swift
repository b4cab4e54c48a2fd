import NIOConcurrencyHelpers

/// Events for one consumer, each once and in order. It and its iterators keep what they come from: a connection, a
/// subscription.
public struct SocketEvents<Element: Sendable>: AsyncSequence, Sendable {
    let read: @Sendable () async -> Element?

    public func makeAsyncIterator() -> Iterator { Iterator(read: read) }

    public struct Iterator: AsyncIteratorProtocol {
        let read: @Sendable () async -> Element?

        public mutating func next() async -> Element? { await read() }
    }
}

/// Between a connection's event loop and the task that consumes its events: bounded in bytes, one consumer. The lock is
/// held for a few instructions. What a state change requires (resuming a task, reading again) is done after it is
/// released.
final class EventQueue: Sendable {
    /// Above this many bytes the connection stops reading, and goes on below half of it. One read of the socket and one
    /// message may come on top.
    static let highMark = 256 << 10

    private struct State {
        var events: [WebSocketConnectionEvent] = []
        /// Events before this index are consumed; they are dropped together.
        var head = 0
        var bytes = 0
        var isPaused = false
        var isFinished = false
        var waiter: CheckedContinuation<WebSocketConnectionEvent?, Never>?
    }

    private let state = NIOLockedValueBox(State())
    private let onDrained: @Sendable () -> Void

    /// - Parameter onDrained: called from the consumer's task when reading may go on.
    init(onDrained: @escaping @Sendable () -> Void) { self.onDrained = onDrained }

    /// - Returns: whether the connection should stop reading.
    func push(_ event: WebSocketConnectionEvent, isLast: Bool = false) -> Bool {
        let (waiter, shouldPause) = state.withLockedValue {
            state -> (CheckedContinuation<WebSocketConnectionEvent?, Never>?, Bool) in
            guard !state.isFinished else { return (nil, false) }
            state.isFinished = isLast
            if let waiter = state.waiter {
                state.waiter = nil
                return (waiter, false)
            }
            state.events.append(event)
            state.bytes += event.weight
            if state.bytes > Self.highMark, !isLast { state.isPaused = true }
            return (nil, state.isPaused)
        }
        waiter?.resume(returning: event)
        return shouldPause
    }

    func next() async -> WebSocketConnectionEvent? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (event, isDone, isDrained) = state.withLockedValue {
                    state -> (WebSocketConnectionEvent?, Bool, Bool) in
                    // A cancelled task gets the end of the sequence, or a busy connection would keep it for ever.
                    guard !Task.isCancelled else { return (nil, true, false) }
                    if state.head < state.events.count { return Self.popFirst(from: &state) }
                    // So does a second consumer, which there must not be.
                    guard !state.isFinished, state.waiter == nil else { return (nil, true, false) }
                    state.waiter = continuation
                    return (nil, false, false)
                }
                if event != nil || isDone { continuation.resume(returning: event) }
                if isDrained { onDrained() }
            }
        } onCancel: {
            state.withLockedValue { state in
                defer { state.waiter = nil }
                return state.waiter
            }?.resume(returning: nil)
        }
    }

    private static func popFirst(from state: inout State) -> (WebSocketConnectionEvent?, Bool, Bool) {
        let event = state.events[state.head]
        state.events[state.head] = .connected(subprotocol: nil)
        state.head += 1
        if state.head == state.events.count {
            state.events.removeAll(keepingCapacity: true)
            state.head = 0
        } else if state.head >= 1024 {
            state.events.removeSubrange(0..<state.head)
            state.head = 0
        }
        state.bytes -= event.weight
        guard state.isPaused, state.bytes <= highMark / 2 else { return (event, false, false) }
        state.isPaused = false
        return (event, false, true)
    }
}
