import NIOCore
import StreamCore
import TestKit
import Testing

@testable import WebSocketTransport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("Sending on loopback", .timeLimit(.minutes(15)))
struct SendingTests {
    /// Connections of a server whose sockets accept little at a time, so that most writes are cut.
    private func withServer(
        _ configuration: WebSocketConfiguration, onOpen: @escaping @Sendable (WebSocketHandler) -> Void,
        _ body: (LoopbackServer) async throws -> Void
    ) async throws {
        let upgrade = WebSocketServerUpgrade(
            configuration: configuration, shouldUpgrade: { _ in .accept() }, onOpen: { socket, _ in onOpen(socket) })
        try await LoopbackServer.with(body) { channel in
            channel.setOption(.socketOption(.so_sndbuf), value: 8 << 10).flatMapThrowing {
                _ = try upgrade.configure(channel) { $0.close() }
            }
        }
    }

    @Test(
        "everything arrives whole and in order, however little the socket accepts, past the channel and through it",
        arguments: [true, false])
    func wholeAndInOrder(bypassesChannel: Bool) async throws {
        var configuration = WebSocketConfiguration.large
        configuration.bypassesChannel = bypassesChannel
        let count = 2000
        let server = Happenings()
        let client = Happenings()
        try await withServer(configuration) { socket in
            socket.delegate = WebSocketCallbacks(onText: { _, _ in })
            var random = SeededGenerator(seed: 0x0B5E_55ED)
            let promise = socket.channel!.eventLoop.makePromise(of: Void.self)
            for index in 0..<count {
                let size = index % 20 == 0 ? Int.random(in: 4000..<70_000, using: &random) : Int(random.next() % 300)
                let text = "\(index) " + String(repeating: "m", count: size)
                let flush = random.next() % 3 == 0
                switch index % 4 {
                case 0: socket.send(text: ByteBuffer(string: text), flush: flush)
                case 1: socket.send(text: text, flush: flush)
                case 2: socket.send(preframed: WebSocketFrames.text(text), flush: flush)
                default: socket.send(text: text, flush: flush, promise: index == count - 1 ? promise : nil)
                }
                if index % 17 == 0 { socket.ping([UInt8(index % 251)]) }
            }
            promise.futureResult.whenSuccess { server.note("sent all") }
            socket.close()
        } _: { loopback in
            _ = try await WebSocketConnector.connect(url: loopback.url, configuration: .large, timeout: .patient) {
                socket, _ in
                var next = 0
                var pings = 0
                socket.delegate = WebSocketCallbacks(
                    onText: { bytes, socket in
                        let text = String(decoding: bytes, as: UTF8.self)
                        let isWhole = text.dropFirst("\(next) ".count).allSatisfy { $0 == "m" }
                        if !text.hasPrefix("\(next) ") || !isWhole { client.note("wrong \(next)") }
                        next += 1
                        guard next % 50 == 0, let loop = socket.channel?.eventLoop else { return }
                        // A reader that takes breaks: the server's socket fills up again and again.
                        socket.pauseReading()
                        let bound = NIOLoopBound(socket, eventLoop: loop)
                        loop.scheduleTask(in: .milliseconds(1)) { bound.value.resumeReading() }
                    },
                    onPing: { _, _ in pings += 1 },
                    onClose: { code, _ in client.note("closed \(code.rawValue) after \(next), \(pings) pings") })
            }.get()
            await client.wait(for: "closed")
            #expect(client.noted == ["closed 1000 after \(count), 118 pings"])
            await server.wait(for: "sent all")
        }
    }

    @Test("a ping that a promise sends comes between frames, also where a write ends on a frame's head")
    func pingFromPromise() async throws {
        let client = Happenings()
        try await withServer(.large) { socket in
            socket.delegate = WebSocketCallbacks(onText: { _, _ in })
            let bound = NIOLoopBound(socket, eventLoop: socket.channel!.eventLoop)
            // Something waits, so that all that follows is gathered for one write: 63 whole frames, and the head of one
            // whose payload is a piece of its own.
            for index in 0..<63 {
                let promise = bound.eventLoop.makePromise(of: Void.self)
                promise.futureResult.whenSuccess { bound.value.ping([UInt8(index)]) }
                socket.send(text: "small", flush: false, promise: promise)
            }
            socket.send(text: String(repeating: "l", count: 6000), flush: false)
            socket.send(text: "last", flush: true)
            socket.close(.normal)
        } _: { loopback in
            _ = try await WebSocketConnector.connect(url: loopback.url, configuration: .large, timeout: .patient) {
                socket, _ in
                var texts = 0
                socket.delegate = WebSocketCallbacks(
                    onText: { bytes, _ in
                        texts += 1
                        if texts == 64, !bytes.elementsEqual(repeatElement(UInt8(ascii: "l"), count: 6000)) {
                            client.note("cut")
                        }
                    },
                    onClose: { code, _ in client.note("closed \(code.rawValue) after \(texts)") })
            }.get()
            await client.wait(for: "closed")
            #expect(client.noted == ["closed 1000 after 65"])
        }
    }

    @Test("a ping passes the messages that wait, and cuts none", arguments: [true, false])
    func pingPasses(bypassesChannel: Bool) async throws {
        var configuration = WebSocketConfiguration.large
        configuration.bypassesChannel = bypassesChannel
        let seen = Happenings()
        try await withServer(configuration) { socket in
            socket.delegate = WebSocketCallbacks(onText: { _, _ in })
            for index in 0..<500 { socket.send(text: "\(index) " + String(repeating: "x", count: 8192)) }
            seen.note(socket.isWritable ? "writable" : "full")
            socket.ping([7])
            socket.close(.normal)
        } _: { loopback in
            let client = Happenings()
            _ = try await WebSocketConnector.connect(url: loopback.url, configuration: .large, timeout: .patient) {
                socket, _ in
                var next = 0
                socket.delegate = WebSocketCallbacks(
                    onText: { bytes, _ in
                        if !String(decoding: bytes, as: UTF8.self).hasPrefix("\(next) ") {
                            client.note("wrong \(next)")
                        }
                        next += 1
                    },
                    onPing: { _, _ in client.note(next < 250 ? "ping early" : "ping after \(next)") },
                    onClose: { code, _ in client.note("closed \(code.rawValue) after \(next)") })
                socket.pauseReading()
                let bound = NIOLoopBound(socket, eventLoop: socket.channel!.eventLoop)
                Task {
                    await seen.wait(for: "full")
                    bound.eventLoop.execute { bound.value.resumeReading() }
                }
            }.get()
            await client.wait(for: "closed")
            #expect(client.noted == ["ping early", "closed 1000 after 500"])
        }
    }

    @Test("after a close for slowness nothing follows but the close frame: no gap before it, no message behind it")
    func nothingAfterTheDecision() async throws {
        var configuration = WebSocketConfiguration.large
        configuration.outboundLimit = 256 << 10
        configuration.closeTimeout = .patient
        let seen = Happenings()
        try await withServer(configuration) { socket in
            socket.delegate = WebSocketCallbacks(onText: { _, _ in })
            var sent = 0
            while socket.send(text: "\(sent) " + String(repeating: "x", count: 2000)) { sent += 1 }
            seen.note(socket.send(text: "late") || socket.ping() ? "sent late" : "sent \(sent)")
        } _: { loopback in
            let client = Happenings()
            _ = try await WebSocketConnector.connect(url: loopback.url, configuration: .large, timeout: .patient) {
                socket, _ in
                var next = 0
                socket.delegate = WebSocketCallbacks(
                    onText: { bytes, _ in
                        if !String(decoding: bytes, as: UTF8.self).hasPrefix("\(next) ") {
                            client.note("gap at \(next)")
                        }
                        next += 1
                    },
                    onClose: { code, _ in client.note("closed \(code.rawValue)") })
                socket.pauseReading()
                let bound = NIOLoopBound(socket, eventLoop: socket.channel!.eventLoop)
                Task {
                    await seen.wait(for: "sent")
                    bound.eventLoop.execute { bound.value.resumeReading() }
                }
            }.get()
            await client.wait(for: "closed")
            #expect(client.noted == ["closed 4008"])
            #expect(!seen.noted.contains("sent late"))
        }
    }

    @Test("a peer that vanishes while it is written to ends its connection, and nothing else")
    func brokenPipe() async throws {
        let seen = Happenings()
        try await withServer(.large) { socket in
            socket.delegate = WebSocketCallbacks(
                onText: { _, socket in
                    seen.note("requested")
                    // Until the socket says that no reader is there.
                    let bound = NIOLoopBound(socket, eventLoop: socket.channel!.eventLoop)
                    bound.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(1)) { task in
                        if !bound.value.send(text: "tick") { task.cancel() }
                    }
                },
                onClose: { code, _ in seen.note("closed \(code.rawValue)") })
        } _: { loopback in
            let channel = try await WebSocketConnector.connect(url: loopback.url, timeout: .patient) { socket, _ in
                socket.send(text: "go on")
            }.get()
            await seen.wait(for: "requested")
            // A reset instead of an end.
            let options = try #require(channel as? any SocketOptionProvider)
            try await options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
            try await channel.close()
            await seen.wait(for: "closed 1006")
        }
    }

    #if os(Linux)
        @Test("the channel is passed by on plain TCP only, and where that is wanted")
        func paths() async throws {
            for (bypasses, isDirect) in [(true, true), (false, false)] {
                var configuration = WebSocketConfiguration.large
                configuration.bypassesChannel = bypasses
                #expect(try await path(configuration, "ws", LoopbackServer.with) == isDirect)
            }
            #expect(
                try await path(.large, "wss") { upgrade, body in try await LoopbackServer.secure(upgrade, body) }
                    == false)
        }

        private func path(
            _ configuration: WebSocketConfiguration, _ scheme: String,
            _ serve: (WebSocketServerUpgrade, (LoopbackServer) async throws -> Void) async throws -> Void
        ) async throws -> Bool {
            let seen = Happenings()
            let upgrade = WebSocketServerUpgrade(
                configuration: configuration, shouldUpgrade: { _ in .accept() },
                onOpen: { socket, _ in
                    socket.delegate = WebSocketCallbacks(onText: { _, _ in })
                    socket.send(text: "hello")
                    seen.note(socket.outbound.direct == nil ? "channel" : "direct")
                })
            try await serve(upgrade) { server in
                let socket = try await WebSocketConnector.connect(
                    url: "\(scheme)://localhost:\(server.channel.localAddress?.port ?? 0)",
                    tls: scheme == "wss" ? .test() : .default, timeout: .patient)
                var events = socket.events.makeAsyncIterator()
                #expect(await events.next() == .connected(subprotocol: nil))
                #expect(await events.next() == .text("hello"))
                await socket.close()
            }
            return seen.noted == ["direct"]
        }
    #endif
}
