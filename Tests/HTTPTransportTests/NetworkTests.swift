import HTTPTransport
import Testing

@Suite("HTTP over the network", .timeLimit(.minutes(15)))
struct NetworkTests {
    private let transport = HTTPTransport.network()

    private static func answer(_ body: String, status: String = "200 OK", more: String = "")
        -> ScriptedBytesServer.Piece
    {
        .text("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\(more)\r\n\(body)")
    }

    private func failure(_ request: HTTPTransportRequest) async -> HTTPTransportError? {
        do throws(HTTPTransportError) {
            _ = try await transport.send(request)
            return nil
        } catch {
            return error
        }
    }

    @Test("sends method, headers and body, and gives back status, headers in lower case, and the body")
    func roundTrip() async throws {
        try await ScriptedBytesServer.with([Self.answer("hello", status: "201 Created", more: "X-Kind: A\r\n")]) {
            let answer = try await transport.send(
                HTTPTransportRequest(
                    method: "POST", url: $0.url + "/a?b=c", headers: ["X-Own": "1"], body: Array("x".utf8)))
            #expect(answer.status == 201 && answer.body == Array("hello".utf8) && answer.headers["x-kind"] == "A")
            let head = try #require($0.requests.first)
            #expect(head.hasPrefix("POST /a?b=c HTTP/1.1\r\n") && head.contains("X-Own: 1\r\n"))
        }
    }

    @Test("a redirect is an answer: nothing is sent anywhere else")
    func redirect() async throws {
        try await ScriptedBytesServer.with([Self.answer("", status: "302 Found", more: "Location: /b\r\n")]) {
            let answer = try await transport.send(HTTPTransportRequest(url: $0.url))
            #expect(answer.status == 302 && $0.requests.count == 1)
        }
    }

    @Test("the time limit holds for the head and for the body")
    func timeout() async throws {
        try await ScriptedBytesServer.with([]) {
            #expect(await failure(HTTPTransportRequest(url: $0.url, timeout: 0.1)) == .timedOut)
        }
        try await ScriptedBytesServer.with([.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")]) {
            #expect(await failure(HTTPTransportRequest(url: $0.url, timeout: 0.1)) == .timedOut)
        }
    }

    @Test("a body beyond the bound is refused, with and without an announced length")
    func bound() async throws {
        try await ScriptedBytesServer.with([Self.answer("12345")]) {
            #expect(await failure(HTTPTransportRequest(url: $0.url, maximumBody: 4)) == .tooLarge)
            #expect(await failure(HTTPTransportRequest(url: $0.url, maximumBody: 5)) == nil)
        }
        try await ScriptedBytesServer.with([.text("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n12345"), .close]) {
            #expect(await failure(HTTPTransportRequest(url: $0.url, maximumBody: 4)) == .tooLarge)
        }
    }

    @Test("a connection that breaks before or inside the answer is lost; where there is no server, none was made")
    func lost() async throws {
        for pieces: [ScriptedBytesServer.Piece] in [
            [.close], [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), .close],
        ] {
            try await ScriptedBytesServer.with(pieces) {
                #expect(await failure(HTTPTransportRequest(url: $0.url)) == .lost)
            }
        }
        guard case .notConnected = await failure(HTTPTransportRequest(url: "http://127.0.0.1:1")) else {
            Issue.record("port 1 has a server")
            return
        }
        #expect(await failure(HTTPTransportRequest(url: "ftp://127.0.0.1")) != nil)
        #expect(await failure(HTTPTransportRequest(url: "http://")) == .badURL)
    }

    @Test("cancelling the task cancels the request")
    func cancelling() async throws {
        try await ScriptedBytesServer.with([.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")]) { server in
            let task = Task { [url = server.url] in await failure(HTTPTransportRequest(url: url, timeout: 600)) }
            while server.requests.isEmpty { await Task.yield() }
            task.cancel()
            #expect(await task.value == .cancelled)
        }
    }

    @Test("a stream hands over the head and then the body as it arrives, until its reader has enough")
    func streaming() async throws {
        let pieces: [ScriptedBytesServer.Piece] = [.text("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\none"), .close]
        try await ScriptedBytesServer.with(pieces) {
            var parts: [HTTPTransportPart] = []
            try await transport.stream(HTTPTransportRequest(url: $0.url)) { part in
                parts.append(part)
                return true
            }
            guard case .head(200, let headers)? = parts.first else {
                Issue.record("\(parts)")
                return
            }
            #expect(headers["connection"] == "close")
            let body = parts.dropFirst().flatMap { part in if case .body(let bytes) = part { bytes } else { [UInt8]() }
            }
            #expect(body == Array("one".utf8))

            var count = 0
            try await transport.stream(HTTPTransportRequest(url: $0.url)) { _ in
                count += 1
                return false
            }
            #expect(count == 1)
        }
    }

    @Test("neither a request's description nor a dump of it shows a header, a query or a body")
    func secrecy() {
        let request = HTTPTransportRequest(
            url: "http://host/path?token=s3cret", headers: ["Authorization": "s3cret"], body: Array("s3cret".utf8))
        var dumped = ""
        dump(request, to: &dumped)
        for text in ["\(request)", String(reflecting: request), dumped, "\([request])"] {
            #expect(!text.contains("s3cret") && !text.contains("115"), "\(text)")
        }
        #expect("\(request)" == "GET http://host/path")
    }

    @Test("a scripted transport streams its whole answer as two parts")
    func scripted() async throws {
        let transport = HTTPTransport {
            (request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportAnswer in
            HTTPTransportAnswer(status: 200, body: Array(request.url.utf8))
        }
        var parts: [HTTPTransportPart] = []
        try await transport.stream(HTTPTransportRequest(url: "a")) { part in
            parts.append(part)
            return true
        }
        #expect(parts == [.head(status: 200, headers: [:]), .body(Array("a".utf8))])
    }
}
