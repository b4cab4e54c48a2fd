import NIOCore
import StreamCore
import TestKit
import Testing
import WebSocketTransport

@Suite("ScriptedServer", .timeLimit(.minutes(15)))
struct ScriptedServerTests {
    private func connect(_ server: ScriptedServer) async throws -> WebSocketConnection {
        try await WebSocketConnector.connect(url: server.url, timeout: .seconds(60))
    }

    @Test("a script is played to its end, and finish reports it")
    func plays() async throws {
        let server = try await ScriptedServer.start([
            [
                .expect("hello"), .send("welcome"), .sendBinary([1, 2]), .expectText(containing: "ello ag"),
                .wait(0.01),
                .expectAnything, .close(.reconnect, reason: "later"),
            ]
        ])
        let socket = try await connect(server)
        var events = socket.events.makeAsyncIterator()
        _ = await events.next()
        try await socket.send(text: "hello")
        #expect(await events.next() == .text("welcome"))
        #expect(await events.next() == .binary([1, 2]))
        try await socket.send(text: "hello again")
        try await socket.send(text: "whatever")
        #expect(await events.next() == .disconnected(.reconnect, reason: "later"))
        try await server.finish(within: 60)
        #expect(server.received == ["hello", "hello again", "whatever"])
    }

    @Test("a client that does something else fails the script")
    func otherwise() async throws {
        let server = try await ScriptedServer.start([[.expect("hello")]])
        let socket = try await connect(server)
        try await socket.send(text: "hi")
        await #expect(throws: ScriptFailure.self) { try await server.finish(within: 60) }
        #expect(server.failures.first?.step == 0)
        #expect("\(server.failures[0])".contains("\"hi\""))
        await socket.close()
    }

    @Test("refused with a status, cut before the answer, answered with garbage, and a client too many")
    func handshakes() async throws {
        let server = try await ScriptedServer.start([
            [.refuse(status: 503, retryAfter: 7)], [.cut], [.sendRaw(Array("SSH-2.0-nonsense\r\n\r\n".utf8))],
        ])
        await #expect {
            try await connect(server)
        } throws: {
            let error = $0 as? WebSocketUpgradeError
            return error?.retryAfter == 7 && error?.isServerError == true
        }
        for _ in 0..<2 { await #expect(throws: WebSocketConnectError.self) { try await connect(server) } }
        #expect(server.failures.isEmpty && server.finished == 3)
        await #expect(throws: WebSocketUpgradeError.self) { try await connect(server) }
        #expect(server.failures.count == 1)
        await server.stop()
    }

    @Test("a handshake that is never answered meets the client's timeout")
    func silent() async throws {
        let server = try await ScriptedServer.start([[.stall]])
        await #expect {
            try await WebSocketConnector.connect(url: server.url, timeout: .milliseconds(200))
        } throws: {
            ($0 as? WebSocketConnectError)?.code == .timedOut
        }
        await server.stop()
    }

    @Test("cut and broken frames end the connection, each in its way")
    func broken() async throws {
        let server = try await ScriptedServer.start([[.send("a"), .wait(0.1), .cut], [.sendRaw([0xFF, 0xFF])]])
        // `sendRaw` as the first step replaces the handshake; here it is to come after it.
        let first = try await connect(server)
        var events = first.events.makeAsyncIterator()
        var last: WebSocketConnectionEvent?
        while let event = await events.next() { last = event }
        // What a cut looks like differs: the end of the bytes, or a reset.
        guard case .disconnected(.abnormal, _) = last else {
            Issue.record("ended with \(String(describing: last))")
            return
        }
        await server.stop()
        let second = try await ScriptedServer.start([
            [.send("a"), .sendRaw([0xFF, 0xFF]), .expectClose(.protocolError)]
        ])
        let socket = try await connect(second)
        last = nil
        for await event in socket.events { last = event }
        guard case .disconnected(let code, _)? = last else {
            Issue.record("no end")
            return
        }
        #expect(code == .protocolError)
        try await second.finish(within: 60)
    }

    @Test("a server that stalls answers no ping any more")
    func stall() async throws {
        let server = try await ScriptedServer.start([[.send("a"), .stall]])
        var configuration = WebSocketConfiguration.client
        configuration.keepAlive = WebSocketKeepAlive(interval: .milliseconds(100), timeout: .milliseconds(200))
        let socket = try await WebSocketConnector.connect(
            url: server.url, configuration: configuration, timeout: .seconds(60))
        var last: WebSocketConnectionEvent?
        for await event in socket.events { last = event }
        guard case .disconnected? = last else {
            Issue.record("no end")
            return
        }
        await server.stop()
    }
}
