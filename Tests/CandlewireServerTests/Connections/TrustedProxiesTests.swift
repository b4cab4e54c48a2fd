import NIOHTTP1
import Testing
import WebSocketTransport

@testable import CandlewireServer

@Suite("Trusted proxies")
struct TrustedProxiesTests {
    @Test(
        "a range of addresses is a base and a number of bits",
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false),
            ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("192.0.2.7", "192.0.2.7", true),
            ("192.0.2.7", "192.0.2.8", false), ("192.0.2.128/25", "192.0.2.127", false),
            ("192.0.2.128/25", "192.0.2.129", true), ("0.0.0.0/0", "203.0.113.9", true),
            ("0.0.0.0/0", "2001:db8::1", false), ("::/0", "2001:db8::1", true), ("::/0", "203.0.113.9", true),
            ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::1", false),
            ("2001:db8:0:1::/64", "2001:db8:0:1:ffff::1", true), ("2001:db8:0:1::/64", "2001:db8:0:2::1", false),
            ("2001:db8::8/125", "2001:db8::f", true), ("2001:db8::8/125", "2001:db8::10", false),
            ("::1", "::1", true), ("127.0.0.0/8", "127.9.9.9", true),
        ])
    func ranges(text: String, address: String, isInside: Bool) throws {
        let range = try #require(AddressRange(text))
        #expect(range.contains(try #require(IPAddress(address))) == isInside)
        #expect(AddressRange(range.description) == range)
    }

    @Test(
        "what is no range is refused",
        arguments: [
            "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "10.1.2.3/8", "::1/129",
            "2001:db8::1/32", "localhost", "10.0.0", "10.0.0.0/ 8", "[::1]", "fe80::1%eth0",
        ])
    func noRanges(text: String) { #expect(AddressRange(text) == nil) }

    struct Row: Sendable {
        var reason: String
        var peer: String? = "10.0.0.1"
        var headers: [(String, String)]
        var header = TrustedProxies.Header.xForwardedFor
        var address: String?
        var isForwarded = true
        var isSecure = false
    }

    static let rows: [Row] = [
        Row(
            reason: "a stranger's word is not believed", peer: "203.0.113.9",
            headers: [("X-Forwarded-For", "198.51.100.1"), ("X-Forwarded-Proto", "https")], address: "203.0.113.9",
            isForwarded: false),
        Row(reason: "the client", headers: [("X-Forwarded-For", "198.51.100.1")], address: "198.51.100.1"),
        Row(
            reason: "left of the client stands what it wrote itself",
            headers: [("X-Forwarded-For", "127.0.0.1, 1.1.1.1,198.51.100.1")], address: "198.51.100.1"),
        Row(
            reason: "trusted proxies are skipped", headers: [("X-Forwarded-For", "198.51.100.1, 10.0.0.9, 10.0.0.8")],
            address: "198.51.100.1"),
        Row(
            reason: "several lines are one list",
            headers: [("X-Forwarded-For", "6.6.6.6"), ("x-forwarded-for", "198.51.100.1")], address: "198.51.100.1"),
        Row(
            reason: "where all are trusted, the first is the client",
            headers: [("X-Forwarded-For", "10.0.0.3, 10.0.0.2")], address: "10.0.0.3"),
        Row(reason: "no header: the proxy itself", headers: [], address: "10.0.0.1", isForwarded: false),
        Row(
            reason: "behind something unreadable nothing is believed",
            headers: [("X-Forwarded-For", "198.51.100.1, unknown, 10.0.0.9")], address: "10.0.0.9"),
        Row(
            reason: "garbage alone", headers: [("X-Forwarded-For", "what, ever;")], address: "10.0.0.1",
            isForwarded: false),
        Row(reason: "a port", headers: [("X-Forwarded-For", "198.51.100.1:4711")], address: "198.51.100.1"),
        Row(reason: "IPv6", headers: [("X-Forwarded-For", "2001:db8::7")], address: "2001:db8::7"),
        Row(reason: "IPv6 with a port", headers: [("X-Forwarded-For", "[2001:db8::7]:80")], address: "2001:db8::7"),
        Row(
            reason: "IPv4 in IPv6 is the same address", headers: [("X-Forwarded-For", "::ffff:198.51.100.1")],
            address: "198.51.100.1"),
        Row(
            reason: "the scheme", headers: [("X-Forwarded-For", "198.51.100.1"), ("X-Forwarded-Proto", "https")],
            address: "198.51.100.1", isSecure: true),
        Row(
            reason: "the last scheme is the proxy's",
            headers: [("X-Forwarded-For", "198.51.100.1"), ("X-Forwarded-Proto", "https, http")],
            address: "198.51.100.1"),
        Row(
            reason: "the header that is not chosen is the client's to fill in",
            headers: [("Forwarded", "for=6.6.6.6;proto=https"), ("X-Forwarded-For", "198.51.100.1")],
            address: "198.51.100.1"),
        Row(
            reason: "and so the other way around",
            headers: [
                ("Forwarded", "for=198.51.100.1"), ("X-Forwarded-For", "6.6.6.6"), ("X-Forwarded-Proto", "https"),
            ],
            header: .forwarded, address: "198.51.100.1"),
        Row(
            reason: "RFC 7239",
            headers: [("Forwarded", "For=\"[2001:db8:cafe::17]:4711\";proto=https;by=203.0.113.43")],
            header: .forwarded, address: "2001:db8:cafe::17", isSecure: true),
        Row(
            reason: "RFC 7239, several",
            headers: [("Forwarded", "for=6.6.6.6, for=198.51.100.1;host=x , for=10.0.0.9")],
            header: .forwarded, address: "198.51.100.1"),
        Row(
            reason: "quotes hide commas", headers: [("Forwarded", "for=198.51.100.1;ext=\"a, for=6.6.6.6 \\\" , \"")],
            header: .forwarded, address: "198.51.100.1"),
        Row(
            reason: "an open quote", headers: [("Forwarded", "for=198.51.100.1, for=\"6.6.6.6")], header: .forwarded,
            address: "10.0.0.1", isForwarded: false),
        Row(
            reason: "obfuscated", headers: [("Forwarded", "for=_hidden;proto=https")], header: .forwarded,
            address: "10.0.0.1", isForwarded: false, isSecure: true),
        Row(reason: "a Unix socket", peer: nil, headers: [("X-Forwarded-For", "1.1.1.1")], isForwarded: false),
    ]

    @Test("the client is the right-most address that is no trusted proxy's", arguments: rows.indices)
    func clients(index: Int) throws {
        let row = Self.rows[index]
        var proxies = TrustedProxies()
        let isRange = proxies.add("10.0.0.0/8")
        #expect(isRange)
        proxies.header = row.header
        let client = proxies.client(of: HTTPHeaders(row.headers), peer: row.peer.flatMap { IPAddress($0) })
        let expected = TrustedProxies.Client(
            address: row.address.flatMap { IPAddress($0) }, isForwarded: row.isForwarded, isSecure: row.isSecure)
        #expect(client == expected, "\(row.reason)")
    }

    @Test("a header of thousands of addresses costs no more than its end")
    func long() {
        var proxies = TrustedProxies()
        let isRange = proxies.add("10.0.0.0/8")
        #expect(isRange)
        let value = String(repeating: "10.0.0.2,", count: 6000) + "10.0.0.3"
        let client = proxies.client(of: ["X-Forwarded-For": value], peer: IPAddress("10.0.0.1"))
        #expect(client.address == IPAddress("10.0.0.2"))
        #expect(ForwardedHop.xForwardedFor([value]).count == 32)
    }
}
