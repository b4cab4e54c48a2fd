import NIOCore
import StreamCore
import Testing
import WebSocketTransport

@Suite("A connection's events", .timeLimit(.minutes(15)))
struct ConnectionTests {
    /// Sends numbers as fast as they are accepted, and notes its end.
    static func counting(_ seen: Happenings) -> WebSocketServerUpgrade {
        WebSocketServerUpgrade(
            configuration: .large, shouldUpgrade: { _ in .accept() },
            onOpen: { socket, _ in
                let counter = Counter(seen)
                socket.delegate = counter
                counter.count(on: socket)
            })
    }

    @Test("the events keep the connection, and with them it goes")
    func lifetime() async throws {
        let seen = Happenings()
        try await LoopbackServer.with(Self.counting(seen)) { server in
            var events: WebSocketEvents? = try await WebSocketConnector.connect(
                url: server.url, timeout: .patient
            ).events
            var count = 0
            for await case .text in events! {
                count += 1
                if count == 20_000 { break }
            }
            #expect(!seen.noted.contains { $0.hasPrefix("closed") })
            events = nil
            await seen.wait(for: "closed 1001")
        }
    }

    @Test("a cancelled task stops at once on a busy connection, and another goes on where it stopped")
    func cancellation() async throws {
        let seen = Happenings()
        try await LoopbackServer.with(Self.counting(seen)) { server in
            let socket = try await WebSocketConnector.connect(url: server.url, timeout: .patient)
            let first = Task {
                var last = -1
                for await case .text(let text) in socket.events {
                    last = Int(text) ?? -2
                    if last == 1000 { seen.note("1000 accepted") }
                }
                return last
            }
            await seen.wait(for: "1000 accepted")
            first.cancel()
            let last = await first.value
            #expect(last >= 1000)
            for await case .text(let text) in socket.events {
                #expect(Int(text) == last + 1)
                break
            }
            await socket.close()
        }
    }

    @Test("a task that waits is woken by its cancellation, and by the end", arguments: [true, false])
    func waiting(isCancelled: Bool) async throws {
        try await LoopbackServer.with(.echo()) { server in
            let socket = try await WebSocketConnector.connect(url: server.url, timeout: .patient)
            let (began, beginning) = AsyncStream<Void>.makeStream()
            let task = Task {
                var all: [WebSocketConnectionEvent] = []
                for await event in socket.events {
                    all.append(event)
                    beginning.yield()
                }
                return all
            }
            for await _ in began { break }
            if isCancelled { task.cancel() } else { await socket.close(code: .goingAway) }
            let ended: [WebSocketConnectionEvent] = isCancelled ? [] : [.disconnected(.goingAway, reason: "")]
            #expect(await task.value == [.connected(subprotocol: nil)] + ended)
            await socket.close()
        }
    }
}

private final class Counter: WebSocketHandlerDelegate {
    private let seen: Happenings
    private var next = 0

    init(_ seen: Happenings) {
        self.seen = seen
    }

    /// In portions with time between: for a reader that keeps up, the loop would never come to read.
    func count(on socket: WebSocketHandler) {
        for _ in 0..<256 where socket.isWritable && socket.send(text: "\(next)") { next += 1 }
        guard socket.isOpen, socket.isWritable, let eventLoop = socket.channel?.eventLoop else { return }
        let bound = NIOLoopBound((self, socket), eventLoop: eventLoop)
        eventLoop.scheduleTask(in: .milliseconds(1)) { bound.value.0.count(on: bound.value.1) }
    }

    func webSocketText(_ text: UnsafeRawBufferPointer, on socket: WebSocketHandler) {}

    func webSocketWritabilityChanged(_ isWritable: Bool, on socket: WebSocketHandler) {
        if isWritable { count(on: socket) }
    }

    func webSocketClosed(_ code: WebSocketCloseCode, reason: String, on socket: WebSocketHandler) {
        seen.note("closed \(code.rawValue)")
    }
}
