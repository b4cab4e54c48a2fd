import CandlewireUI
import HTTPTransport
import MarketServices
import Synchronization
import Testing

@Suite("The conversations on a server")
struct ServerConversationsTests {
    private final class Server: Sendable {
        let requests = Mutex<[String]>([])
        let answers: Mutex<[(status: Int, body: String)]>

        init(_ answers: [(status: Int, body: String)]) { self.answers = Mutex(answers) }

        var conversations: ServerConversations {
            var settings = LiveServiceSettings(url: "http://127.0.0.1:8080")
            settings.transport = HTTPTransport(send: { [self] request throws(HTTPTransportError) in
                let body = request.body.map { " " + String(decoding: $0, as: UTF8.self) } ?? ""
                requests.withLock { $0.append("\(request.method) \(request.url)\(body)") }
                let answer = answers.withLock { $0.removeFirst() }
                return HTTPTransportAnswer(status: answer.status, body: Array(answer.body.utf8))
            })
            return ServerConversations(settings)
        }
    }

    private static let item =
        #"{"id":"a","user":"local","type":"markets","status":"open","title":"Hello","created_at":1,"updated_at":2.5,"#
        + #""messages":3,"answering":false}"#

    @Test("Lists, starts and deletes as the server's routes have it")
    func requests() async throws {
        let server = Server([
            (200, #"{"consultations":[\#(Self.item)],"more":true}"#), (201, Self.item), (204, ""),
            (
                200,
                #"{"types":[{"type":"nutrition","title":"Nutrition","greeting":"","listed":false}],"accepts_others":true}"#
            ),
        ])
        let conversations = server.conversations
        let page = try await conversations.fetchConversations(before: "x y")
        #expect(page.more)
        #expect(
            page.conversations == [Conversation(id: "a", type: "markets", title: "Hello", updatedAt: 2.5, messages: 3)])
        _ = try await conversations.startConversation(type: "nutrition")
        try await conversations.deleteConversation("a/b")
        let types = try await conversations.fetchTypes()
        #expect(types == [ConversationType(type: "nutrition", title: "Nutrition", isListed: false)])
        #expect(
            server.requests.withLock { $0 } == [
                "GET http://127.0.0.1:8080/consultations?before=x%20y",
                #"POST http://127.0.0.1:8080/consultations {"consultationType":"nutrition"}"#,
                "DELETE http://127.0.0.1:8080/consultations/a%2Fb",
                "GET http://127.0.0.1:8080/consultation-types",
            ])
    }

    @Test("A refusal is the server's sentence")
    func refusal() async {
        let server = Server([(422, #"{"error":{"code":"invalid","message":"No such type.","field":"type"}}"#)])
        let error = await #expect(throws: ServiceError.self) {
            _ = try await server.conversations.startConversation(type: "x")
        }
        #expect(error?.message == "No such type.")
    }
}
