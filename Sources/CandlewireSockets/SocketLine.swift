import Foundation
import NIOCore
import NIOHTTP1
import StreamCore
import Synchronization
import WebSocketTransport

/// One connection of a `WebSocket`, from `connect` to the one event that ends it. What it knows is confined to its
/// event loop. It does not keep its owner alive.
final class SocketLine: Sendable {
    /// Why the application ends it.
    enum RequestedEnd: Equatable {
        case close(UInt16)
        case terminate
        /// There is no receiver any more.
        case abandon
    }

    enum Frame: Sendable {
        case text([UInt8])
        case binary([UInt8])
        case ping([UInt8])
        case pong([UInt8])
    }

    private struct State {
        weak var owner: WebSocket?
        /// The connection while it is made.
        var channel: (any Channel)?
        var handler: WebSocketHandler?
        var requested: RequestedEnd?
        var isOver = false
    }

    /// Above this many bytes in events that the queue has not handled, reading stops; it goes on below half of it.
    static let highMark = 256 << 10

    private let eventLoop: any EventLoop
    private let state: NIOLoopBoundBox<State>
    private let unhandled = Atomic(0)
    private let isPaused = Atomic(false)

    init(owner: WebSocket) {
        eventLoop = WebSocketConnector.defaultGroup.any()
        state = .makeBoxSendingValue(State(owner: owner), eventLoop: eventLoop)
    }

    // MARK: From the application, on any thread

    func open(_ request: SocketRequest) {
        eventLoop.execute {
            guard !self.state.value.isOver else { return }
            let dial = Dial<Void>(
                headers: request.headers, subprotocols: request.subprotocols, tls: request.tls,
                configuration: request.configuration, timeout: request.timeout
            ) { handler, answer in
                handler.answersPings = request.answersPings
                self.opened(handler, headers: answer.headers)
            }
            dial.run(request.url, on: self.eventLoop) { channel in
                self.state.value.channel = channel
                if self.state.value.isOver { channel.close(promise: nil) }
            }.whenFailure { error in
                self.over([.error(translated(error))])
            }
        }
    }

    func end(_ requested: RequestedEnd) {
        eventLoop.execute {
            // Only that overrules a close handshake that is under way.
            guard !self.state.value.isOver, self.state.value.requested == nil || requested == .terminate else { return }
            self.state.value.requested = requested
            switch (requested, self.state.value.handler) {
            case (.close(let code), let handler?): handler.close(WebSocketCloseCode(rawValue: code))
            case (.abandon, let handler?): handler.close(.goingAway)
            case (.terminate, let handler?): handler.terminate()
            case (_, nil):
                let channel = self.state.value.channel
                self.over([.cancelled])
                channel?.close(promise: nil)
            }
        }
    }

    /// - Parameter done: called when the socket accepted the bytes, or will not.
    func write(_ frame: Frame, _ done: (@Sendable () -> Void)?) {
        eventLoop.execute {
            guard let handler = self.state.value.handler, handler.isOpen else {
                done?()
                return
            }
            let promise = done.map { done in
                let promise = self.eventLoop.makePromise(of: Void.self)
                promise.futureResult.whenComplete { _ in done() }
                return promise
            }
            switch frame {
            case .text(let bytes) where String(validating: bytes, as: UTF8.self) != nil:
                bytes.withUnsafeBytes { _ = handler.send(.text, $0, promise: promise) }
            case .binary(let bytes): bytes.withUnsafeBytes { _ = handler.send(.binary, $0, promise: promise) }
            case .ping(let bytes) where bytes.count <= 125:
                handler.ping(bytes)
                promise?.succeed(())
            case .pong(let bytes) where bytes.count <= 125:
                handler.pong(bytes)
                promise?.succeed(())
            case .text, .ping, .pong: promise?.succeed(())
            }
        }
    }

    // MARK: From the transport, on the event loop

    private func opened(_ handler: WebSocketHandler, headers: HTTPHeaders) {
        guard !state.value.isOver else { return handler.terminate() }
        state.value.channel = nil
        state.value.handler = handler
        handler.delegate = WebSocketCallbacks(
            onText: { self.received(.text(String(decoding: $0, as: UTF8.self)), byteCount: $0.count, on: $1) },
            onBinary: { self.received(.binary(Data($0)), byteCount: $0.count, on: $1) },
            onPing: { self.received(.ping(Data($0)), byteCount: $0.count, on: $1) },
            onPong: { self.received(.pong(Data($0)), byteCount: $0.count, on: $1) },
            onClose: { self.closed($0, reason: $1) })
        notify([.viabilityChanged(true), .connected(dictionary(headers))], weight: 0)
    }

    private func received(_ event: WebSocketEvent, byteCount: Int, on handler: WebSocketHandler) {
        let weight = byteCount + 64
        let waiting = unhandled.add(weight, ordering: .sequentiallyConsistent).newValue
        if waiting > Self.highMark, !isPaused.exchange(true, ordering: .sequentiallyConsistent) {
            handler.pauseReading()
        }
        notify([event], weight: weight)
        // The queue may have drained before the pause was noted; then nothing else would end it.
        if isPaused.load(ordering: .sequentiallyConsistent) { resumeIfDrained() }
    }

    private func notify(_ events: [WebSocketEvent], weight: Int) {
        state.value.owner?.notify(events, of: self) {
            guard weight > 0 else { return }
            self.unhandled.subtract(weight, ordering: .sequentiallyConsistent)
            if self.isPaused.load(ordering: .sequentiallyConsistent) {
                self.eventLoop.execute { self.resumeIfDrained() }
            }
        }
    }

    private func resumeIfDrained() {
        guard unhandled.load(ordering: .sequentiallyConsistent) <= Self.highMark / 2,
            isPaused.exchange(false, ordering: .sequentiallyConsistent)
        else { return }
        state.value.handler?.resumeReading()
    }

    private func closed(_ code: WebSocketCloseCode, reason: String) {
        switch (state.value.requested, state.value.handler?.ending) {
        case (.terminate, _), (.abandon, _), (nil, .terminated): over([.cancelled])
        case (.close(let wanted), .closed):
            over([.disconnected(reason, code == .noStatus ? wanted : code.rawValue)])
        case (.close(let wanted), _): over([.disconnected("", wanted)])
        case (nil, .closed), (nil, nil): over([.disconnected(reason, code.rawValue)])
        case (nil, .violation): over([.error(WSError(type: .protocolError, message: reason, code: code.rawValue))])
        case (nil, .endOfStream):
            over(lost("the server ended the connection without a close frame", code))
        case (nil, .unanswered), (nil, .failed): over(lost(reason, code))
        }
    }

    private func lost(_ reason: String, _ code: WebSocketCloseCode) -> [WebSocketEvent] {
        [.viabilityChanged(false), .error(WSError(type: .serverError, message: reason, code: code.rawValue))]
    }

    private func over(_ events: [WebSocketEvent]) {
        guard !state.value.isOver else { return }
        state.value.isOver = true
        state.value.handler = nil
        state.value.channel = nil
        state.value.owner?.notify(events, of: self, isLast: true)
    }
}
