import NIOCore
import NIOHTTP1
import StreamCore
import WebSocketTransport

/// The shell of `PriceTracker` on an event loop: sockets, one timer and the observers. It decides nothing.
///
/// Lives on the event loop alone. It holds its sockets and they hold it, until `shutDown`.
final class TrackerDriver {
    let eventLoop: any EventLoop
    private(set) var tracker: PriceTracker
    private let url: String
    private let tls: WebSocketTLS
    private var sockets: [PriceTracker.Socket: TrackerSocket] = [:]
    private var observers: [(number: Int, observe: @Sendable (TrackerEvent) -> Void)] = []
    private var lastObserver = 0
    private var timer: Scheduled<Void>?
    private var timerAt = Double.infinity
    /// An action may report something from inside (a socket that fails while it is written to): the loop that is
    /// running performs what follows from it.
    private var isPerforming = false
    private var isShutDown = false

    init(_ tracker: PriceTracker, url: String, tls: WebSocketTLS, on eventLoop: any EventLoop) {
        self.tracker = tracker
        self.url = url
        self.tls = tls
        self.eventLoop = eventLoop
    }

    /// Seconds on the loop's clock, which does not go back.
    var now: Double { Double(eventLoop.now.uptimeNanoseconds) / 1e9 }

    /// Tells the machine something, and does what it wants.
    func tell(_ body: (inout PriceTracker, _ now: Double) -> Void) {
        guard !isShutDown else { return }
        body(&tracker, now)
        settle()
    }

    func shutDown() {
        guard !isShutDown else { return }
        tell { $0.stop(now: $1) }
        isShutDown = true
        timer?.cancel()
        timer = nil
        for socket in sockets.values { socket.letGo() }
        sockets.removeAll()
        observers.removeAll()
    }

    // MARK: Observers

    /// Each observer is told everything by itself: one that comes or goes changes nothing for the others.
    func add(_ observe: @escaping @Sendable (TrackerEvent) -> Void) -> Int {
        lastObserver += 1
        observers.append((lastObserver, observe))
        observe(.connection(tracker.state, connected: tracker.connectedCount))
        return lastObserver
    }

    func removeObserver(_ number: Int) { observers.removeAll { $0.number == number } }

    private func tell(_ event: TrackerEvent) {
        for observer in observers { observer.observe(event) }
    }

    // MARK: What sockets report

    func received(_ bytes: UnsafeRawBufferPointer, on socket: PriceTracker.Socket) {
        tell { $0.received(bytes, on: socket, now: $1, wallClock: systemTime()) }
    }

    func closed(_ socket: PriceTracker.Socket, _ code: WebSocketCloseCode, _ reason: String, detectedHere: Bool) {
        sockets.removeValue(forKey: socket)?.letGo()
        tell { $0.closed(socket, code: code, reason: reason, detectedHere: detectedHere, now: $1) }
    }

    private func failed(_ socket: PriceTracker.Socket, _ error: any Error) {
        // A socket that was let go while it was being opened is forgotten already.
        guard let forgotten = sockets.removeValue(forKey: socket) else { return }
        forgotten.letGo()
        switch error {
        case let refusal as WebSocketUpgradeError:
            tell {
                $0.refused(socket, status: Int(refusal.status.code), retryAfter: refusal.retryAfter, now: $1)
            }
        case let failure as WebSocketConnectError where !failure.isRetryable:
            // A code after which nobody tries again.
            tell { $0.closed(socket, code: .tlsFailure, reason: failure.description, now: $1) }
        default: tell { $0.closed(socket, code: .abnormal, reason: "\(error)", now: $1) }
        }
    }

    // MARK: What the machine wants

    private func settle() {
        guard !isPerforming else { return }
        isPerforming = true
        while true {
            let actions = tracker.takeActions()
            if actions.isEmpty { break }
            for action in actions { perform(action) }
        }
        isPerforming = false
        setTimer()
    }

    private func perform(_ action: PriceTracker.Action) {
        switch action {
        case .open(let socket): open(socket)
        case .send(let socket, let bytes):
            // While the server does not take what it has, another delta would only make it wait longer: it is absolute,
            // so the next one says all.
            guard let handler = sockets[socket]?.handler, handler.isWritable else { return }
            bytes.withUnsafeBytes { _ = handler.send(.text, $0) }
        case .ping(let socket): sockets[socket]?.handler?.ping()
        case .close(let socket, let code, let reason):
            guard let closing = sockets.removeValue(forKey: socket) else { return }
            closing.letGo()
            closing.handler?.close(code, reason: reason)
        case .drop(let socket):
            guard let dropped = sockets.removeValue(forKey: socket) else { return }
            dropped.letGo()
            dropped.handler?.terminate()
        case .price(let stock): tell(.price(stock: stock, tracker.board.prices[stock]))
        case .connection(let state, let connected): tell(.connection(state, connected: connected))
        }
    }

    private func open(_ number: PriceTracker.Socket) {
        let socket = TrackerSocket(number, self)
        sockets[number] = socket
        let bound = NIOLoopBound(socket, eventLoop: eventLoop)
        let driver = NIOLoopBound(self, eventLoop: eventLoop)
        let timeout = min(tracker.configuration.connection.connectTimeout, 1e6)
        WebSocketClient.connect(
            url: url, tls: tls, configuration: Self.transport, timeout: .nanoseconds(Int64(timeout * 1e9)),
            on: eventLoop
        ) { handler, _ in bound.value.attach(handler) }
        .whenFailure { error in driver.value.failed(number, error) }
    }

    /// Messages are small; the machine sends the pings.
    private static var transport: WebSocketConfiguration {
        WebSocketConfiguration(limits: .server, keepAlive: nil, outboundLimit: 1 << 20)
    }

    // MARK: The timer

    private func setTimer() {
        guard !isShutDown else { return }
        let wanted = tracker.deadline ?? .infinity
        // One that is set for an earlier time stays: firing early does no harm.
        guard wanted < timerAt else { return }
        timer?.cancel()
        timerAt = wanted
        let delay = max(0, wanted - now) * 1e9
        // Rounded up, so that it does not fire a nanosecond early and has to be set again.
        let time = TimeAmount.nanoseconds(Int64(min(delay, 1e17).rounded(.up)))
        timer = eventLoop.assumeIsolated().scheduleTask(in: time) { [weak self] in
            guard let self else { return }
            timer = nil
            timerAt = .infinity
            tell { $0.timerFired(now: $1) }
        }
    }
}
