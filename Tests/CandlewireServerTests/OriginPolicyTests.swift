import MarketFeeds
import Testing

@testable import CandlewireServer

@Suite("Origin policy")
struct OriginPolicyTests {
    struct Row: Sendable {
        var origin: String?
        var host: String? = "desk.example.com"
        var allowed: [String] = []
        var loopback = false
        var isAllowed: Bool
    }

    @Test(
        "pages of the server itself, listed ones and, where wanted, the machine's own may open a stream",
        arguments: [
            Row(origin: nil, isAllowed: true),
            Row(origin: "https://desk.example.com", isAllowed: true),
            Row(origin: "https://DESK.example.com", host: "Desk.Example.com", isAllowed: true),
            Row(origin: "https://desk.example.com", host: "desk.example.com:443", isAllowed: true),
            Row(origin: "http://desk.example.com:80", isAllowed: true),
            Row(origin: "http://desk.example.com:8080", isAllowed: false),
            Row(origin: "http://127.0.0.1:8080", host: "127.0.0.1:8080", isAllowed: true),
            Row(origin: "https://evil.example", isAllowed: false),
            Row(origin: "https://desk.example.com.evil.example", isAllowed: false),
            Row(origin: "null", isAllowed: false),
            Row(origin: "", isAllowed: false),
            Row(origin: "https://desk.example.com", host: nil, isAllowed: false),
            Row(origin: "https://other.example", allowed: ["https://other.example"], isAllowed: true),
            Row(origin: "http://other.example", allowed: ["https://other.example"], isAllowed: false),
            Row(origin: "null", allowed: ["*"], isAllowed: true),
            Row(origin: "http://localhost:5173", isAllowed: false),
            Row(origin: "http://localhost:5173", loopback: true, isAllowed: true),
            Row(origin: "http://127.1.2.3:1", loopback: true, isAllowed: true),
            Row(origin: "http://[::1]:5173", loopback: true, isAllowed: true),
            Row(origin: "http://127.evil.example", loopback: true, isAllowed: false),
            Row(origin: "http://127.0.0.evil", loopback: true, isAllowed: false),
            Row(origin: "http://localhost.evil.example", loopback: true, isAllowed: false),
        ])
    func table(row: Row) {
        let policy = OriginPolicy(allowed: AllowedOrigins(row.allowed), allowsLoopback: row.loopback)
        #expect(policy.allows(origin: row.origin, host: row.host) == row.isAllowed)
    }

    @Test(
        "a server of the machine itself answers to its own names and to those of allowed origins",
        arguments: [
            (nil, [], true), ("127.0.0.1:8080", [], true), ("localhost:8080", [], true), ("[::1]:8080", [], true),
            ("LOCALHOST", [], true), ("evil.example:8080", [], false), ("127.0.0.1.evil.example", [], false),
            ("", [], false),
            ("desk.example.com", ["https://desk.example.com"], true),
            ("Desk.example.com:443", ["https://desk.example.com"], true),
            ("desk.example.com:8443", ["https://desk.example.com"], false), ("evil.example", ["*"], true),
        ] as [(String?, [String], Bool)])
    func hosts(host: String?, allowed: [String], isAnswered: Bool) {
        #expect(
            OriginPolicy(allowed: AllowedOrigins(allowed), allowsLoopback: true).answers(toHost: host) == isAnswered)
        #expect(OriginPolicy(allowed: AllowedOrigins(allowed), allowsLoopback: false).answers(toHost: host))
    }

    @Test(
        "a server listens on loopback by its address, and not by a name that looks like one",
        arguments: [
            ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("localhost", true), ("127.example.net", false),
            ("127.0.0.1.example.net", false), ("127.", false), ("0.0.0.0", false), ("::", false),
            ("192.0.2.127", false),
        ])
    func listening(host: String, isLoopback: Bool) throws {
        let configuration = ServerConfiguration(
            host: host, feed: try FeedSpecification("sim:BTC-USD"), dataDirectory: "/data")
        #expect(configuration.isLoopback == isLoopback)
    }
}
