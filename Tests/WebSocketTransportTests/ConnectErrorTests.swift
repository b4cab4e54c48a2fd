import NIOCore
import NIOHTTP1
import StreamCore
import Testing
import WebSocketTransport

@Suite("Sentences of errors", .timeLimit(.minutes(15)))
struct ConnectErrorTests {
    static let secrets: [(String, String)] = [
        ("wss://example.com/ws?token=abc123", "wss://example.com/ws?token=…"),
        ("wss://example.com/ws?a=1&token=abc123&b", "wss://example.com/ws?a=…&token=…&…"),
        ("wss://me:hunter2@example.com/ws", "wss://…@example.com/ws"),
        ("wss://example.com?abc123", "wss://example.com?…"),
        ("wss://example.com/ws#access=abc123", "wss://example.com/ws#…"),
        ("wss://example.com/ws?x=a@b://c#d?e", "wss://example.com/ws?x=…#…"),
        ("wss://example.com/plain", "wss://example.com/plain"),
        ("/ws?token=abc123", "/ws?token=…"),
    ]

    @Test("a URL for a log has no user, no query values and no fragment", arguments: secrets)
    func redacted(url: String, redacted: String) {
        #expect(WebSocketURL.redacted(url) == redacted)
    }

    @Test("no error of a connection shows the token that was in its URL or headers")
    func noSecrets() async throws {
        let headers: HTTPHeaders = ["Authorization": "Bearer hunter2"]
        var seen: [any Error] = []
        func collect(_ url: String) async {
            do {
                _ = try await WebSocketConnector.connect(url: url, headers: headers, timeout: .milliseconds(400))
                Issue.record("it connected")
            } catch {
                seen.append(error)
            }
        }
        for url in ["http://h/?token=hunter2", "ws://u:hunter2@h/", "ws://h/?token=hunter2#f", "ws://h/?é=hunter2"] {
            await collect(url)
        }
        let upgrade = WebSocketServerUpgrade(
            shouldUpgrade: { head in
                let target = "ws://elsewhere.example" + head.uri
                return .refuse(.found, headers: ["Location": target], message: "hunter2")
            }, onOpen: { _, _ in })
        try await LoopbackServer.with(upgrade) { server in await collect(server.url + "/ws?token=hunter2") }
        try await LoopbackServer.with { server in
            await collect(server.url + "/?token=hunter2")
            await collect(server.secureURL + "/?token=hunter2")
        } initializer: {
            $0.eventLoop.makeSucceededVoidFuture()
        }
        #expect(seen.count == 7)
        for error in seen {
            #expect(!"\(error)".contains("hunter2"), "\(error)")
            #expect(!String(reflecting: error).contains("hunter2"))
        }
        #expect(!"\(try WebSocketURL("ws://h/?token=hunter2"))".contains("hunter2"))
    }

    @Test("a refusal explains itself", arguments: [401, 403, 404, 302, 500, 503, 429, 408, 400, 501])
    func meaning(status: Int) async throws {
        let upgrade = WebSocketServerUpgrade(
            shouldUpgrade: { _ in
                .refuse(HTTPResponseStatus(statusCode: status), headers: ["Location": "/there?t=1"])
            }, onOpen: { _, _ in })
        try await LoopbackServer.with(upgrade) { server in
            let error = try #require(
                await #expect(throws: WebSocketUpgradeError.self) {
                    try await WebSocketConnector.connect(url: server.url, timeout: .patient)
                })
            #expect(error.isRedirect == (status == 302))
            #expect(error.redirectTarget == (status == 302 ? "/there?t=1" : nil))
            #expect(error.isServerError == (status >= 500))
            #expect(error.isRetryable == [500, 503, 429, 408].contains(status))
            #expect(error.description.contains("HTTP \(status)"))
            #expect(error.description.hasSuffix("it points to /there?t=…)") == (status == 302))
        }
    }

    static let waits: [(HTTPHeaders, Double?)] = [
        ([:], nil),
        (["Retry-After": "120"], 120),
        (["Retry-After": "0"], 0),
        (["Retry-After": "-1"], nil),
        (["Retry-After": "soon"], nil),
        (["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:07 GMT"], 30),
        (["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:50:07 GMT"], 0),
        (["Retry-After": "Mon, 01 Jan 2001 00:00:00 GMT", "Date": "Sun, 31 Dec 2000 23:59:00 GMT"], 60),
        (["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"], nil),
        (["Retry-After": "Sun, 06 Nov 1994 28:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:07 GMT"], nil),
    ]

    @Test("Retry-After is read in both forms", arguments: waits.indices)
    func retryAfter(index: Int) async throws {
        let (headers, seconds) = Self.waits[index]
        let upgrade = WebSocketServerUpgrade(
            shouldUpgrade: { _ in .refuse(.serviceUnavailable, headers: headers) }, onOpen: { _, _ in })
        try await LoopbackServer.with(upgrade) { server in
            let error = await #expect(throws: WebSocketUpgradeError.self) {
                try await WebSocketConnector.connect(url: server.url, timeout: .patient)
            }
            #expect(error?.retryAfter == seconds)
        }
    }

    @Test(
        "status and Retry-After are reported although the body never ends; half a head is a time-out",
        arguments: [401, 503])
    func endlessBody(status: Int) async throws {
        let head = "HTTP/1.1 \(status) No\r\nRetry-After: 7\r\n"
        for (answer, isWhole) in [
            (head + "Content-Length: 1000\r\n\r\nwhy", true),
            (head + "Transfer-Encoding: chunked\r\n\r\n3\r\nwhy\r\n", true), (head + "\r\n", true), (head, false),
        ] {
            try await LoopbackServer.with { server in
                var refusal: WebSocketUpgradeError?
                // On a busy machine even the head may take longer than the first time limits.
                for limit in isWhole ? [500, 2000, 8000] : [500] where refusal == nil {
                    do {
                        _ = try await WebSocketConnector.connect(url: server.url, timeout: .milliseconds(Int64(limit)))
                        Issue.record("it connected")
                    } catch let error as WebSocketUpgradeError {
                        refusal = error
                    } catch let error as WebSocketConnectError {
                        #expect(error.code == .timedOut)
                    }
                }
                #expect(refusal.map { Int($0.status.code) } == (isWhole ? status : nil))
                #expect(refusal?.retryAfter == (isWhole ? 7 : nil))
            } initializer: { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(CannedHandler(answer, closes: false))
                }
            }
        }
    }

    @Test("a cancelled task stops waiting, and the server sees the connection go")
    func cancelled() async throws {
        let seen = Happenings()
        try await LoopbackServer.with { server in
            let task = Task { try await WebSocketConnector.connect(url: server.url, timeout: .patient) }
            await seen.wait(for: "connected")
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            await seen.wait(for: "gone")
        } initializer: { channel in
            seen.note("connected")
            channel.closeFuture.whenComplete { _ in seen.note("gone") }
            // Reads, so that the end is seen, and answers nothing.
            return channel.setOption(ChannelOptions.allowRemoteHalfClosure, value: false)
        }
    }
}
