import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Synchronization
import WebSocketTransport

/// HTTP/1.1 for Hummingbird and WebSockets for us on one port.
///
/// ```swift
/// Application(
///     responder: router.buildResponder(),
///     server: HTTPServerBuilder { responder in
///         WebSocketCapableHTTPChannel(responder: responder, upgrade: upgrade)
///     })
/// ```
/// The first request of a connection decides: a WebSocket stays on its event loop and never meets a task per message;
/// everything else goes on exactly as in Hummingbird's `HTTP1Channel`.
struct WebSocketCapableHTTPChannel: ServerChildChannel, HTTPChannelHandler {
    /// One accepted connection, before or after its first request.
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        let end: ConnectionEnd
        let outcome: EventLoopFuture<WebSocketServerUpgrade.Outcome<NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>>>
    }

    let responder: HTTPChannelHandler.Responder
    let upgrade: WebSocketServerUpgrade
    /// Encrypts all of it; `nil`: none.
    let tls: WebSocketServerTLS?
    let gate: ConnectionGate
    let limits: HTTPExchange.Limits
    private let webSockets = OpenWebSockets()

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let end = ConnectionEnd()
            guard let place = gate.enter(channel) else {
                channel.close(promise: nil)
                return Value(
                    channel: channel, end: end,
                    outcome: channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel))
            }
            let isSecure = tls != nil
            let (wire, peer) = (WireCounter(), IPAddress(channel.remoteAddress))
            let requests = RequestGuard(
                gate: gate, place: place, peer: peer, wire: wire, settings: .init(limits: limits, isSecure: isSecure))
            if gate.proxies.sendProxyHeader, gate.proxies.trusts(peer) {
                try channel.pipeline.syncOperations.addHandler(
                    ProxyHeaderHandler(logger: logger) { [weak requests] in requests?.useAddress($0) })
            }
            try tls?.install(on: channel)
            let guards = WebSocketServerUpgrade.Guards(bytes: wire, requests: requests)
            let outcome = try upgrade.configure(channel, guards: guards) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(ConnectionEnd.Handler(end), position: .first)
                    try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: isSecure))
                    try pipeline.addHandler(
                        HTTPConnectionStateHandler(idleTimeout: Duration(limits.idleTime), logger: logger))
                    return try NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: true))
                }
            }
            return Value(channel: channel, end: end, outcome: outcome)
        }
    }

    func handle(value: Value, logger: Logger) async {
        let channel = value.channel
        // Graceful shutdown reaches each connection as an event on its loop; this is for when its time is over.
        await withTaskCancellationHandler {
            do {
                switch try await value.outcome.get() {
                case .ordinary(let http):
                    await withTaskExecutorPreference(LoopExecutor(channel.eventLoop)) {
                        await ConnectionEnd.$current.withValue(value.end) {
                            await handleHTTP(asyncChannel: http, logger: logger)
                        }
                    }
                case .webSocket(let channel): await webSockets.stay(channel)
                case .refused(let channel): try await channel.closeFuture.get()
                }
            } catch {
                logger.trace("connection ended before its first request", metadata: ["error": "\(error)"])
                channel.close(promise: nil)
            }
        } onCancel: {
            channel.close(promise: nil)
        }
    }
}

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

/// Runs the task of a connection on the connection's event loop, so that a request changes threads only where something lives
/// elsewhere. The loop has readers of streams too: what computes for long leaves it (`RouteTable.on`).
final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
