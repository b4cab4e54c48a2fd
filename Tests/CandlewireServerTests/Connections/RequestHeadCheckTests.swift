import NIOHTTP1
import Testing

@testable import CandlewireServer

@Suite("Heads of requests")
struct RequestHeadCheckTests {
    static let rows: [(HTTPVersion, [(String, String)], String?)] = [
        (.http1_1, [("Host", "localhost:8080")], nil),
        (.http1_1, [("Host", "[::1]:8080")], nil),
        (.http1_1, [("Host", "xn--bcher-kva.example")], nil),
        (.http1_1, [("Host", "")], nil),
        (.http1_1, [], "invalid_host"),
        (.http1_0, [], nil),
        (.http1_1, [("Host", "a"), ("host", "a")], "invalid_host"),
        (.http1_0, [("Host", "a"), ("Host", "b")], "invalid_host"),
        (.http1_1, [("Host", "a b")], "invalid_host"),
        (.http1_1, [("Host", "user@a")], "invalid_host"),
        (.http1_1, [("Host", "a/b")], "invalid_host"),
        (.http1_1, [("Host", "a\u{7F}")], "invalid_host"),
        (.http1_1, [("Host", String(repeating: "a", count: 262))], "invalid_host"),
        (.http1_0, [("Transfer-Encoding", "chunked")], "invalid_transfer_encoding"),
        (.http1_1, [("Host", "a"), ("Transfer-Encoding", "chunked")], nil),
    ]

    @Test("what proxies could read in two ways is refused", arguments: rows.indices)
    func flaws(index: Int) {
        let (version, headers, code) = Self.rows[index]
        let head = HTTPRequestHead(version: version, method: .GET, uri: "/", headers: HTTPHeaders(headers))
        let flaw = RequestHeadCheck.flaw(of: head)
        #expect(flaw?.code == code)
        #expect(flaw == nil || flaw?.statusCode == 400)
    }
}
