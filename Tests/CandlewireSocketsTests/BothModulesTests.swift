import CandlewireSockets
import NIOCore
import StreamCore
import Testing
import WebSocketTransport

@Suite("Both modules in one file", .timeLimit(.minutes(15)))
struct BothModulesTests {
    private final class Listener: WebSocketDelegate {
        let journal: Journal
        init(_ journal: Journal) { self.journal = journal }

        func didReceive(event: WebSocketEvent, client: any WebSocketClient) {
            switch event {
            case .connected: client.write(string: "callbacks")
            case .text(let text): journal.note(text)
            default: break
            }
        }
    }

    @Test("each module's client is used by its name alone")
    func names() async throws {
        try await TestServer.with { server in
            let connection = try await WebSocketConnector.connect(url: server.url("echo"), timeout: .seconds(60))
            try await connection.send(text: "async")
            for await case .text(let text) in connection.events {
                #expect(text == "async")
                break
            }
            await connection.close(code: WebSocketCloseCode.normal)

            let observed = Observed(server.url("echo"))
            let journal = Journal()
            let listener = Listener(journal)
            observed.socket.delegate = listener
            observed.socket.connect()
            #expect(await journal.entries(atLeast: 1) == ["callbacks"])
            withExtendedLifetime(listener) {}
        }
    }
}
