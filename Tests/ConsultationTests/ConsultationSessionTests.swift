import Consultation
import StreamCore
import TestKit
import Testing

@MainActor
@Suite struct ConsultationSessionTests {
    /// Waits for something that happens in tasks, with a deadline that only a hung machine meets.
    private func wait(
        _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation, until condition: () -> Bool
    ) async {
        let deadline = ContinuousClock.now.advanced(by: .seconds(180))
        while !condition() {
            guard ContinuousClock.now < deadline else {
                Issue.record("not met: \(comment)", sourceLocation: sourceLocation)
                return
            }
            await Task.yield()
        }
    }

    /// Moves the clock, and lets the woken tasks do what they do, until it shows the time.
    private func pass(_ seconds: Double, _ clock: ManualClock, step: Double = 0.05) async {
        let end = clock.seconds + seconds
        while clock.seconds < end - 1e-9 {
            clock.advance(by: .seconds(min(step, end - clock.seconds)))
            for _ in 0..<40 { await Task.yield() }
        }
    }

    private func started(
        _ configuration: ConsultationConfiguration = .init(), template: ToolCall? = nil,
        tokens: ConsultationSession.TokenSource? = nil
    ) -> (ConsultationSession, SimulatedConsultation, ManualClock) {
        let clock = ManualClock()
        let time = ConsultationClock(clock, epoch: 1_737_972_000)
        let server = SimulatedConsultation(clock: time, template: template)
        let session = ConsultationSession(configuration, transport: server, clock: time, tokens: tokens, seed: 3)
        return (session, server, clock)
    }

    @Test("the simulated server connects after 0.5 s, answers after 1 s, a word each 0.1 s, always the same")
    func timings() async throws {
        let (session, _, clock) = started()
        session.connect()
        await pass(0.45, clock)
        #expect(!session.isConnected)
        await pass(0.1, clock)
        #expect(session.isConnected)
        try session.send("hello")
        await pass(0.95, clock)
        #expect(session.messages.count == 2 && session.messages[1].text == "")
        await pass(0.1, clock)
        #expect(session.messages.last?.text == "I " && session.isAITyping)
        await pass(0.2, clock)
        #expect(session.messages.last?.text == "I understand you ")
        await pass(3, clock)
        #expect(session.messages.last?.text == SimulatedConsultation.sentence && !session.isAITyping)
        #expect(session.messages.last?.state == .complete)
    }

    @Test("connected, messages, typing and error are observable, and change only when they differ")
    func observable() async throws {
        let (session, server, clock) = started()
        #expect(
            !session.isConnected && session.messages.isEmpty && !session.isAITyping && session.connectionError == nil)
        server.refusals = [503]
        session.connect()
        await pass(0.6, clock)
        #expect(session.connectionError == "Server error. Retrying..." && !session.isConnected)
        await pass(4, clock)
        #expect(session.isConnected && session.connectionError == nil)
        try session.send("hello")
        #expect(session.messages.map(\.state) == [.pending])
        await pass(0.1, clock)
        #expect(session.messages.first?.state == .sent)
    }

    @Test("no token, and a URL that is none, are reported before anything is sent")
    func setup() async {
        let (session, _, _) = started(tokens: { _ in nil })
        session.connect()
        await wait("the token is missed") { session.connectionError == "No authentication token" }
        #expect(session.state == .closed)
        for url in ["", "http://example.com", "wss://exa mple.com/x"] {
            let session = ConsultationSession(transport: WebSocketConsultationTransport(url: url), seed: 1)
            session.connect()
            #expect(session.connectionError == "Invalid URL" && session.state == .closed)
        }
    }

    @Test("a token that is refused is fetched anew once; a second refusal requests a login")
    func tokens() async {
        var requested: [Bool] = []
        let (session, server, clock) = started(tokens: { wasRejected in
            requested.append(wasRejected)
            return wasRejected ? "new" : "old"
        })
        server.refusals = [401]
        session.connect()
        await pass(1.5, clock)
        #expect(requested == [false, true] && session.isConnected && !session.needsLogin)
        server.refusals = [401, 401]
        session.disconnect()
        session.connect()
        await pass(2, clock)
        #expect(session.needsLogin && session.connectionError == "Authentication failed. Please login again.")
        session.reconnect()
        #expect(session.connectionError == nil && !session.needsLogin)
    }

    @Test("an answer goes on through a lost line, stop stops it, and after disconnect nothing comes")
    func dropAndStop() async throws {
        let (session, server, clock) = started()
        session.connect()
        await pass(0.6, clock)
        try session.send("hello")
        await pass(1.3, clock)
        let before = session.messages.last?.text ?? ""
        #expect(!before.isEmpty)
        server.cut()
        await pass(0.05, clock)
        #expect(!session.isConnected && !session.isAITyping && session.messages.last?.isStreaming == true)
        await pass(6, clock)
        #expect(session.messages.last?.text == SimulatedConsultation.sentence && session.diagnostics.resumed == 1)
        try session.send("again")
        await pass(1.5, clock)
        let answer = try #require(session.messages.last)
        session.cancel(answer.id)
        await pass(1, clock)
        #expect(session.messages.last?.state == .cancelled)
        #expect(SimulatedConsultation.sentence.hasPrefix(session.messages.last?.text ?? "x"))
        session.retry(answer.id)
        session.disconnect()
        let shown = session.messages
        await pass(60, clock, step: 1)
        #expect(session.messages == shown && session.state == .closed && session.uptime == 0)
    }

    @Test("the simulated server's templates are cards")
    func templates() async throws {
        let (session, _, clock) = started(
            template: ToolCall(
                name: "create_workout", arguments: ["name": "Legs", "exercises": [["name": "Squats"]]]))
        session.connect()
        await pass(0.6, clock)
        try session.send("hello")
        await pass(4, clock)
        #expect(session.messages.compactMap(\.template).map(\.name) == ["Legs"])
        #expect(session.messages.last?.text == "Created workout template: Legs")
    }
}
