public import Dispatch
public import Foundation
import WebSocketTransport

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A WebSocket with callbacks, under the names of Starscream 4: code written against those compiles with its import
/// changed. It runs on `WebSocketTransport`, on Linux as well.
///
/// ```swift
/// var request = URLRequest(url: URL(string: "wss://stream.example.com/")!)
/// request.timeoutInterval = 5
/// let socket = WebSocket(request: request)
/// socket.onEvent = { event in print(event) }
/// socket.connect()
/// ```
///
/// Methods may be called from any thread and act in order. Events come on `callbackQueue`, in order; which of
/// them come when is documented at `WebSocketEvent`. Messages that wait for the queue are held up to 256 KiB, then
/// reading stops and the server meets TCP's backpressure. Keep the object: when it is let go, the connection closes
/// with 1001 and no more events come.
///
/// What differs: no custom engines and transports, no cookie storage, no `Origin` unless you set it, redirects are
/// errors, and the peer is pinged, see `keepAlive`.
open class WebSocket: WebSocketClient, @unchecked Sendable {
    // Sendable: everything below is read and written under the lock.
    private struct State {
        weak var delegate: (any WebSocketDelegate)?
        var onEvent: ((WebSocketEvent) -> Void)?
        var request: URLRequest
        var callbackQueue = DispatchQueue.main
        var respondToPingWithPong = true
        var keepAlive: KeepAlive? = KeepAlive()
        /// From `connect` to the event that ends it.
        var line: SocketLine?
        /// The line is to end, at our request.
        var isEnding = false
        /// `connect` was called while the last connection was still closing.
        var connectsAgain = false
    }

    private let lock = NSLock()
    private var state: State
    private let tls: WebSocketTLS
    private let compression: WebSocketCompression?

    /// - Parameters:
    ///   - request: its URL (`ws`, `wss`, `http` or `https`), headers (`Sec-WebSocket-Protocol` offers subprotocols)
    ///     and `timeoutInterval`, which bounds connecting, TLS and handshake together.
    ///   - certPinner: nil checks against the system's trust roots, as `FoundationSecurity()` does.
    ///   - compressionHandler: nil offers no compression.
    ///   - useCustomEngine: without meaning here.
    public init(
        request: URLRequest, certPinner: (any CertificatePinning)? = FoundationSecurity(),
        compressionHandler: (any CompressionHandler)? = nil, useCustomEngine: Bool = true
    ) {
        state = State(request: request)
        tls = certPinner?.tls ?? .default
        compression = compressionHandler?.compression
    }

    /// A plain URL with subprotocols.
    public convenience init(url: URL, protocols: [String] = []) {
        var request = URLRequest(url: url)
        if !protocols.isEmpty {
            request.setValue(protocols.joined(separator: ", "), forHTTPHeaderField: "Sec-WebSocket-Protocol")
        }
        self.init(request: request)
    }

    deinit { state.line?.end(.abandon) }

    // MARK: Options

    public weak var delegate: (any WebSocketDelegate)? {
        get { locked { $0.delegate } }
        set { locked { $0.delegate = newValue } }
    }

    public var onEvent: ((WebSocketEvent) -> Void)? {
        get { locked { $0.onEvent } }
        set { locked { $0.onEvent = newValue } }
    }

    /// Read at the next `connect`.
    public var request: URLRequest {
        get { locked { $0.request } }
        set { locked { $0.request = newValue } }
    }

    /// Where events and completions are called: a serial queue, the main one unless changed. On Linux the main queue
    /// runs only where something drives it (`dispatchMain()`, `RunLoop.main.run()`).
    public var callbackQueue: DispatchQueue {
        get { locked { $0.callbackQueue } }
        set { locked { $0.callbackQueue = newValue } }
    }

    /// Read at the next `connect`.
    public var respondToPingWithPong: Bool {
        get { locked { $0.respondToPingWithPong } }
        set { locked { $0.respondToPingWithPong = newValue } }
    }

    /// How the loss of the network is noticed: a ping every 20 s, and 10 s for the answer (a `pong` event). Nil sends
    /// none; a peer that vanished is then noticed only when something is written, after minutes. Read at the next
    /// `connect`.
    public var keepAlive: KeepAlive? {
        get { locked { $0.keepAlive } }
        set { locked { $0.keepAlive = newValue } }
    }

    // MARK: Connecting

    /// Begins to connect. While connecting or connected it does nothing; while a `disconnect` is under way, it connects
    /// again after that.
    public func connect() {
        start { state in
            guard state.line != nil else { return true }
            state.connectsAgain = state.isEnding
            return false
        }
    }

    /// Does the close handshake. The event is `disconnected`, also where the server does not answer; `cancelled` where
    /// there is no connection yet; nothing where none was requested.
    ///
    /// - Parameter closeCode: what RFC 6455 section 7.4 allows in a frame; anything else is sent as 1000.
    public func disconnect(closeCode: UInt16 = CloseCode.normal.rawValue) { finish(.close(closeCode)) }

    /// Ends the connection at once, without a close handshake. The event is `cancelled`.
    public func forceDisconnect() { finish(.terminate) }

    private func finish(_ requested: SocketLine.RequestedEnd) {
        let line = locked { state in
            state.connectsAgain = false
            state.isEnding = state.line != nil
            return state.line
        }
        line?.end(requested)
    }

    /// Opens a line where `mayStart` allows it.
    private func start(_ mayStart: (inout State) -> Bool) {
        let started = locked { state -> (SocketLine, SocketRequest)? in
            guard mayStart(&state) else { return nil }
            let line = SocketLine(owner: self)
            state.line = line
            state.isEnding = false
            state.connectsAgain = false
            var configuration = WebSocketConfiguration.client
            configuration.keepAlive = state.keepAlive?.transport
            configuration.compression = compression
            let request = SocketRequest(
                state.request, tls: tls, configuration: configuration, answersPings: state.respondToPingWithPong)
            return (line, request)
        }
        if let (line, request) = started { line.open(request) }
    }

    // MARK: Writing

    // A completion is called once, on `callbackQueue`: when the socket has accepted the bytes, or when it is clear that
    // it will not. What is written while there is no connection is not sent and not kept.

    public func write(string: String, completion: (() -> Void)?) { write(.text(Array(string.utf8)), completion) }

    /// - Parameter stringData: UTF-8; anything else is not sent.
    public func write(stringData: Data, completion: (() -> Void)?) { write(.text(Array(stringData)), completion) }

    public func write(data: Data, completion: (() -> Void)?) { write(.binary(Array(data)), completion) }

    /// - Parameter ping: at most 125 bytes; more is not sent.
    public func write(ping: Data, completion: (() -> Void)?) { write(.ping(Array(ping)), completion) }

    /// - Parameter pong: at most 125 bytes; more is not sent.
    public func write(pong: Data, completion: (() -> Void)?) { write(.pong(Array(pong)), completion) }

    private func write(_ frame: SocketLine.Frame, _ completion: (() -> Void)?) {
        let (line, queue) = locked { ($0.line, $0.callbackQueue) }
        var done: (@Sendable () -> Void)?
        if let completion {
            // The caller hands the completion over to the queue.
            nonisolated(unsafe) let completion = completion
            done = { queue.async { completion() } }
        }
        if let line { line.write(frame, done) } else { done?() }
    }

    // MARK: Events

    /// Called on the event loop when a line has something to report.
    ///
    /// - Parameters:
    ///   - isLast: the line is over.
    ///   - onHandled: called on the callback queue, after the event was.
    func notify(
        _ events: [WebSocketEvent], of line: SocketLine, isLast: Bool = false,
        onHandled: @escaping @Sendable () -> Void = {}
    ) {
        let queue = locked { state in
            if isLast, state.line === line {
                state.line = nil
                state.isEnding = false
            }
            return state.callbackQueue
        }
        // Events are made here and go to one queue, nowhere else.
        nonisolated(unsafe) let events = events
        queue.async { [weak self] in
            for event in events { self?.handle(event) }
            onHandled()
        }
        if isLast { start { $0.connectsAgain && $0.line == nil } }
    }

    private func handle(_ event: WebSocketEvent) {
        let (delegate, onEvent) = locked { ($0.delegate, $0.onEvent) }
        delegate?.didReceive(event: event, client: self)
        onEvent?(event)
    }

    private func locked<Result>(_ body: (inout State) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&state)
    }
}
