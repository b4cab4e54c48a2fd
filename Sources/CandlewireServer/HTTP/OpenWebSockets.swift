import NIOCore
import Synchronization

/// The WebSockets that are open, and one task that stays for all of them.
///
/// Hummingbird gives each connection a task, and waits for all tasks when the server stops. A WebSocket lives on its event
/// loop and has nothing to do in a task; a task that only waits for the end costs over a kilobyte a connection. So the
/// first one that comes waits for all, and the others may go.
final class OpenWebSockets: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var hasKeeper = false
        var keeper: CheckedContinuation<Void, Never>?
        /// The keeper was cancelled: the server's time is over.
        var isOver = false
    }

    private let state = Mutex(State())

    /// Counts a connection in until it closes. Returns at once, or, in one task, when no connection is left. Where that
    /// task is cancelled, all connections are closed.
    func stay(_ channel: any Channel) async {
        let id = ObjectIdentifier(channel)
        let (isKeeper, isOver) = state.withLock { state in
            state.channels[id] = channel
            defer { state.hasKeeper = true }
            return (!state.hasKeeper, state.isOver)
        }
        // After it was counted in: the channel may be closed by now.
        channel.closeFuture.whenComplete { [self] _ in leave(id) }
        if isOver { channel.close(promise: nil) }
        guard isKeeper else { return }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    guard state.channels.isEmpty else {
                        state.keeper = continuation
                        return false
                    }
                    state.hasKeeper = false
                    return true
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            let channels = state.withLock { state in
                state.isOver = true
                return Array(state.channels.values)
            }
            for channel in channels { channel.close(promise: nil) }
        }
    }

    private func leave(_ id: ObjectIdentifier) {
        let keeper = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.channels[id] = nil
            guard state.channels.isEmpty, let keeper = state.keeper else { return nil }
            state.keeper = nil
            state.hasKeeper = false
            return keeper
        }
        keeper?.resume()
    }
}
