import HTTPTypes
import NIOCore
import Synchronization

/// When the client of a request closes its connection, or its own half of it: nobody waits for the answer any more.
///
/// Half a connection counts as all of it, as with other servers (nginx logs 499): a client that closes its half cannot be told
/// from one that has gone.
final class ConnectionEnd: Sendable {
    /// That of the connection on which the task's request came; `nil` outside of requests.
    @TaskLocal static var current: ConnectionEnd?

    private struct State {
        var hasEnded = false
        /// A connection answers one request at a time.
        var action: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Runs `work` in a task that is cancelled when the connection of the current request ends.
    /// - Throws: `APIError` 499, which only a log will show, where `work` ended with `CancellationError` for that reason; otherwise
    ///   what `work` throws.
    static func cancelling<R: Sendable>(_ work: @escaping @Sendable () async throws -> R) async throws -> R {
        guard let end = current else { return try await work() }
        let task = Task { try await work() }
        end.observe { task.cancel() }
        defer { end.state.withLock { $0.action = nil } }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch is CancellationError where end.state.withLock({ $0.hasEnded }) {
            throw APIError(
                .init(code: 499, reasonPhrase: "Client Closed Request"), "client_closed",
                "The connection was closed before the answer was finished.")
        }
    }

    private func observe(_ action: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            state.action = action
            return state.hasEnded
        }
        if hasEnded { action() }
    }

    private func end() {
        let action = state.withLock { state in
            state.hasEnded = true
            return state.action
        }
        action?()
    }

    /// Sees the end first: HTTP's own handlers hold it back until the answer was sent.
    final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let end: ConnectionEnd

        init(_ end: ConnectionEnd) { self.end = end }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if let event = event as? ChannelEvent, event == .inputClosed { end.end() }
            context.fireUserInboundEventTriggered(event)
        }

        func channelInactive(context: ChannelHandlerContext) {
            end.end()
            context.fireChannelInactive()
        }
    }
}
