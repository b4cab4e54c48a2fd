import Foundation
import HTTPTransport
import Testing

@testable import MarketFeeds

@Suite("Credentials of feeds")
struct FeedCredentialsTests {
    private static let secret = "s3cr3t-Key"

    private static func written(_ text: String, mode: Int = 0o600) throws -> String {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("candlewire-\(UUID())").path
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    @Test("the environment has a key, or a user with a password, and an empty one is none")
    func environment() {
        func found(_ variables: [String: String]) -> FeedCredentials? {
            FeedCredentials.environment(variables, name: "intrinio")
        }
        #expect(found(["INTRINIO_API_KEY": "k", "INTRINIO_USER": "u", "INTRINIO_PASSWORD": "p"]) == .apiKey("k"))
        #expect(found(["INTRINIO_USER": "u", "INTRINIO_PASSWORD": "p"]) == .password(user: "u", password: "p"))
        #expect(found(["INTRINIO_USER": "u"]) == nil && found(["INTRINIO_API_KEY": ""]) == nil && found([:]) == nil)
    }

    @Test("a file has credentials by name")
    func file() throws {
        let path = try Self.written(
            #"{"intrinio":{"api_key":"k"},"a":{"user":"u","password":"p"},"b":{"public_key":"x"}}"#)
        #expect(
            try FeedCredentials.file(path) == [
                "intrinio": .apiKey("k"), "a": .password(user: "u", password: "p"), "b": .publicKey("x"),
            ])
        try FileManager.default.removeItem(atPath: path)
    }

    @Test(
        "a file that others may read is refused, and so is one that says nothing of use; the secret is in no message",
        arguments: [
            (#"{"intrinio":{"api_key":"s3cr3t-Key"}}"#, 0o644, "chmod 600"),
            (#"{"intrinio":{"api_key":"s3cr3t-Key"}}"#, 0o640, "chmod 600"),
            (#"{"intrinio":{"user":"s3cr3t-Key"}}"#, 0o600, "\"intrinio\""),
            (#"{"intrinio":{"api_key":""}}"#, 0o600, "\"intrinio\""), (#"["s3cr3t-Key"]"#, 0o600, "not as it must be"),
            ("s3cr3t-Key", 0o600, "not as it must be"),
        ])
    func refused(text: String, mode: Int, part: String) throws {
        let path = try Self.written(text, mode: mode)
        let error = #expect(throws: FeedError.self) { try FeedCredentials.file(path) }
        #expect(error?.description.contains(part) == true && error?.description.contains(Self.secret) == false)
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: FeedError.self) { try FeedCredentials.file(path) }
    }

    @Test("a link to a file of one's own is followed, as secrets are mounted")
    func link() throws {
        let path = try Self.written(#"{"intrinio":{"api_key":"k"}}"#)
        try FileManager.default.createSymbolicLink(atPath: path + ".link", withDestinationPath: path)
        defer { for each in [path, path + ".link"] { try? FileManager.default.removeItem(atPath: each) } }
        #expect(try FeedCredentials.file(path + ".link").count == 1)
    }

    @Test("no description, no reflection and no dump shows a secret")
    func hidden() {
        for credentials in [
            FeedCredentials.apiKey(Self.secret), .publicKey(Self.secret),
            .password(user: "u", password: Self.secret),
        ] {
            var dumped = ""
            dump(credentials, to: &dumped)
            for text in ["\(credentials)", String(reflecting: credentials), dumped, "\([credentials])"] {
                #expect(!text.contains(Self.secret), "\(text)")
            }
        }
    }

    // MARK: Tokens

    private func source(
        _ credentials: FeedCredentials, url: String? = nil, _ answer: Result<HTTPTransportAnswer, HTTPTransportError>,
        check: @escaping @Sendable (_ url: String, _ headers: [String: String]) -> Void = { _, _ in }
    ) throws -> FeedTokenSource {
        try FeedTokenSource(
            IntrinioAdapter(), credentials: credentials, url: url,
            transport: HTTPTransport {
                (request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportAnswer in
                check(request.url, request.headers)
                return try answer.get()
            })
    }

    private static func answer(_ status: Int, _ body: String) -> Result<HTTPTransportAnswer, HTTPTransportError> {
        .success(HTTPTransportAnswer(status: status, body: Array(body.utf8)))
    }

    @Test("GET /auth with HTTP Basic, a public key, or a key in the query; the body is the token")
    func requests() async throws {
        let basic = try source(.password(user: "me", password: "it's: ü"), Self.answer(200, "tok\n")) { url, headers in
            #expect(url == "https://realtime.intrinio.com/auth")
            #expect(headers["Authorization"] == "Basic bWU6aXQnczogw7w=")
        }
        #expect(try await basic.fetch() == "tok")
        let key = try source(.apiKey("a&b=c"), url: "ws://127.0.0.1:9/x", Self.answer(200, "tok")) { url, headers in
            #expect(url == "http://127.0.0.1:9/auth?api_key=a%26b%3Dc")
            #expect(headers["Authorization"] == nil)
        }
        #expect(try await key.fetch(wasRejected: true) == "tok")
        let open = try source(.publicKey("pk"), Self.answer(200, "tok")) { url, headers in
            #expect(headers["Authorization"] == "Public pk" && !url.contains("pk"))
        }
        #expect(try await open.fetch() == "tok")
        #expect(throws: FeedError.self) { try FeedTokenSource(KrakenAdapter(), credentials: .apiKey("k")) }
    }

    @Test(
        "what is not a valid token is refused, 401 is reported as not authorised, and no error holds the secret",
        arguments: [
            (answer(401, "bad s3cr3t-Key"), true, "not authorised"), (answer(403, ""), true, "not authorised"),
            (answer(500, "s3cr3t-Key"), false, "status 500"), (answer(200, ""), false, "not a valid token"),
            (answer(200, " \n"), false, "not a valid token"), (answer(200, "two words"), false, "not a valid token"),
            (answer(200, String(repeating: "x", count: 9000)), false, "not a valid token"),
            (.failure(.lost), false, "cannot be reached"), (.failure(.timedOut), false, "cannot be reached"),
        ] as [(Result<HTTPTransportAnswer, HTTPTransportError>, Bool, String)])
    func failures(answer: Result<HTTPTransportAnswer, HTTPTransportError>, isRefusal: Bool, part: String) async throws {
        let source = try source(.apiKey(Self.secret), answer)
        let error = await #expect(throws: FeedTokenError.self) { try await source.fetch() }
        #expect(error?.isRefusal == isRefusal && error?.description.contains(part) == true)
        #expect(error?.description.contains(Self.secret) == false)
    }
}
