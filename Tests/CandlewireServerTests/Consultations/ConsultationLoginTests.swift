import Consultation
import Foundation
import MarketFeeds
import NIOHTTP1
import StreamCore
import Testing
import WebSocketTransport

@testable import CandlewireServer

@Suite("Logging in to a consultation")
struct ConsultationLoginTests {
    private func with<R: Sendable>(
        _ logins: ConsultationAccessTests.Logins = .keys, _ body: @Sendable @escaping (LoginWorld) async throws -> R
    ) async throws -> R {
        try await RunningServer.with(
            feed: .simulated(symbols: ["BTC-USD"]), consultation: try await ConsultationAccessTests.options(logins)
        ) { try await body(LoginWorld(server: $0)) }
    }

    @Test("a conversation is begun and read with an API key, and no other user's business")
    func rest() async throws {
        try await with { world in
            #expect(try await world.begin([:]).status == 401)
            let (status, id) = try await world.begin(world.ada)
            #expect(status == 201)
            let path = "/consultations/\(id)"
            #expect(try await world.status("GET", path, world.ada) == 200)
            #expect(try await world.status("GET", path, [:]) == 401)
            #expect(try await world.status("GET", path, world.bob) == 403)
            #expect(try await world.status("DELETE", path, world.bob) == 403)
            #expect(try await world.status("POST", path + "/ticket", world.bob) == 403)
            for place in ["/messages", "/export", "/export?format=markdown"] {
                #expect(try await world.status("GET", path + place, world.bob) == 403)
                #expect(try await world.status("GET", path + place, [:]) == 401)
                #expect(try await world.status("GET", path + place, world.ada) == 200)
            }
            for decision in ["approve", "decline"] {
                let decided = #"{"decision":"\#(decision)"}"#
                let place = path + "/proposals/\(id)-t1"
                #expect(try await world.post(place, decided, world.bob).status == 403)
                #expect(try await world.post(place, decided, [:]).status == 401)
                #expect(try await world.post(place, decided, world.ada).status == 404)
            }
            #expect(try await world.status("GET", path + "/ticket", world.ada) == 405)
            let other = #"{"consultationType":"nutrition","userId":"ada"}"#
            #expect(try await world.post("/consultations", other, world.bob).status == 403)
            // After all that was refused it is still there, and its owner may delete it.
            #expect(try await world.status("DELETE", path, [:]) == 401)
            #expect(try await world.status("DELETE", path, world.ada) == 204)
            #expect(try await world.status("GET", path, world.ada) == 404)
        }
    }

    @Test("A token that renews another one is looked at however its frame is written, and never acknowledged unseen")
    func escapedType() async throws {
        try await with { world in
            let id = try await world.begin(world.ada).id
            for type in [#""\u0061uth""#, #""aut\u0068""#, #""auth""#] {
                let socket = try await world.open(id, world.ada)
                try await socket.socket.send(
                    text: #"{"\u0074ype":\#(type),"content":"wrong-key-of-nobody","message_id":"a1","#
                        + #""timestamp":"2025-01-27T10:00:00Z"}"#)
                #expect(try await socket.next(.error).metadata?["code"] == "unauthorized")
                #expect(try await socket.closed() == .unauthorized)
            }
        }
    }

    @Test("the handshake is refused with 401, 403 and 404 where its headers decide")
    func handshake() async throws {
        try await with { world in
            let id = try await world.begin(world.ada).id
            #expect(try await world.refusal(id, world.ada) == nil)
            #expect(try await world.refusal(id, ["X-API-Key": "wrong-key-of-nobody"]) == 401)
            #expect(try await world.refusal(id, world.bob) == 403)
            #expect(try await world.refusal("3f1b7a1e-0000-4000-8000-000000000000", world.ada) == 404)
            let expired = try await ConsultationAccessTests.token(expiresIn: -61)
            #expect(try await world.refusal(id, ["Authorization": "Bearer \(expired)"]) == 401)
            #expect(try await world.refusal("\(id)&token=\(try await ConsultationAccessTests.token())", [:]) == 401)
        }
    }

    @Test("a browser's first frame identifies the user, and is answered with ack, or an error and 4101, 4103, 4104")
    func firstFrame() async throws {
        try await with { world in
            let id = try await world.begin(world.ada).id
            let socket = try await world.open(id)
            try await socket.send(.auth, ConsultationAccessTests.adaKey)
            #expect(try await socket.next(.ack).messageID == "m1")
            try await socket.send(.ping)
            #expect(try await socket.next(.pong).messageID == "m2")

            let wrong = try await world.open(id)
            try await wrong.send(.auth, TestSecrets.remember("wrong-key-of-nobody"))
            #expect(try await wrong.next(.error).metadata?["code"] == "unauthorized")
            #expect(try await wrong.closed() == .unauthorized)

            let eager = try await world.open(id)
            try await eager.send(.ping)
            #expect(try await eager.closed() == .unauthorized)

            let foreign = try await world.open(id)
            try await foreign.send(.auth, ConsultationAccessTests.bobKey)
            #expect(try await foreign.next(.error).metadata?["code"] == "forbidden")
            #expect(try await foreign.closed().rawValue == 4103)

            let unknown = try await world.open("3f1b7a1e-0000-4000-8000-000000000000")
            try await unknown.send(.auth, ConsultationAccessTests.bobKey)
            #expect(try await unknown.next(.error).metadata?["code"] == "not_found")
            #expect(try await unknown.closed().rawValue == 4104)
        }
    }

    @Test("a ticket opens its conversation once")
    func ticket() async throws {
        try await with { world in
            let (id, other) = (try await world.begin(world.ada).id, try await world.begin(world.ada).id)
            let ticket = try await world.ticket(id, world.ada)
            #expect(try await world.refusal("\(other)&ticket=\(ticket)", [:]) == 401)
            let socket = try await world.open("\(id)&ticket=\(ticket)")
            try await socket.send(.ping)
            #expect(try await socket.next(.pong).messageID == "m1")
            #expect(try await world.refusal("\(id)&ticket=\(ticket)", [:]) == 401)
        }
    }

    @Test("an expired token is reported, accepted for a minute, and then ends the connection with 4101")
    func expiry() async throws {
        try await with(.tokens) { world in
            let ada = ["Authorization": "Bearer \(try await ConsultationAccessTests.token())"]
            let id = try await world.begin(ada).id
            let token = try await ConsultationAccessTests.token(expiresIn: 1 - WebTokens.leeway)
            let socket = try await world.open(id, ["Authorization": "Bearer \(token)"])
            #expect(try await socket.next(.error).content == "The token expired; send auth with a new one.")
            #expect(try await socket.next(.error).content == "The token expired.")
            #expect(try await socket.closed() == .unauthorized)

            let again = try await world.open(id, ["Authorization": "Bearer \(token)"], mayFail: true)
            #expect(again == nil)
            let second = try await ConsultationAccessTests.token(for: "bob")
            let thief = try await world.open(id, ada)
            try await thief.send(.auth, second)
            #expect(try await thief.next(.error).content == "The token is another user's.")
            #expect(try await thief.closed() == .unauthorized)
        }
    }

    @MainActor
    @Test(
        "the client renews its token on the open connection, which outlives the old one",
        .timeLimit(.minutes(5)), arguments: [ConsultationConfiguration.Authentication.firstFrame, .handshake])
    func renewal(authentication: ConsultationConfiguration.Authentication) async throws {
        try await with(.tokens) { world in
            let id = try await world.begin(["Authorization": "Bearer \(try await ConsultationAccessTests.token())"]).id
            let ends = Date().timeIntervalSince1970 + 1
            try await Self.renew(world, id, ends, authentication)
        }
    }

    @MainActor
    private static func renew(
        _ world: LoginWorld, _ id: String, _ ends: Double, _ authentication: ConsultationConfiguration.Authentication
    ) async throws {
        var configuration = ConsultationConfiguration()
        configuration.authentication = authentication
        let tokens = TokenRequests()
        let session = ConsultationSession(
            configuration, transport: WebSocketConsultationTransport(url: world.address(id), timeout: 60),
            tokens: { wasRejected in
                tokens.rejections.append(wasRejected)
                let left = wasRejected ? 600 : ends - WebTokens.leeway - Date().timeIntervalSince1970
                return try await ConsultationAccessTests.token(expiresIn: left)
            })
        session.connect()
        _ = try await eventually {
            session.isConnected && tokens.rejections.count >= 2 && Date().timeIntervalSince1970 >= ends + 0.5
                ? true : nil
        }
        try session.send("How is BTC-USD?")
        _ = try await eventually {
            session.messages.first { $0.role == .assistant && $0.state == .complete }
        }
        #expect(tokens.rejections == [false, true])
        #expect(session.diagnostics.connects == 1 && session.connectionError == nil)
        session.disconnect()
    }

    @MainActor private final class TokenRequests {
        var rejections: [Bool] = []
    }
}

/// A server that requires a login.
struct LoginWorld: Sendable {
    let server: RunningServer
    let ada = ["X-API-Key": ConsultationAccessTests.adaKey]
    let bob = ["X-API-Key": ConsultationAccessTests.bobKey]

    func post(_ path: String, _ body: String, _ headers: [String: String]) async throws -> (
        status: Int, body: JSONValue
    ) {
        let answer = try await server.post(path, Data(body.utf8), headers: headers)
        return (answer.status, (try? JSONValue(parsing: String(decoding: answer.body, as: UTF8.self))) ?? .null)
    }

    func status(_ method: String, _ path: String, _ headers: [String: String]) async throws -> Int {
        try await server.send(method, path, headers: headers).status
    }

    func begin(_ headers: [String: String]) async throws -> (status: Int, id: String) {
        let answer = try await post("/consultations", #"{"consultationType":"nutrition"}"#, headers)
        return (answer.status, answer.body["id"]?.text ?? "")
    }

    func ticket(_ id: String, _ headers: [String: String]) async throws -> String {
        let answer = try await post("/consultations/\(id)/ticket", "", headers)
        #expect(answer.status == 201 && answer.body["expires_in"] == 30)
        return TestSecrets.remember(answer.body["ticket"]?.text ?? "no ticket")
    }

    func address(_ id: String) -> String { "ws://127.0.0.1:\(server.port)/ws/consultation?consultation_id=\(id)" }

    func open(_ id: String, _ headers: [String: String] = [:]) async throws -> LoginSocket {
        LoginSocket(
            try await WebSocketConnector.connect(
                url: address(id), headers: HTTPHeaders(headers.map { ($0, $1) }), timeout: .patient))
    }

    func open(_ id: String, _ headers: [String: String], mayFail: Bool) async throws -> LoginSocket? {
        do { return try await open(id, headers) } catch is WebSocketUpgradeError { return nil }
    }

    /// The status that a handshake was refused with.
    func refusal(_ id: String, _ headers: [String: String]) async throws -> Int? {
        do {
            let socket = try await open(id, headers)
            await socket.socket.close(code: .normal, reason: "")
            return nil
        } catch let error as WebSocketUpgradeError {
            return Int(error.status.code)
        }
    }
}

final class LoginSocket {
    let socket: WebSocketConnection
    private var events: WebSocketEvents.Iterator
    private var sent = 0

    init(_ socket: WebSocketConnection) {
        self.socket = socket
        events = socket.events.makeAsyncIterator()
    }

    func send(_ type: EnvelopeType, _ content: String? = nil) async throws {
        sent += 1
        let frame = Envelope(type, content: content, messageID: "m\(sent)", timestamp: 1_750_000_000)
        try await socket.send(text: String(decoding: frame.bytes, as: UTF8.self))
    }

    /// The next frame of a type; others are passed over.
    func next(_ type: EnvelopeType) async throws -> Envelope {
        while let event = await events.next() {
            switch event {
            case .text(let text):
                let frame = try Array(text.utf8).withUnsafeBytes { try Envelope.decode($0) }
                if frame.type == type { return frame }
            case .disconnected(let code, _): throw StreamReader.Disconnected(code: code)
            default: continue
            }
        }
        throw StreamReader.Disconnected(code: .abnormal)
    }

    func closed() async throws -> WebSocketCloseCode {
        do {
            while true { _ = try await next(.aiMessageChunk) }
        } catch let error as StreamReader.Disconnected {
            return error.code
        }
    }
}
