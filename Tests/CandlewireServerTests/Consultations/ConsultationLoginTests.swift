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
                // A key gives no right to trade.
                let status = try await world.post(place, decided, world.ada).status
                #expect(status == (decision == "approve" ? 403 : 404))
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

    @MainActor
    @Test("the client sends the app's key in the handshake and the user's token there or in the first message")
    func bothCredentials() async throws {
        let token = try await ConsultationAccessTests.token(for: "alice")
        try await with(.both) { world in
            let both = world.ada.merging(["Authorization": "Bearer \(token)"]) { $1 }
            let id = try await world.begin(both).id
            for authentication in [ConsultationConfiguration.Authentication.firstFrame, .handshake] {
                try await Self.talk(world, id, token, authentication)
            }
        }
    }

    @MainActor
    private static func talk(
        _ world: LoginWorld, _ id: String, _ token: String,
        _ authentication: ConsultationConfiguration.Authentication
    ) async throws {
        let key = HTTPHeaders(world.ada.map { ($0, $1) })
        for (headers, isAccepted) in [(key, true), (HTTPHeaders(), false)] {
            var configuration = ConsultationConfiguration()
            configuration.authentication = authentication
            let session = ConsultationSession(
                configuration,
                transport: WebSocketConsultationTransport(url: world.address(id), headers: headers, timeout: 60),
                tokens: { wasRejected in wasRejected ? nil : token })
            session.connect()
            _ = try await eventually { session.isConnected || session.needsLogin ? true : nil }
            #expect(session.isConnected == isAccepted, "\(authentication)")
            session.disconnect()
        }
    }

    @MainActor private final class TokenRequests {
        var rejections: [Bool] = []
    }
}
