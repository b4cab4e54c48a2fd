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

    /// Which logins a server has.
    enum Logins: Sendable { case none, keys, tokens, both }

    static func options(_ logins: Logins = .keys) async throws -> ConsultationOptions {
        var options = ConsultationOptions()
        if logins == .keys || logins == .both {
            options.apiKeys = try APIKeys(file: TestSecrets.file("ada:\(adaKey)\nbob:\(bobKey)"))
        }
        if logins == .tokens || logins == .both {
            options.webTokens = WebTokens(keys: [WebTokens.sharedSecret(WebTokensTests.secret)])
        }
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
        if tokens { configuration.streamTokens = try StreamTokens(file: TestSecrets.file(Self.streamToken)) }
        return ConsultationAccess(configuration)
    }

    /// The user of headers, with ` trades` for one who may; or the code of the error.
    private func outcome(_ access: ConsultationAccess, _ headers: [String: String]) -> String {
        do throws(APIError) {
            let login = try access.login({ headers[$0] }, from: .machine)
            guard let user = login.user else { return login.missing?.code ?? "no reason" }
            let kind =
                switch ConversationOwner(stored: user.id) {
                case .named(let name): name
                case .subject(let name): "jwt \(name)"
                case .token(let name): "token \(name)"
                case .browser: "browser"
                }
            return kind + (user.seesAll ? " of all" : "") + (user.mayTrade ? " trades" : "")
        } catch {
            return error.code
        }
    }

    /// What a request carries.
    enum Sent: String, Sendable, CaseIterable {
        case nothing, key, wrongKey, keyAsToken, jwt, expiredJWT, keyAndJWT, wrongKeyAndJWT
        case token, keyAndToken, keyJWTAndToken, jwtAndWrongToken

        func headers() async throws -> [String: String] {
            let key = ["x-api-key": Self.adaKey]
            let jwt = ["authorization": "Bearer \(try await ConsultationAccessTests.token(for: "alice"))"]
            let token = ["x-stream-token": Self.streamToken]
            let wrongKey = ["x-api-key": "an-unknown-key-0000"]
            return switch self {
            case .nothing: [:]
            case .key: key
            case .wrongKey: wrongKey
            case .keyAsToken: ["authorization": "Bearer \(Self.adaKey)"]
            case .jwt: jwt
            case .expiredJWT:
                key.merging([
                    "authorization": "Bearer \(try await ConsultationAccessTests.token(expiresIn: -100))"
                ]) { $1 }
            case .keyAndJWT: key.merging(jwt) { $1 }
            case .wrongKeyAndJWT: wrongKey.merging(jwt) { $1 }
            case .token: ["authorization": "Bearer \(Self.streamToken)"]
            case .keyAndToken: key.merging(token) { $1 }
            case .keyJWTAndToken: key.merging(jwt) { $1 }.merging(token) { $1 }
            case .jwtAndWrongToken: jwt.merging(["x-stream-token": "an-unknown-token-0000"]) { $1 }
            }
        }

        static let adaKey = ConsultationAccessTests.adaKey
        static let streamToken = ConsultationAccessTests.streamToken
    }

    struct Row: Sendable {
        var logins: Logins
        var hasTokens = false
        /// By what is sent, in the order of `Sent`.
        var outcomes: [String]
    }

    /// The table of the documentation.
    static let table = [
        Row(
            logins: .none,
            outcomes: Array(repeating: "local of all trades", count: 12)),
        Row(
            logins: .keys,
            outcomes: [
                "unauthorized", "ada", "unauthorized", "ada", "unauthorized", "unauthorized", "unauthorized",
                "unauthorized", "unauthorized", "ada", "unauthorized", "unauthorized",
            ]),
        Row(
            logins: .tokens,
            outcomes: [
                "unauthorized", "unauthorized", "unauthorized", "unauthorized", "jwt alice", "unauthorized",
                "jwt alice", "jwt alice", "unauthorized", "unauthorized", "jwt alice", "jwt alice",
            ]),
        Row(
            logins: .both,
            outcomes: [
                "unauthorized", "user_token_required", "unauthorized", "app_key_required", "app_key_required",
                "unauthorized", "jwt alice", "unauthorized", "app_key_required", "user_token_required", "jwt alice",
                "app_key_required",
            ]),
        Row(
            logins: .none, hasTokens: true,
            outcomes: [
                "unauthorized", "unauthorized", "unauthorized", "unauthorized", "unauthorized", "unauthorized",
                "unauthorized", "unauthorized", "local of all trades", "local of all trades", "unauthorized",
                "unauthorized",
            ]),
        Row(
            logins: .keys, hasTokens: true,
            outcomes: [
                "unauthorized", "ada", "unauthorized", "ada", "unauthorized", "unauthorized", "unauthorized",
                "unauthorized", "local trades", "ada trades", "unauthorized", "unauthorized",
            ]),
        Row(
            logins: .tokens, hasTokens: true,
            outcomes: [
                "unauthorized", "unauthorized", "unauthorized", "unauthorized", "jwt alice", "unauthorized",
                "jwt alice", "jwt alice", "local trades", "local trades", "jwt alice trades", "unauthorized",
            ]),
        Row(
            logins: .both, hasTokens: true,
            outcomes: [
                "unauthorized", "user_token_required", "unauthorized", "app_key_required", "app_key_required",
                "unauthorized", "jwt alice", "unauthorized", "local trades", "user_token_required",
                "jwt alice trades", "unauthorized",
            ]),
    ]

    @Test("who a request is, by the logins of the server and what it carries", arguments: table)
    func precedence(row: Row) async throws {
        let access = try access(tokens: row.hasTokens, await Self.options(row.logins))
        for (sent, outcome) in zip(Sent.allCases, row.outcomes) {
            #expect(self.outcome(access, try await sent.headers()) == outcome, "\(sent.rawValue)")
        }
        #expect(row.outcomes.count == Sent.allCases.count)
        for header in ["Basic YTpi", "Bearer"] where row.logins != .none {
            #expect(outcome(access, ["authorization": header]) == "unauthorized")
        }
    }

    @Test(
        "an app's key counts from the handshake, a first frame and a ticket alike, and the user's token is renewed alone"
    )
    func keyAndToken() async throws {
        let access = try access(await Self.options(.both))
        let jwt = try await Self.token(for: "alice")
        func frame(_ key: String?) -> Envelope {
            Envelope(
                .auth, content: jwt, messageID: "a", timestamp: 0, metadata: key.map { ["api_key": .string($0)] })
        }
        #expect(throws: APIError.appKeyRequired) { try access.user(of: frame(nil), hasKey: false, from: .machine) }
        #expect(try access.user(of: frame(nil), hasKey: true, from: .machine).name == "alice")
        #expect(try access.user(of: frame(Self.bobKey), hasKey: false, from: .machine).name == "alice")
        #expect(throws: APIError.self) {
            try access.user(of: frame("an-unknown-key-0000"), hasKey: true, from: .machine)
        }
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/ws/consultation?consultation_id=c")
        head.headers.add(name: "X-API-Key", value: Self.adaKey)
        let login = try access.login(head, from: .machine, consultation: "c", usesTicket: false)
        #expect(login.user == nil && login.hasKey)
        let ticket = try #require(access.ticket(for: ConsultationUser(.subject("alice")), consultation: "c"))
        head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: "/ws/consultation?consultation_id=c&ticket=\(ticket)")
        #expect(try access.login(head, from: .machine, consultation: "c", usesTicket: true).user?.name == "alice")
    }

    @Test("Where others reach a server without logins no user is authenticated")
    func withoutLogin() throws {
        let open = try access(host: "0.0.0.0")
        #expect(outcome(open, [:]) == "unauthorized")
        #expect(outcome(open, ["authorization": "Bearer whatever"]) == "unauthorized")
        #expect(outcome(open, ["cookie": "\(BrowserIdentity.cookie)=\(BrowserIdentity.make())"]) == "unauthorized")
        #expect(open.loginRequired.message.contains("--jwt-key"))
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/ws/consultation?consultation_id=c")
        #expect(throws: open.loginRequired) {
            try open.login(head, from: .machine, consultation: "c", usesTicket: false)
        }
        head.uri += "&token=whatever"
        #expect(try access().login(head, from: .machine, consultation: "c", usesTicket: false).user == .local)
    }

    @Test("The assistant reports accounts to those who may trade, whoever else may log in")
    func accounts() async throws {
        let jwt = ConversationOwner.subject("ada").stored
        for host in ["127.0.0.1", "0.0.0.0"] {
            let access = try access(host: host, tokens: true, await Self.options())
            #expect(access.showsAccounts(inConversationsOf: "local"))
            #expect(!access.showsAccounts(inConversationsOf: "ada") && !access.showsAccounts(inConversationsOf: jwt))
            #expect(!access.acceptsAnyName)
        }
        let shared = try access(host: "0.0.0.0", tokens: true)
        #expect(shared.showsAccounts(inConversationsOf: "ada") && shared.acceptsAnyName)
        #expect(try access().showsAccounts(inConversationsOf: BrowserIdentity.owner("x").stored))
        let local = try access(await Self.options())
        #expect(!local.showsAccounts(inConversationsOf: "ada") && !local.acceptsAnyName)
        let far = try access(host: "0.0.0.0", await Self.options())
        #expect(!far.showsAccounts(inConversationsOf: "local"))
        #expect(far.tradingRequiresToken.message.contains("--stream-token-file"))
    }

    @Test("No user can have the name of those who share the stream's tokens: that would open their consultations")
    func reservedName() async throws {
        let access = try access(tokens: true, await Self.options(.tokens))
        let headers = ["authorization": "Bearer \(try await Self.token(for: "local"))"]
        #expect(outcome(access, headers) == "unauthorized")
        #expect(outcome(access, ["authorization": "Bearer \(try await Self.token(for: "locals"))"]) == "jwt locals")
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
        var options = try await Self.options(.tokens)
        let token = try await Self.token()
        let head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: "/ws/consultation?consultation_id=c&token=\(token)")
        let error = #expect(throws: APIError.self) {
            try access(options).login(head, from: .machine, consultation: "c", usesTicket: false)
        }
        #expect(error?.message.contains("ticket") == true && error?.message.contains(token) == false)
        options.allowsQueryToken = true
        #expect(
            try access(options).login(head, from: .machine, consultation: "c", usesTicket: false).user?.name == "ada")
    }
}
