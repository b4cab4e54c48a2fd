import Foundation
import Testing
import TradingCore

@testable import CandlewireServer

@Suite("Token files")
struct TokenFileTests {
    private static func temporary() -> String { RunningServer.temporaryFolder() + "/tokens.json" }

    /// Adds a token to a file.
    static func add(
        _ name: String, to path: String, _ scopes: AccessScopes = .all, accounts: AccessAccounts = .all,
        expiresAt: Double? = nil
    ) throws -> String {
        let made = AccessToken.make(name, scopes: scopes, accounts: accounts, now: 1000, expiresAt: expiresAt)
        #expect(try TokenFile.change(path) { TokenFile.add(made.entry, to: &$0) })
        return TestSecrets.remember(made.text)
    }

    @Test("have the hash of a token and not the token, for their owner's eyes alone, and are read as they were written")
    func roundTrip() throws {
        let path = Self.temporary()
        let accounts = AccessAccounts.only(["paper-ada", "paper-main"])
        let text = try Self.add("desk", to: path, [.read, .trade], accounts: accounts, expiresAt: 2000.5)
        _ = try Self.add("all", to: path)
        let written = try String(contentsOfFile: path, encoding: .utf8)
        #expect(!written.contains(text) && !written.contains(text.dropFirst(3)))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let folder = String(path.dropLast("/tokens.json".count))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["tokens.json"], "no draft is left")
        let tokens = try TokenFile(reading: path).tokens
        #expect(tokens.map(\.name) == ["desk", "all"])
        #expect(tokens[0].scopes == [.read, .trade] && tokens[0].accounts == accounts && tokens[0].expiresAt == 2000.5)
        #expect(tokens[1].scopes == .all && tokens[1].accounts == .all && tokens[1].expiresAt == nil)
    }

    @Test("tokens are 256 random bits, and no two are the same")
    func randomness() {
        let made = (0..<100).map { _ in
            AccessToken.make("a", scopes: .read, accounts: .all, now: 0, expiresAt: nil)
        }
        #expect(Set(made.map(\.text)).count == 100)
        for (text, entry) in made {
            #expect(text.hasPrefix("cw_") && Base64URL.bytes(text.dropFirst(3).utf8)?.count == 32)
            #expect(entry.sha256 == AccessToken.hash(text))
        }
        // FIPS 180-4, appendix B.1.
        #expect(AccessToken.hash("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test("a token opens what its entry names until it expires, and nothing that differs from it opens anything")
    func principals() throws {
        let path = Self.temporary()
        let text = try Self.add("desk", to: path, .read, accounts: .only(["paper-ada"]), expiresAt: 2000)
        let tokens = try StreamTokens(file: path)
        let principal = try #require(tokens.principal(of: text, now: 1999))
        #expect(principal.name == "token:desk" && principal.scopes == .read)
        #expect(principal.accounts.contains("paper-ada") && !principal.accounts.contains("paper-main"))
        #expect(tokens.principal(of: text, now: 2000) == nil)
        for wrong in ["", text + "a", String(text.dropLast()), text.uppercased(), tokens.description, "cw_"] {
            #expect(tokens.principal(of: wrong, now: 1999) == nil)
        }
        let hash = try #require(TokenFile(reading: path).tokens.first).sha256
        #expect(tokens.principal(of: hash, now: 1999) == nil, "who reads the file has no token")
    }

    @Test("a plain token opens everything, as before")
    func plain() throws {
        let path = try TestSecrets.file("# ours\n\n  a-token-of-some-length \n")
        let principal = try StreamTokens(file: path).principal(of: "a-token-of-some-length", now: 0)
        #expect(principal?.name == "stream-token" && principal?.scopes == .all && principal?.accounts == .all)
        let error = #expect(throws: ServerError.self) { try Self.add("desk", to: path) }
        #expect(error?.description.contains("plain tokens") == true)
    }

    @Test("changes count after a second without a restart; a file that cannot be read leaves the tokens as they were")
    func reload() throws {
        let path = Self.temporary()
        let first = try Self.add("first", to: path)
        let tokens = try StreamTokens(file: path)
        #expect(tokens.refresh(now: 0) == nil)
        let second = try Self.add("second", to: path)
        #expect(tokens.refresh(now: 0.9) == nil && tokens.principal(of: second, now: 0) == nil, "not looked at so soon")
        #expect(tokens.refresh(now: 1) == .read(tokens: 2))
        let principal = try #require(tokens.principal(of: second, now: 0))
        #expect(tokens.stillOpens(principal, now: 0))
        try TokenFile.change(path) { tokens in tokens.removeAll { $0.name == "second" } }
        #expect(tokens.refresh(now: 2) == .read(tokens: 1))
        #expect(tokens.principal(of: second, now: 0) == nil && !tokens.stillOpens(principal, now: 0))
        for (time, text) in [(3.0, "{\"version\":2"), (4, "short")] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            guard case .failed(let words) = tokens.refresh(now: time) else {
                Issue.record("read: \(text)")
                continue
            }
            #expect(words.contains(path))
            #expect(tokens.principal(of: first, now: 0) != nil)
        }
        try FileManager.default.removeItem(atPath: path)
        guard case .failed = tokens.refresh(now: 5) else {
            Issue.record("a missing file was read")
            return
        }
        #expect(tokens.refresh(now: 6) == nil, "said once")
    }

    @Test("a plain token that is removed ends what it opened, and no other's")
    func removedPlain() throws {
        let path = try TestSecrets.file("a-token-of-some-length\nanother-token-of-some-length\n")
        let tokens = try StreamTokens(file: path)
        let removed = try #require(tokens.principal(of: "a-token-of-some-length", now: 0))
        let left = try #require(tokens.principal(of: "another-token-of-some-length", now: 0))
        _ = tokens.refresh(now: 0)
        try Data("another-token-of-some-length\n".utf8).write(to: URL(fileURLWithPath: path))
        #expect(tokens.refresh(now: 1) == .read(tokens: 1))
        #expect(!tokens.stillOpens(removed, now: 1) && tokens.stillOpens(left, now: 1))
    }

    @Test("a token that was revoked and made again under its name does not open what the old one did")
    func madeAgain() throws {
        let path = Self.temporary()
        let text = try Self.add("desk", to: path)
        let tokens = try StreamTokens(file: path)
        let old = try #require(tokens.principal(of: text, now: 0))
        try TokenFile.change(path) { tokens in tokens.removeAll() }
        _ = try Self.add("desk", to: path)
        _ = tokens.refresh(now: 1)
        #expect(tokens.principal(of: text, now: 1) == nil && !tokens.stillOpens(old, now: 1))
    }

    @Test("a renamed scope or account ends what a connection was opened with")
    func narrowed() throws {
        let path = Self.temporary()
        let text = try Self.add("desk", to: path)
        let tokens = try StreamTokens(file: path)
        let principal = try #require(tokens.principal(of: text, now: 0))
        try TokenFile.change(path) { tokens in tokens[0].scopes = .read }
        _ = tokens.refresh(now: 1)
        #expect(!tokens.stillOpens(principal, now: 0))
    }

    @Test(
        "What is wrong in one is named by its place, and no hash is shown",
        arguments: [
            ("{", "it is not JSON"), ("{\"version\":3,\"tokens\":[]}", "has version 3; this program reads 2"),
            ("{\"version\":2}", "tokens is missing"),
            (entry("\"name\":\"a b\""), "tokens[0].name must be 1 to 64 letters"),
            (entry("\"sha256\":\"abc\""), "tokens[0].sha256 must be 64 hexadecimal digits"),
            (entry("\"scopes\":[\"write\"]"), "tokens[0].scopes must be a list of read, trade, admin"),
            (entry("\"accounts\":[\"live-main\"]"), "tokens[0].accounts must be a list of account ids"),
            (entry("\"accounts\":\"some\""), "tokens[0].accounts must be a list of account ids, or \"all\""),
        ])
    func wrong(text: String, expected: String) throws {
        let path = try TestSecrets.file(text)
        let error = #expect(throws: ServerError.self) { try StreamTokens(file: path) }
        let words = error?.description ?? ""
        #expect(words.contains(path) && words.contains(expected), "\(words)")
        #expect(!words.contains("ba7816bf"))
    }

    /// A file of one token, of which one field is another.
    private static func entry(_ field: String) -> String {
        let fields = [
            "\"name\":\"desk\"",
            "\"sha256\":\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\"", "\"scopes\":[\"read\"]",
            "\"accounts\":\"all\"", "\"created_at\":1",
        ]
        let name = field.prefix { $0 != ":" } + ":"
        let all = fields.map { $0.hasPrefix(name) ? field : $0 }
        return "{\"version\":2,\"tokens\":[{\(all.joined(separator: ","))}]}"
    }

    @Test("two commands at once lose nothing")
    func concurrent() async throws {
        let path = Self.temporary()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                group.addTask { _ = try Self.add("token-\(number)", to: path) }
            }
            try await group.waitForAll()
        }
        #expect(try TokenFile(reading: path).tokens.count == 16)
    }
}

@Suite("Scopes of JSON Web Tokens")
struct WebTokenScopeTests {
    @Test(
        "are words separated by spaces, among them those of other servers; accounts are a list or all",
        arguments: [
            ("", nil, [] as AccessScopes, [] as [String]?),
            (#","scope":"openid profile""#, nil, [], []),
            (#","scope":"openid read","accounts":["paper-ada"]"#, "jwt:ada", .read, ["paper-ada"]),
            (#","scope":"trade","accounts":"all""#, "jwt:ada", [.read, .trade], nil),
            (#","scope":"admin trade read","accounts":[]"#, "jwt:ada", .all, []),
            // Without the claim it is for no account, and so is one of another form.
            (#","scope":"trade""#, "jwt:ada", [.read, .trade], []),
            (#","scope":"trade","accounts":"paper-ada""#, "jwt:ada", [.read, .trade], []),
            (#","scope":["trade"]"#, nil, [], []), (#","scope":"TRADE traders read,trade""#, nil, [], []),
        ] as [(String, String?, AccessScopes, [String]?)])
    func scopes(claims: String, name: String?, scopes: AccessScopes, accounts: [String]?) async throws {
        let tokens = WebTokens(keys: [WebTokens.sharedSecret(WebTokensTests.secret)])
        let token = try await WebTokensTests.signed(#"{"sub":"ada","exp":1750000600\#(claims)}"#)
        let principal = try tokens.claims(of: token, now: WebTokensTests.now).principal
        #expect(principal?.name == name && principal?.scopes ?? [] == scopes)
        if let principal {
            #expect(principal.accounts == accounts.map { AccessAccounts.only(Set($0)) } ?? .all)
            #expect(principal.expiresAt == 1_750_000_600 + WebTokens.leeway)
        }
    }
}
