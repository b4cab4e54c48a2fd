import NIOCore
import NIOHTTP1
import StreamCore
import WebSocketTransport

/// The shell of `PriceTracker` on an event loop: it opens sockets and notifies the observers. Lives on the event loop
/// alone. It holds its sockets and they hold it, until `shutDown`.
final class TrackerDriver: SocketDriver {
    var session: PriceTracker
    let shell: SocketShell<PriceTracker.Socket>
    private let url: String
    private let tls: WebSocketTLS
    private var observers: [(number: Int, observe: @Sendable (TrackerEvent) -> Void)] = []
    private var lastObserver = 0

    init(_ tracker: PriceTracker, url: String, tls: WebSocketTLS, on eventLoop: any EventLoop) {
        session = tracker
        shell = SocketShell(on: eventLoop)
        self.url = url
        self.tls = tls
    }

    func shutDown() { if shutDown({ $0.stop(now: $1) }) { observers.removeAll() } }

    /// Each observer gets everything by itself: one that comes or goes changes nothing for the others.
    func add(_ observe: @escaping @Sendable (TrackerEvent) -> Void) -> Int {
        lastObserver += 1
        observers.append((lastObserver, observe))
        observe(.connection(session.state, connected: session.connectedCount))
        return lastObserver
    }

    func removeObserver(_ number: Int) { observers.removeAll { $0.number == number } }

    func connect(_ onOpen: @escaping @Sendable (WebSocketHandler) -> Void) -> EventLoopFuture<Void> {
        // Messages are small; the machine sends the pings.
        let transport = WebSocketConfiguration(limits: .server, keepAlive: nil, outboundLimit: 1 << 20)
        let timeout = min(session.configuration.connection.connectTimeout, 1e6)
        return WebSocketConnector.connect(
            url: url, tls: tls, configuration: transport, timeout: .nanoseconds(Int64(timeout * 1e9)), on: eventLoop
        ) { handler, _ in onOpen(handler) }.map { _ in }
    }

    func send(_ bytes: [UInt8], to handler: WebSocketHandler) {
        // To a server that does not read what it has no more is sent: prices are absolute, the next one replaces this
        // one.
        guard handler.isWritable else { return }
        bytes.withUnsafeBytes { _ = handler.send(.text, $0) }
    }

    func receive(_ bytes: Bytes, on socket: PriceTracker.Socket, now: Double) -> Bool {
        session.received(bytes, on: socket, now: now, wallClock: systemTime())
        return true
    }

    func report(_ event: TrackerEvent) {
        for observer in observers { observer.observe(event) }
    }

    func isFinal(_ failure: WebSocketConnectError) -> Bool { !failure.isRetryable }
}

extension PriceTracker: SocketMachine {}
