import Consultation
import StreamCore
import TestKit
import Testing

@MainActor
@Suite struct WebSocketConsultationTransportTests {
    private func wait(
        _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation, until condition: () -> Bool
    ) async throws {
        let deadline = ContinuousClock.now.advanced(by: .seconds(180))
        while !condition() {
            guard ContinuousClock.now < deadline else {
                Issue.record("not met: \(comment)", sourceLocation: sourceLocation)
                return
            }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    @Test("over a real socket a conversation goes both ways, survives a cut and ends with 1000")
    func conversation() async throws {
        let server = try await ScriptedServer.start([
            [
                .expectText(containing: "sync"), .expectText(containing: #""content":"hi""#),
                frame(.aiMessageStart, "a1", sequence: 1), frame(.aiMessageChunk, "a1", "Hel", offset: 0),
                .sendBinary([1, 2, 3]), .wait(0.2), .cut,
            ],
            [
                .expectText(containing: #""message_id":"a1""#), .expectText(containing: #""content":"hi""#),
                frame(.sync, "a1", sequence: 1, metadata: ["resumed": true]),
                frame(.aiMessageChunk, "a1", "lo", offset: 3),
                frame(.aiMessageComplete, "a1", sequence: 2, offset: 5), .expectClose(.normal),
            ],
        ])
        var configuration = ConsultationConfiguration()
        configuration.connection.backoff.base = 0.01
        let session = ConsultationSession(
            configuration, transport: WebSocketConsultationTransport(url: server.url), tokens: { _ in "t0ken" }, seed: 9
        )
        session.connect()
        try session.send("hi")
        try await wait("the answer is whole") {
            session.messages.contains { $0.role == .assistant && $0.state == .complete }
        }
        #expect(session.messages.map(\.text) == ["Hello", "hi"])
        #expect(session.diagnostics.binary == 1 && session.diagnostics.connects == 2)
        session.disconnect()
        try await server.finish(within: 120)
        await server.stop()
    }

    @Test("a server's 404 is reported as what it is, and it is not tried again")
    func notFound() async throws {
        let server = try await ScriptedServer.start([[.refuse(status: 404)]])
        let session = ConsultationSession(transport: WebSocketConsultationTransport(url: server.url), seed: 9)
        session.connect()
        try await wait("the refusal") { session.connectionError != nil }
        #expect(session.connectionError == "Consultation not found." && session.state == .failed(.refused(status: 404)))
        #expect(server.connections == 1)
        await server.stop()
    }

    @Test("a socket that is let go while it opens reports nothing any more")
    func letGo() async throws {
        let server = try await ScriptedServer.start([[]])
        let session = ConsultationSession(transport: WebSocketConsultationTransport(url: server.url), seed: 9)
        session.connect()
        session.disconnect()
        #expect(session.state == .closed)
        for _ in 0..<50 { try await Task.sleep(for: .milliseconds(2)) }
        #expect(session.state == .closed && !session.isConnected && session.connectionError == nil)
        await server.stop()
    }
}
