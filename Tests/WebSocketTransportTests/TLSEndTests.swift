import NIOCore
import StreamCore
import Testing
import WebSocketTransport

/// How conversations end over TLS, where a close has one handshake more.
@Suite("Ends over TLS", .timeLimit(.minutes(15)))
struct TLSEndTests {
    static func last(of socket: WebSocketConnection) async -> WebSocketConnectionEvent? {
        var last: WebSocketConnectionEvent?
        for await event in socket.events { last = event }
        return last
    }

    @Test("the code of a violation reaches the peer, although it is still sending")
    func violation() async throws {
        var configuration = WebSocketConfiguration.server
        configuration.limits = WebSocketLimits(frameBytes: 1000, messageBytes: 1000, fragmentsPerMessage: 4)
        try await LoopbackServer.secure(.echo(configuration)) { server in
            let socket = try await WebSocketConnector.connect(url: server.secureURL, tls: .test(), timeout: .patient)
            for _ in 0..<20 { try? await socket.send(binary: [UInt8](repeating: 1, count: 100_000)) }
            guard case .disconnected(.messageTooBig, _) = await Self.last(of: socket) else {
                Issue.record("no 1009")
                return
            }
        }
    }

    @Test("the server's close code and reason come through")
    func serverCloses() async throws {
        let upgrade = WebSocketServerUpgrade(
            shouldUpgrade: { _ in .accept() },
            onOpen: { socket, _ in
                socket.delegate = WebSocketCallbacks(onText: { _, _ in })
                socket.send(text: "bye")
                socket.close(WebSocketCloseCode(rawValue: 4101), reason: "not for you")
            })
        try await LoopbackServer.secure(upgrade) { server in
            let socket = try await WebSocketConnector.connect(url: server.secureURL, tls: .test(), timeout: .patient)
            #expect(
                await Self.last(of: socket)
                    == .disconnected(WebSocketCloseCode(rawValue: 4101), reason: "not for you"))
        }
    }

    @Test("a server that vanishes, with close_notify or without, is a lost connection and no TLS error")
    func vanishes() async throws {
        for isPolite in [true, false] {
            let upgrade = WebSocketServerUpgrade(
                shouldUpgrade: { _ in .accept() },
                onOpen: { socket, _ in
                    let delegate = WebSocketCallbacks(onText: { _, socket in
                        guard let channel = socket.channel else { return }
                        if isPolite {
                            channel.close(promise: nil)
                        } else {
                            // Below TLS: the TCP connection just ends.
                            FirstInPipeline.closeSocket(of: channel)
                        }
                    })
                    socket.delegate = delegate
                })
            try await LoopbackServer.secure(upgrade) { server in
                let socket = try await WebSocketConnector.connect(
                    url: server.secureURL, tls: .test(), timeout: .patient)
                try await socket.send(text: "go")
                #expect(
                    await Self.last(of: socket) == .disconnected(.abnormal, reason: "connection lost"), "\(isPolite)")
            }
        }
    }

    @Test("a reader that never reads costs no more than the limit, as without TLS")
    func slowReader() async throws {
        let seen = Happenings()
        var configuration = WebSocketConfiguration.server
        configuration.outboundLimit = 256 << 10
        configuration.closeTimeout = .milliseconds(200)
        let upgrade = WebSocketServerUpgrade(
            configuration: configuration, shouldUpgrade: { _ in .accept() },
            onOpen: { socket, _ in
                socket.delegate = WebSocketCallbacks(
                    onText: { _, _ in }, onClose: { code, _ in seen.note("closed \(code.rawValue)") })
                let frame = WebSocketFrames.text(String(repeating: "x", count: 8 << 10))
                while socket.send(preframed: frame) {}
                // Encrypted records are a little larger than what is in them.
                seen.note(socket.bufferedBytes <= 300 << 10 ? "bounded" : "unbounded: \(socket.bufferedBytes)")
            })
        try await LoopbackServer.secure(upgrade) { server in
            let channel = try await WebSocketConnector.connect(
                url: server.secureURL, tls: .test(), timeout: .patient
            ) { socket, _ in socket.pauseReading() }.get()
            await seen.wait(for: "closed 1006")
            #expect(seen.noted == ["bounded", "closed 1006"])
            try? await channel.close()
        }
    }
}
