import Testing
import WebSocketTransport

@Suite("WebSocket URLs")
struct URLTests {
    static let good: [(String, Bool, String, Int, String, String)] = [
        ("ws://localhost", false, "localhost", 80, "/", "localhost"),
        ("ws://localhost:8080/v1/stream", false, "localhost", 8080, "/v1/stream", "localhost:8080"),
        ("WSS://Example.com/", true, "Example.com", 443, "/", "Example.com"),
        ("wss://a.b:443/x?y=1&z=%20", true, "a.b", 443, "/x?y=1&z=%20", "a.b"),
        ("ws://a?q", false, "a", 80, "/?q", "a"),
        ("ws://[::1]:9/x", false, "::1", 9, "/x", "[::1]:9"),
        ("ws://[::1]", false, "::1", 80, "/", "[::1]"),
        ("ws://a:/x", false, "a", 80, "/x", "a"),
    ]

    @Test("good ones come apart into what a connection needs", arguments: good.indices)
    func parses(index: Int) throws {
        let (text, isSecure, host, port, target, header) = Self.good[index]
        let url = try WebSocketURL(text)
        #expect(url.isSecure == isSecure && url.host == host && url.port == port, "\(text)")
        #expect(url.target == target && url.hostHeader == header, "\(text)")
    }

    static let bad = [
        "", "localhost", "http://localhost/", "ws:/localhost", "ws://", "ws:///x", "ws://a:0/", "ws://a:65536/",
        "ws://a:+80/", "ws://a:b/", "ws://user:pass@a/", "ws://a/#part", "ws://a/ b", "ws://ä/", "ws://[::1/",
        "ws://[::1]x/",
        "ws://a/\r\nHost: b",
    ]

    @Test("bad ones are refused with a sentence", arguments: bad)
    func refuses(text: String) {
        let error = #expect(throws: WebSocketConnectError.self) { try WebSocketURL(text) }
        #expect(error?.code == .badURL)
        #expect(error?.description.isEmpty == false)
    }
}
