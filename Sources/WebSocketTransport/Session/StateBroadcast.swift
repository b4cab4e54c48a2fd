import NIOConcurrencyHelpers
import StreamCore

/// A session's states for any number of listeners: each one gets the present state, and then every change once. States
/// change a few times a second at most, so a lock is no cost here.
final class StateBroadcast: Sendable {
    /// A listener that sleeps gets the newest this many.
    private static let limit = 256

    private struct State {
        var current = SessionState.idle
        var listeners: [Int: AsyncStream<SessionState>.Continuation] = [:]
        var nextListener = 0
        var isFinished = false
    }

    private let state = NIOLockedValueBox(State())

    var current: SessionState { state.withLockedValue { $0.current } }

    func send(_ new: SessionState) {
        state.withLockedValue { state in
            state.current = new
            for listener in state.listeners.values { listener.yield(new) }
        }
    }

    func listen() -> AsyncStream<SessionState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: SessionState.self, bufferingPolicy: .bufferingNewest(Self.limit))
        let (number, isFinished) = state.withLockedValue { state -> (Int, Bool) in
            continuation.yield(state.current)
            state.nextListener += 1
            if !state.isFinished { state.listeners[state.nextListener] = continuation }
            return (state.nextListener, state.isFinished)
        }
        if isFinished { continuation.finish() }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLockedValue { _ = $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    func finish() {
        let listeners = state.withLockedValue { state in
            state.isFinished = true
            defer { state.listeners.removeAll() }
            return state.listeners
        }
        // Outside the lock: finishing calls `onTermination`, which acquires it.
        for listener in listeners.values { listener.finish() }
    }
}
