import NIOCore
import StreamCore
import Testing
import WebSocketTransport

@Suite("Backpressure on loopback", .timeLimit(.minutes(15)))
struct BackpressureTests {
    static let count = 4000
    static let size = 8 << 10

    @Test("a slow consumer stops the server's writing, and then gets everything in order")
    func slowConsumer() async throws {
        let seen = Happenings()
        let upgrade = WebSocketServerUpgrade(
            configuration: .large, shouldUpgrade: { _ in .accept() },
            onOpen: { socket, _ in
                let producer = Producer(seen)
                socket.delegate = producer
                producer.produce(on: socket)
            })
        try await LoopbackServer.with(upgrade) { server in
            let socket = try await WebSocketConnector.connect(url: server.url, timeout: .patient)
            // 32 MB are more than all buffers between the two hold: without a consumer the server must come to a stop.
            await seen.wait(for: "stopped")
            var next = 0
            for await event in socket.events {
                guard case .text(let text) = event else { continue }
                #expect(text.utf8.count == Self.size)
                #expect(text.hasPrefix("\(next) "))
                next += 1
            }
            #expect(next == Self.count)
            #expect(seen.noted.contains("went on"))
            #expect(seen.noted.last == "produced all")
        }
    }

    @Test("a reader that never reads is closed with 4008 when its queue is full, and costs no more than that")
    func slowReader() async throws {
        let seen = Happenings()
        var configuration = WebSocketConfiguration.server
        configuration.outboundLimit = 256 << 10
        configuration.closeTimeout = .milliseconds(200)
        let bounded = configuration
        let upgrade = WebSocketServerUpgrade(
            configuration: bounded, shouldUpgrade: { _ in .accept() },
            onOpen: { socket, _ in
                socket.delegate = WebSocketCallbacks(
                    onText: { _, _ in }, onClose: { code, reason in seen.note("closed \(code.rawValue) \(reason)") })
                let frame = WebSocketFrames.text(String(repeating: "x", count: Self.size))
                // Goes on whatever `isWritable` says: the limit is for applications that do.
                while socket.send(preframed: frame) {}
                seen.note(socket.bufferedBytes <= 256 << 10 + 2 * Self.size ? "bounded" : "unbounded")
            })
        try await LoopbackServer.with(upgrade) { server in
            let channel = try await WebSocketConnector.connect(url: server.url, timeout: .patient) { socket, _ in
                socket.pauseReading()
            }
            .get()
            await seen.wait(for: "closed 1006 no answer to the close frame")
            #expect(seen.noted.first == "bounded")
            try await channel.close()
        }
    }

    @Test("a peer that pings without reading the answers is closed too")
    func pingFlood() async throws {
        let seen = Happenings()
        var configuration = WebSocketConfiguration.server
        configuration.outboundLimit = 128 << 10
        configuration.messageRate = nil
        configuration.closeTimeout = .milliseconds(200)
        let bounded = configuration
        let upgrade = WebSocketServerUpgrade(
            configuration: bounded, shouldUpgrade: { _ in .accept() },
            onOpen: { socket, _ in
                socket.delegate = WebSocketCallbacks(
                    onText: { _, _ in }, onClose: { code, reason in seen.note("closed \(code.rawValue) \(reason)") })
            })
        try await LoopbackServer.with(upgrade) { server in
            let channel = try await WebSocketConnector.connect(url: server.url, timeout: .patient) { socket, _ in
                socket.pauseReading()
                // More than the socket buffers of both sides hold.
                for _ in 0..<150_000 { socket.ping([UInt8](repeating: 1, count: 125)) }
            }.get()
            await seen.wait(for: "closed")
            // The close frame (4008) is stuck behind the pongs, so the server gives up waiting for its answer.
            #expect(seen.noted == ["closed 1006 no answer to the close frame"])
            try? await channel.close()
        }
    }

    /// Sends while it may, and goes on when it may again.
    private final class Producer: WebSocketHandlerDelegate {
        private var next = 0
        private var hasStopped = false
        private let seen: Happenings
        private let filler = String(repeating: "f", count: BackpressureTests.size)

        init(_ seen: Happenings) {
            self.seen = seen
        }

        func produce(on socket: WebSocketHandler) {
            while next < BackpressureTests.count, socket.isWritable {
                let text = "\(next) " + filler
                socket.send(preframed: WebSocketFrames.text(String(text.prefix(BackpressureTests.size))))
                next += 1
            }
            if next == BackpressureTests.count {
                guard socket.isOpen else { return }
                seen.note("produced all")
                socket.close()
            } else if !hasStopped {
                hasStopped = true
                seen.note("stopped")
            }
        }

        func webSocketText(_ text: UnsafeRawBufferPointer, on socket: WebSocketHandler) {}

        func webSocketWritabilityChanged(_ isWritable: Bool, on socket: WebSocketHandler) {
            guard isWritable else { return }
            if seen.noted.last == "stopped" { seen.note("went on") }
            produce(on: socket)
        }

        func webSocketClosed(_ code: WebSocketCloseCode, reason: String, on socket: WebSocketHandler) {}
    }
}
