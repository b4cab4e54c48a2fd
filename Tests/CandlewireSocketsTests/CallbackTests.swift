import CandlewireSockets
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Callbacks over a real server", .timeLimit(.minutes(15)))
struct CallbackTests {
    @Test("messages of each kind go there and back, and a close ends it once", arguments: [false, true])
    func conversation(isCompressed: Bool) async throws {
        try await TestServer.with { server in
            let observed = Observed(server.url("echo"), compression: isCompressed ? WSCompression() : nil)
            let socket = observed.socket
            socket.connect()
            _ = await observed.journal.entries(atLeast: 2)
            socket.write(string: "hello")
            socket.write(stringData: Data("wörld".utf8))
            socket.write(data: Data(repeating: 7, count: 100_000))
            // A pong may overtake data.
            _ = await observed.journal.entries(atLeast: 5)
            socket.write(ping: Data("p".utf8))
            #expect(
                await observed.journal.entries(atLeast: 6) == [
                    "viable true", "connected", "text hello", "text wörld", "binary 100000", "pong p",
                ])
            socket.disconnect(closeCode: 4001)
            #expect(await observed.journal.entries(atLeast: 7).last == "disconnected 4001 ")
            #expect(await server.journal.entries(atLeast: 2) == ["open", "closed 4001"])
            #expect(observed.ends.count == 7)
        }
    }

    /// Path, what the client does once connected, and the callbacks that follow.
    static let ends: [(String, @Sendable (WebSocket) -> Void, [String])] = [
        ("echo", { $0.disconnect() }, ["disconnected 1000 "]),
        ("echo", { $0.forceDisconnect() }, ["cancelled"]),
        ("deaf", { $0.disconnect(closeCode: 1001) }, ["disconnected 1001 "]),
        ("close", { $0.write(string: "x") }, ["disconnected 4101 not for you"]),
        ("kill", { $0.write(string: "x") }, ["viable false", "error serverError 1006"]),
        ("reset", { $0.write(string: "x") }, ["viable false", "error serverError 1006"]),
        ("half", { $0.write(string: "x") }, ["viable false", "error serverError 1006"]),
        ("violate", { $0.write(string: "x") }, ["error protocolError 1002"]),
        ("deaf", { _ in }, ["viable false", "error serverError 1006"]),
    ]

    @Test("each end is reported exactly once, whichever side brought it about", arguments: ends.indices)
    func ending(index: Int) async throws {
        let (path, act, received) = Self.ends[index]
        try await TestServer.with { server in
            let observed = Observed(server.url(path))
            if path == "deaf" { observed.socket.keepAlive = KeepAlive(interval: 1, timeout: 1) }
            observed.socket.connect()
            #expect(await observed.journal.entries(atLeast: 2) == ["viable true", "connected"])
            act(observed.socket)
            #expect(await observed.journal.entries(atLeast: 2 + received.count).dropFirst(2) == received[...])
            // Nothing ends twice, and what is over cannot be ended.
            observed.socket.disconnect()
            observed.socket.forceDisconnect()
            var written = false
            await withCheckedContinuation { continuation in
                observed.socket.write(string: "late") { continuation.resume() }
            }
            written = true
            #expect(written)
            #expect(observed.ends.count == 2 + received.count)
        }
    }

    /// As code for Starscream before 4.0.5 has it, which knows no `peerClosed`.
    private final class Reconnecting: WebSocketDelegate {
        let journal: Journal
        private(set) var isConnected = false
        init(_ journal: Journal) { self.journal = journal }

        func didReceive(event: WebSocketEvent, client: any WebSocketClient) {
            switch event {
            case .connected:
                isConnected = true
                journal.note("live")
            case .disconnected(_, _):
                isConnected = false
            case .error(_), .cancelled:
                isConnected = false
                journal.note("lost")
                client.connect()
            default: break
            }
        }
    }

    @Test("code without a case for peerClosed sees a dropped connection and reconnects", arguments: ["kill", "reset"])
    func dropped(path: String) async throws {
        try await TestServer.with { server in
            let observed = Observed(server.url(path))
            let journal = Journal()
            let delegate = Reconnecting(journal)
            observed.socket.delegate = delegate
            observed.socket.connect()
            _ = await journal.entries(atLeast: 1)
            observed.socket.write(string: "drop")
            #expect(await journal.entries(atLeast: 3) == ["live", "lost", "live"])
            #expect(observed.queue.sync { delegate.isConnected })
            observed.socket.delegate = nil
            observed.socket.forceDisconnect()
            _ = await observed.journal.entries(atLeast: 7)
        }
    }

    @Test("a dropped connection is explained in a sentence")
    func explained() async throws {
        try await TestServer.with { server in
            let observed = Observed(server.url("kill"))
            let sentences = Journal()
            observed.socket.onEvent = { [weak socket = observed.socket] event in
                switch event {
                case .connected: socket?.write(string: "drop")
                case .error(let error?): sentences.note(error.localizedDescription)
                default: break
                }
            }
            observed.socket.connect()
            #expect(
                await sentences.entries(atLeast: 1) == ["the server ended the connection without a close frame"])
        }
    }

    @Test("an attempt that fails is one error", arguments: ["refuse", "gone"])
    func failures(path: String) async throws {
        var gone = ""
        try await TestServer.with { gone = $0.url("") }
        try await TestServer.with { server in
            let observed = Observed(path == "gone" ? gone : server.url(path))
            observed.socket.connect()
            let received = await observed.journal.entries(atLeast: 1)
            #expect(received == [path == "gone" ? "error serverError 1006" : "error HTTP 401 Bearer"])
            #expect(observed.ends.count == 1)
            // The object is good for another attempt.
            observed.socket.request.url = URL(string: server.url("echo"))
            observed.socket.connect()
            #expect(await observed.journal.entries(atLeast: 3).dropFirst() == ["viable true", "connected"])
            observed.socket.disconnect()
            _ = await observed.journal.entries(atLeast: 4)
        }
    }

    @Test("connecting twice makes one connection")
    func twice() async throws {
        try await TestServer.with { server in
            let observed = Observed(server.url("echo"))
            observed.socket.connect()
            observed.socket.connect()
            _ = await observed.journal.entries(atLeast: 2)
            observed.socket.connect()
            observed.socket.write(string: "one")
            #expect(await observed.journal.entries(atLeast: 3) == ["viable true", "connected", "text one"])
            observed.socket.disconnect()
            _ = await observed.journal.entries(atLeast: 4)
            #expect(await server.journal.entries(atLeast: 2) == ["open", "closed 1000"])
        }
    }

    @Test("the same object connects again, also at once after a disconnect")
    func again() async throws {
        try await TestServer.with { server in
            let observed = Observed(server.url("echo"))
            observed.socket.connect()
            _ = await observed.journal.entries(atLeast: 2)
            observed.socket.disconnect()
            observed.socket.connect()
            #expect(
                await observed.journal.entries(atLeast: 5) == [
                    "viable true", "connected", "disconnected 1000 ", "viable true", "connected",
                ])
            observed.socket.disconnect()
            #expect(await observed.journal.entries(atLeast: 6).last == "disconnected 1000 ")
            observed.socket.connect()
            #expect(await observed.journal.entries(atLeast: 8).last == "connected")
            observed.socket.disconnect()
            _ = await observed.journal.entries(atLeast: 9)
        }
    }

    @Test("what is written before there is a connection is reported and not sent")
    func early() async throws {
        try await TestServer.with { server in
            let observed = Observed(server.url("echo"))
            let completions = Journal()
            observed.socket.disconnect()
            observed.socket.write(string: "too early") { completions.note("string") }
            observed.socket.write(ping: Data(count: 1000)) { completions.note("ping") }
            #expect(await completions.entries(atLeast: 2) == ["string", "ping"])
            observed.socket.connect()
            _ = await observed.journal.entries(atLeast: 2)
            observed.socket.write(ping: Data(count: 1000)) { completions.note("large ping") }
            observed.socket.write(stringData: Data([0xFF])) { completions.note("no text") }
            observed.socket.write(string: "now") { completions.note("now") }
            #expect(await completions.entries(atLeast: 5).dropFirst(2).sorted() == ["large ping", "no text", "now"])
            #expect(await observed.journal.entries(atLeast: 3) == ["viable true", "connected", "text now"])
            observed.socket.disconnect()
            _ = await observed.journal.entries(atLeast: 4)
        }
    }

    @Test("a socket that is released closes with 1001, reports nothing and leaves nothing behind")
    func letGo() async throws {
        try await TestServer.with { server in
            weak var gone: WebSocket?
            let journal: Journal
            do {
                let observed = Observed(server.url("echo"))
                gone = observed.socket
                journal = observed.journal
                observed.socket.connect()
                _ = await observed.journal.entries(atLeast: 2)
            }
            #expect(await server.journal.entries(atLeast: 2) == ["open", "closed 1001"])
            #expect(gone == nil)
            #expect(journal.entries == ["viable true", "connected"])
        }
    }

    @Test("an attempt that is called off is cancelled, once", arguments: [true, false])
    func calledOff(isForced: Bool) async throws {
        try await TestServer.silent { url in
            let observed = Observed(url)
            observed.socket.connect()
            if isForced { observed.socket.forceDisconnect() } else { observed.socket.disconnect() }
            #expect(await observed.journal.entries(atLeast: 1) == ["cancelled"])
            #expect(observed.ends == ["cancelled"])
        }
    }

    @Test("pings are answered by hand where the application chooses to", arguments: [true, false])
    func pings(isAutomatic: Bool) async throws {
        try await TestServer.with { server in
            let observed = Observed(server.url("ping"))
            observed.socket.respondToPingWithPong = isAutomatic
            observed.socket.connect()
            #expect(await observed.journal.entries(atLeast: 3).last == "ping are you there")
            if !isAutomatic { observed.socket.write(pong: Data("by hand".utf8)) }
            #expect(
                await server.journal.entries(atLeast: 2)
                    == ["open", isAutomatic ? "pong are you there" : "pong by hand"])
            observed.socket.disconnect()
            _ = await observed.journal.entries(atLeast: 4)
        }
    }

    @Test("a callback queue that stands still stops the reading, and then gets everything in order")
    func slowQueue() async throws {
        try await TestServer.with { server in
            let observed = Observed(server.url("flood"))
            observed.queue.suspend()
            observed.socket.connect()
            _ = await server.journal.entries(atLeast: 1)
            observed.queue.resume()
            let received = await observed.journal.entries(atLeast: 2 + TestServer.floodCount)
            let numbers = received.dropFirst(2).map { Int($0.split(separator: " ")[1]) }
            #expect(numbers == (0..<TestServer.floodCount).map { $0 })
            observed.socket.disconnect()
            _ = await observed.journal.entries(atLeast: 3 + TestServer.floodCount)
        }
    }

    @Test("the delegate gets what the closure gets, is not kept, and sees headers and subprotocol")
    func delegate() async throws {
        final class Listener: WebSocketDelegate {
            let journal: Journal
            init(_ journal: Journal) { self.journal = journal }
            func didReceive(event: WebSocketEvent, client: any WebSocketClient) {
                if case .connected(let headers) = event {
                    journal.note(
                        headers.filter { ["X-Token", "Sec-WebSocket-Protocol"].contains($0.key) }.values.sorted()
                            .joined(separator: " "))
                    client.write(string: "from the delegate")
                } else {
                    journal.note(describe(event))
                }
            }
        }
        try await TestServer.with { server in
            let observed = Observed(server.url("echo"))
            observed.socket.request.setValue("chat, superchat", forHTTPHeaderField: "Sec-WebSocket-Protocol")
            observed.socket.request.setValue("t0k3n", forHTTPHeaderField: "X-Token")
            let received = Journal()
            var listener: Listener? = Listener(received)
            observed.socket.delegate = listener
            observed.socket.connect()
            #expect(
                await received.entries(atLeast: 3) == ["viable true", "superchat t0k3n", "text from the delegate"])
            listener = nil
            observed.queue.sync {}
            #expect(observed.socket.delegate == nil)
            observed.socket.disconnect()
            _ = await observed.journal.entries(atLeast: 4)
            #expect(received.entries.count == 3)
        }
    }
}
