import NIOCore
import NIOHTTP1
import NIOPosix
import StreamCore
import Testing
import WebSocketTransport

@Suite("Client and server on loopback", .timeLimit(.minutes(15)))
struct EchoTests {
    @Test("text and binary of any size come back")
    func echo() async throws {
        try await LoopbackServer.with(.echo()) { server in
            let socket = try await WebSocketConnector.connect(url: server.url, timeout: .patient)
            var events = socket.events.makeAsyncIterator()
            #expect(await events.next() == .connected(subprotocol: nil))
            for size in [0, 1, 125, 126, 4096, 4097, 65535, 65536, 1 << 20] {
                let text = String(repeating: "é", count: size / 2) + (size % 2 == 0 ? "" : "x")
                try await socket.send(text: text)
                #expect(await events.next() == .text(text))
                let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
                try await socket.send(binary: bytes)
                #expect(await events.next() == .binary(bytes))
            }
            await socket.close(code: .normal, reason: "done")
            #expect(await events.next() == .disconnected(.normal, reason: ""))
            #expect(await events.next() == nil)
            await #expect(throws: WebSocketClosedError.self) { try await socket.send(text: "late") }
        }
    }

    @Test("a message of 1 MiB in 1,024 fragments with pings between comes back whole")
    func fragments() async throws {
        let seen = Happenings()
        try await LoopbackServer.with(.echo()) { server in
            let channel = try await WebSocketConnector.connect(url: server.url, timeout: .patient) { socket, _ in
                socket.delegate = WebSocketCallbacks(
                    onText: { text, socket in
                        let isRight = text.count == 1 << 20 && text.allSatisfy { $0 == 0x66 }
                        seen.note("text \(isRight)")
                        socket.close()
                    },
                    onPong: { payload, _ in seen.note("pong \(payload.count)") },
                    onClose: { code, _ in seen.note("closed \(code.rawValue)") })
                let part = ByteBuffer(repeating: 0x66, count: 1024)
                for index in 0..<1024 {
                    socket.send(
                        fragment: part, index == 0 ? .text : .continuation, isFinal: index == 1023, flush: false)
                    if index % 256 == 0 { socket.ping([1, 2, 3]) }
                }
                socket.flush()
            }.get()
            await seen.wait(for: "closed")
            try await channel.closeFuture.get()
            #expect(seen.noted == Array(repeating: "pong 3", count: 4) + ["text true", "closed 1000"])
        }
    }

    @Test("pings are answered in both directions")
    func pings() async throws {
        let seen = Happenings()
        let upgrade = WebSocketServerUpgrade(
            configuration: .large, shouldUpgrade: { _ in .accept() },
            onOpen: { socket, _ in
                socket.delegate = WebSocketCallbacks(
                    onText: { _, _ in }, onPong: { bytes, _ in seen.note("server got pong \(Array(bytes))") })
                socket.ping([9])
            })
        try await LoopbackServer.with(upgrade) { server in
            let socket = try await WebSocketConnector.connect(url: server.url, timeout: .patient)
            socket.ping([5, 6])
            var events: [WebSocketConnectionEvent] = []
            // A keep-alive ping may come between, on a machine that is slow enough.
            for await event in socket.events {
                events.append(event)
                if events.contains(.ping([9])) && events.contains(.pong([5, 6])) { break }
            }
            #expect(events.first == .connected(subprotocol: nil))
            await seen.wait(for: "server got pong [9]")
            await socket.close()
        }
    }

    @Test("the client's close code and reason reach the server, and the server's the client")
    func closes() async throws {
        let seen = Happenings()
        let upgrade = WebSocketServerUpgrade(
            configuration: .large, shouldUpgrade: { _ in .accept() },
            onOpen: { socket, _ in
                socket.delegate = WebSocketCallbacks(
                    onText: { _, socket in
                        socket.close(WebSocketCloseCode(rawValue: 4101), reason: "not for you")
                    },
                    onClose: { code, reason in seen.note("closed \(code.rawValue) \(reason)") })
            })
        try await LoopbackServer.with(upgrade) { server in
            let first = try await WebSocketConnector.connect(url: server.url, timeout: .patient)
            await first.close(code: WebSocketCloseCode(rawValue: 3000), reason: "tschüß")
            await seen.wait(for: "closed 3000 tschüß")

            let second = try await WebSocketConnector.connect(url: server.url, timeout: .patient)
            try await second.send(text: "hello")
            var events: [WebSocketConnectionEvent] = []
            for await event in second.events { events.append(event) }
            #expect(
                events == [
                    .connected(subprotocol: nil),
                    .disconnected(WebSocketCloseCode(rawValue: 4101), reason: "not for you"),
                ])
            await seen.wait(for: "closed 4101")
        }
    }

    @Test("what the server sends at once is there after the handshake")
    func firstFrames() async throws {
        let upgrade = WebSocketServerUpgrade(
            configuration: .large, shouldUpgrade: { _ in .accept() },
            onOpen: { socket, _ in
                socket.delegate = WebSocketCallbacks(onText: { _, _ in })
                for number in 0..<100 { socket.send(preframed: WebSocketFrames.text("\(number)"), flush: false) }
                socket.flush()
                socket.close()
            })
        try await LoopbackServer.with(upgrade) { server in
            let socket = try await WebSocketConnector.connect(url: server.url, timeout: .patient)
            var texts: [String] = []
            for await case .text(let text) in socket.events { texts.append(text) }
            #expect(texts == (0..<100).map(String.init))
        }
    }

    @Test("subprotocol and headers go both ways")
    func negotiation() async throws {
        try await LoopbackServer.with(.echo()) { server in
            let socket = try await WebSocketConnector.connect(
                url: server.url, headers: ["X-Token": "t"], subprotocols: ["other", "echo.v1"], timeout: .patient)
            #expect(socket.subprotocol == "echo.v1")
            await socket.close()
            let seen = Happenings()
            let channel = try await WebSocketConnector.connect(
                url: server.url, headers: ["X-Token": "t"], timeout: .patient
            ) { _, head in
                seen.note("\(head.headers["x-seen"])")
            }.get()
            #expect(seen.noted == ["[\"t\"]"])
            try await channel.close()
        }
    }

    @Test("a server that shuts down announces it before it closes with 1001")
    func goingAway() async throws {
        let seen = Happenings()
        let upgrade = WebSocketServerUpgrade(
            configuration: .large, shouldUpgrade: { _ in .accept() },
            onOpen: { socket, _ in
                socket.delegate = ClosingDelegate(seen)
                guard let channel = socket.channel else { return }
                channel.eventLoop.execute {
                    channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
                }
            })
        try await LoopbackServer.with(upgrade) { server in
            let socket = try await WebSocketConnector.connect(url: server.url, timeout: .patient)
            var events: [WebSocketConnectionEvent] = []
            for await event in socket.events { events.append(event) }
            #expect(
                events == [
                    .connected(subprotocol: nil), .text("closing"),
                    .disconnected(.goingAway, reason: "server is shutting down"),
                ])
            await seen.wait(for: "closed 1001")
        }
    }

    @Test("a connection that is let go closes by itself")
    func letGo() async throws {
        let seen = Happenings()
        let upgrade = WebSocketServerUpgrade(
            configuration: .large, shouldUpgrade: { _ in .accept() },
            onOpen: { socket, _ in
                socket.delegate = WebSocketCallbacks(
                    onText: { _, _ in }, onClose: { code, _ in seen.note("closed \(code.rawValue)") })
            })
        try await LoopbackServer.with(upgrade) { server in
            _ = try await WebSocketConnector.connect(url: server.url, timeout: .patient)
            await seen.wait(for: "closed 1001")
        }
    }

    @Test("a cancelled consumer stops waiting")
    func cancelled() async throws {
        try await LoopbackServer.with(.echo()) { server in
            let socket = try await WebSocketConnector.connect(url: server.url, timeout: .patient)
            let task = Task {
                var count = 0
                for await _ in socket.events { count += 1 }
                return count
            }
            task.cancel()
            #expect(await task.value <= 1)
            await socket.close()
        }
    }
}

private final class ClosingDelegate: WebSocketHandlerDelegate {
    let seen: Happenings

    init(_ seen: Happenings) {
        self.seen = seen
    }

    func webSocketText(_ text: UnsafeRawBufferPointer, on socket: WebSocketHandler) {}
    func webSocketWillGoAway(on socket: WebSocketHandler) { socket.send(text: "closing") }
    func webSocketClosed(_ code: WebSocketCloseCode, reason: String, on socket: WebSocketHandler) {
        seen.note("closed \(code.rawValue)")
    }
}
