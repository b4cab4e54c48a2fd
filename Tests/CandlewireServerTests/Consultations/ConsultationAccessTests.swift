import Consultation
import Foundation
import MarketFeeds
import NIOHTTP1
import StreamCore
import Testing
import WebSocketTransport

@testable import CandlewireServer

@Suite("Who may consult")
struct ConsultationAccessTests {
    static let adaKey = TestSecrets.remember("the-api-key-of-ada-0001")
    static let bobKey = TestSecrets.remember("the-api-key-of-bob-0002")
    static let streamToken = TestSecrets.remember("a-token-of-the-stream-1")

    static func file(_ text: String) throws -> String {
        let path = RunningServer.temporaryFolder() + ".secret"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    static func options() async throws -> ConsultationOptions {
        var options = ConsultationOptions()
        options.apiKeys = try APIKeys(file: file("ada:\(adaKey)\nbob:\(bobKey)"))
        options.webTokens = WebTokens(keys: [try await WebTokens.sharedSecret(WebTokensTests.secret)])
        return options
    }

    /// Ada's token, that expires so many seconds from now.
    static func token(for user: String = "ada", expiresIn seconds: Double = 600) async throws -> String {
        let expiry = Date().timeIntervalSince1970 + seconds
        return TestSecrets.remember(
            try await WebTokensTests.signed("{\"sub\":\"\(user)\",\"exp\":\(expiry)}"))
    }

    private func access(
        host: String = "127.0.0.1", tokens: Bool = false, _ options: ConsultationOptions = ConsultationOptions()
    ) throws -> ConsultationAccess {
        var configuration = ServerConfiguration(host: host, feed: .simulated(symbols: []), dataDirectory: "/nowhere")
        configuration.consultation = options
        if tokens { configuration.streamTokens = try StreamTokens(file: Self.file(Self.streamToken)) }
        return ConsultationAccess(configuration)
    }

    private func outcome(_ access: ConsultationAccess, _ headers: [String: String]) -> String {
        do throws(APIError) {
            let user = try access.user { headers[$0] }
            return user.map { $0.seesAll ? "all" : $0.id } ?? "no user"
        } catch {
            return "\(error.statusCode)"
        }
    }

    @Test("headers identify the user: a token, an API key, or both, of which the token counts")
    func headers() async throws {
        let access = try access(await Self.options())
        let token = try await Self.token()
        #expect(outcome(access, [:]) == "no user")
        #expect(outcome(access, ["authorization": "Bearer \(token)"]) == "ada")
        #expect(outcome(access, ["authorization": "bearer \(token)"]) == "ada")
        #expect(outcome(access, ["x-api-key": Self.bobKey]) == "bob")
        #expect(outcome(access, ["authorization": "Bearer \(Self.bobKey)"]) == "bob")
        #expect(outcome(access, ["x-api-key": Self.bobKey, "authorization": "Bearer \(token)"]) == "ada")
        #expect(outcome(access, ["x-api-key": "wrong", "authorization": "Bearer \(token)"]) == "401")
        #expect(outcome(access, ["x-api-key": Self.bobKey, "authorization": "Bearer \(token)x"]) == "401")
        #expect(outcome(access, ["authorization": "Basic YTpi"]) == "401")
        #expect(outcome(access, ["authorization": "Bearer"]) == "401")
    }

    @Test("On loopback without a login every user is local; where others reach the server no user is")
    func withoutLogin() throws {
        #expect(outcome(try access(), ["authorization": "Bearer whatever", "x-api-key": "any"]) == "all")
        let open = try access(host: "0.0.0.0")
        #expect(outcome(open, [:]) == "no user")
        #expect(outcome(open, ["authorization": "Bearer whatever"]) == "401")
        #expect(open.loginRequired.message.contains("--jwt-key"))
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/ws/consultation?consultation_id=c")
        #expect(throws: open.loginRequired) { try open.user(head, consultation: "c", usesTicket: false) }
        head.uri += "&token=whatever"
        #expect(try access().user(head, consultation: "c", usesTicket: false) == .local)
    }

    @Test("The stream's tokens open consultations, too, and name no user: beside keys they are a user like others")
    func streamTokens() async throws {
        let headers = ["authorization": "Bearer \(Self.streamToken)"]
        #expect(outcome(try access(host: "0.0.0.0", tokens: true), headers) == "all")
        #expect(outcome(try access(host: "0.0.0.0", tokens: true), [:]) == "no user")
        #expect(outcome(try access(tokens: true, await Self.options()), headers) == "local")
    }

    @Test("Every client of a server on loopback without tokens may trade; elsewhere only clients with a token")
    func trading() async throws {
        let options = try await Self.options()
        let jwt = ["authorization": "Bearer \(try await Self.token())"]
        let (key, token) = (["x-api-key": Self.adaKey], ["authorization": "Bearer \(Self.streamToken)"])
        func mayTrade(_ access: ConsultationAccess, _ headers: [String: String]) throws -> Bool? {
            try access.user { headers[$0] }?.mayTrade
        }
        let local = try access(options)
        #expect(try (mayTrade(local, key), mayTrade(local, jwt)) == (true, true))
        #expect(try mayTrade(access(), [:]) == true)
        let far = try access(host: "0.0.0.0", options)
        #expect(try (mayTrade(far, key), mayTrade(far, jwt)) == (false, false))
        #expect(far.tradingRequiresToken.message.contains("--stream-token-file"))
        for host in ["127.0.0.1", "0.0.0.0"] {
            let access = try access(host: host, tokens: true, options)
            #expect(try (mayTrade(access, key), mayTrade(access, jwt), mayTrade(access, token)) == (false, false, true))
            let both = try access.user { key.merging(token) { $1 }[$0] }
            #expect(both == ConsultationUser(id: "ada", mayTrade: true))
            let named = try access.user { jwt.merging(["x-api-key": Self.streamToken]) { $1 }[$0] }
            #expect(named?.id == "ada" && named?.mayTrade == true)
            // By itself it names no user.
            #expect(try access.user { ["x-api-key": Self.streamToken][$0] } == nil)
            #expect(access.showsAccounts(inConversationsOf: "local"))
            #expect(!access.showsAccounts(inConversationsOf: "ada"))
            #expect(!access.acceptsAnyName)
        }
        let shared = try access(host: "0.0.0.0", tokens: true)
        #expect(shared.showsAccounts(inConversationsOf: "ada") && shared.acceptsAnyName)
        #expect(local.showsAccounts(inConversationsOf: "ada") && !local.acceptsAnyName)
        #expect(!far.showsAccounts(inConversationsOf: "local"))
    }

    @Test("No user can have the name of those who share the stream's tokens: that would open their consultations")
    func reservedName() async throws {
        let access = try access(tokens: true, await Self.options())
        let headers = ["authorization": "Bearer \(try await Self.token(for: "local"))"]
        #expect(outcome(access, headers) == "401")
        #expect(outcome(access, ["authorization": "Bearer \(try await Self.token(for: "locals"))"]) == "locals")
    }

    @Test("Names are compared by their bytes, as the store does it: those that only look the same are two users")
    func names() {
        let (composed, decomposed) = ("andr\u{E9}", "andre\u{301}")
        #expect(composed == decomposed, "what Swift says of them")
        let user = ConsultationUser(id: composed)
        #expect(user.mayOpen(conversationOf: composed) && !user.mayOpen(conversationOf: decomposed))
    }

    @Test("a token in the address is taken with the option alone, and the refusal says what to do instead")
    func queryToken() async throws {
        var options = try await Self.options()
        let token = try await Self.token()
        let head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: "/ws/consultation?consultation_id=c&token=\(token)")
        let error = #expect(throws: APIError.self) {
            try access(options).user(head, consultation: "c", usesTicket: false)
        }
        #expect(error?.message.contains("ticket") == true && error?.message.contains(token) == false)
        options.allowsQueryToken = true
        #expect(try access(options).user(head, consultation: "c", usesTicket: false)?.id == "ada")
    }
}
