import Consultation
import Foundation
import MarketFeeds
import NIOHTTP1
import Testing

@testable import CandlewireServer

@Suite("Owners of conversations")
struct ConversationOwnerTests {
    private static let value = BrowserIdentity.make()
    private static let owners: [ConversationOwner] = [.named("ada"), .subject("ada"), BrowserIdentity.owner(value)]

    @Test("keys, tokens and browsers are separate, whatever their names, and come back from the store as they were")
    func namespaces() {
        let names = ["ada", "jwt", "token", "browser", "jwt:ada", "a b", "andr\u{E9}", "andre\u{301}"]
        let all = names.flatMap { [ConversationOwner.named($0), .subject($0), .token($0), .browser($0)] }
        #expect(Set(all.map { UserKey($0.stored) }).count == all.count)
        for owner in all {
            #expect(UserKey(ConversationOwner(stored: owner.stored).stored) == UserKey(owner.stored))
            for other in all {
                let mayOpen = ConsultationUser(owner).mayOpen(conversationOf: other.stored)
                #expect(mayOpen == (UserKey(owner.stored) == UserKey(other.stored)), "\(owner) \(other)")
            }
        }
        // No name can be written so that it looks like another kind's.
        #expect(!UserName.isValid(ConversationOwner.subject("ada").stored))
        #expect(Self.owners.map(\.name) == ["ada", "ada", "browser"])
        #expect(Self.owners.map { ConsultationUser.local.mayOpen(conversationOf: $0.stored) } == [true, false, false])
    }

    @Test("a request may name its own user, a program without an identity any, and for a browser a name has no effect")
    func names() {
        let ada = ConversationOwner.subject("ada")
        let browser = Self.owners[2].stored
        #expect(ConsultationUser(ada).owner(named: nil) == ada.stored)
        #expect(ConsultationUser(ada).owner(named: "ada") == ada.stored)
        #expect(ConsultationUser(ada).owner(named: "bob") == nil)
        #expect(ConsultationUser.local.owner(named: nil) == "local")
        #expect(ConsultationUser.local.owner(named: "ada") == "ada")
        #expect(ConsultationUser(Self.owners[2]).owner(named: "ada") == browser)
    }

    @Test(
        "a cookie is the identity where the server can have made it",
        arguments: [
            ("\(BrowserIdentity.cookie)=\(value)", true), ("a=b; \(BrowserIdentity.cookie)=\(value); c=d", true),
            ("\(BrowserIdentity.cookie)=\(value)x", false), ("\(BrowserIdentity.cookie)=", false),
            ("other=\(value)", false), ("", false), (nil, false),
        ] as [(String?, Bool)])
    func cookies(header: String?, isKnown: Bool) {
        #expect((BrowserIdentity.value(cookies: header) == Self.value) == isKnown)
        #expect(BrowserIdentity.make() != Self.value)
        #expect(BrowserIdentity.setting("v", isSecure: true).hasSuffix("; HttpOnly; SameSite=Strict; Secure"))
        #expect(BrowserIdentity.setting("v", isSecure: false).hasSuffix("; HttpOnly; SameSite=Strict"))
    }

    @Test(
        "the cookie opens a WebSocket for this server's own page, and for one that is allowed by name",
        arguments: [
            (nil, [], true), ("http://127.0.0.1:8080", [], true), ("http://127.0.0.1:3000", [], false),
            ("http://127.0.0.1:3000", ["http://127.0.0.1:3000"], true), ("https://desk.example.com", [], false),
        ] as [(String?, [String], Bool)])
    func handshakes(origin: String?, allowed: [String], isBrowser: Bool) throws {
        var configuration = ServerConfiguration(feed: .simulated(symbols: []), dataDirectory: "/nowhere")
        configuration.allowedOrigins = AllowedOrigins(allowed)
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/ws/consultation?consultation_id=c")
        head.headers = ["host": "127.0.0.1:8080", "cookie": "\(BrowserIdentity.cookie)=\(Self.value)"]
        if let origin { head.headers.add(name: "origin", value: origin) }
        let user = try ConsultationAccess(configuration).login(
            head, from: .machine, consultation: "c", usesTicket: false
        ).user
        #expect(user?.id == (isBrowser ? Self.owners[2].stored : "local"))
        #expect(user?.mayTrade == true)
    }

    @Test("new names cost memory no faster than all users together may send")
    func boundedMemory() {
        var allowances = UserAllowances(rate: 1, burst: 2, users: 10)
        for number in 0..<100_000 { _ = allowances.use("u\(number)", now: 0) }
        #expect(allowances.count == 20)
        // One who is known already waits for the others as before, and a second later there is room for ten.
        #expect(allowances.use("u0", now: 0) != nil)
        for number in 0..<100_000 { _ = allowances.use("v\(number)", now: 1) }
        #expect(allowances.count <= 30)
    }
}

@Suite("Who may trade")
struct TradingAccessTests {
    struct Row: Sendable {
        var host = "127.0.0.1"
        var hasTokens = false
        var hasLogins = false
        var sent: [String: String] = [:]
        /// The error's code; `nil`: it may.
        var refusal: String?
    }

    private static let key = ["x-api-key": ConsultationAccessTests.adaKey]
    private static let keyAsToken = ["authorization": "Bearer \(ConsultationAccessTests.adaKey)"]
    private static let token = ["authorization": "Bearer \(ConsultationAccessTests.streamToken)"]
    private static let tokenHeader = ["x-stream-token": ConsultationAccessTests.streamToken]

    static let table = [
        Row(), Row(sent: key), Row(host: "0.0.0.0"),
        Row(hasLogins: true),
        Row(hasLogins: true, sent: key, refusal: "trading_forbidden"),
        Row(hasLogins: true, sent: keyAsToken, refusal: "trading_forbidden"),
        Row(host: "0.0.0.0", hasLogins: true, refusal: "trading_forbidden"),
        Row(host: "0.0.0.0", hasLogins: true, sent: key, refusal: "trading_forbidden"),
        Row(hasTokens: true, refusal: "unauthorized"),
        Row(hasTokens: true, hasLogins: true, sent: key, refusal: "unauthorized"),
        Row(hasTokens: true, hasLogins: true, sent: keyAsToken, refusal: "unauthorized"),
        Row(hasTokens: true, hasLogins: true, sent: token),
        Row(hasTokens: true, hasLogins: true, sent: keyAsToken.merging(tokenHeader) { $1 }),
        Row(host: "0.0.0.0", hasTokens: true, sent: tokenHeader),
    ]

    @Test("a login of the assistant gives no right to trade, a stream token does", arguments: table)
    func rows(row: Row) async throws {
        var configuration = ServerConfiguration(
            host: row.host, feed: .simulated(symbols: []), dataDirectory: "/nowhere")
        configuration.consultation = try await ConsultationAccessTests.options(row.hasLogins ? .keys : .none)
        if row.hasTokens {
            let file = try TestSecrets.file(ConsultationAccessTests.streamToken)
            configuration.streamTokens = try StreamTokens(file: file)
        }
        var refusal: String?
        do throws(APIError) {
            _ = try AccessControl(configuration).principal({ row.sent[$0] }, from: .machine)
        } catch {
            refusal = error.code
        }
        #expect(refusal == row.refusal)
    }
}
