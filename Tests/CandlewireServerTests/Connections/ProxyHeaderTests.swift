import Testing
import WebSocketTransport

@testable import CandlewireServer

@Suite("PROXY protocol, version 2")
struct ProxyHeaderTests {
    static let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10, 0x51, 0x55, 0x49, 0x54, 10]

    /// - Parameter addresses: what follows the head.
    static func header(_ command: UInt8, _ family: UInt8, _ addresses: [UInt8]) -> [UInt8] {
        signature + [command, family, UInt8(addresses.count >> 8), UInt8(addresses.count & 0xFF)] + addresses
    }

    static let ipv4: [UInt8] = [198, 51, 100, 7, 192, 0, 2, 1, 0x12, 0x67, 0x1F, 0x90]
    static let ipv6: [UInt8] =
        [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [7]
        + [UInt8](repeating: 1, count: 16) + [0, 80, 0, 80]

    static let complete: [(String, [UInt8], String?)] = [
        ("IPv4", header(0x21, 0x11, ipv4), "198.51.100.7"),
        ("IPv6", header(0x21, 0x21, ipv6), "2001:db8::7"),
        ("more than addresses", header(0x21, 0x11, ipv4 + [4, 0, 1, 0]), "198.51.100.7"),
        ("the proxy itself", header(0x20, 0x00, []), nil),
        ("the proxy itself, with addresses", header(0x20, 0x11, ipv4), nil),
        ("of no known family", header(0x21, 0x00, []), nil),
        ("a Unix socket", header(0x21, 0x31, [UInt8](repeating: 0, count: 216)), nil),
    ]

    @Test("a header ends where it says, and every beginning of it is incomplete", arguments: complete.indices)
    func whole(index: Int) {
        let (name, bytes, client) = Self.complete[index]
        let expected = ProxyHeader.complete(length: bytes.count, client: client.flatMap { IPAddress($0) })
        #expect(ProxyHeader.parse(bytes) == expected, "\(name)")
        #expect(ProxyHeader.parse(bytes + Array("GET / HTTP/1.1\r\n".utf8)) == expected, "\(name)")
        for length in bytes.indices { #expect(ProxyHeader.parse(bytes[..<length]) == .incomplete, "\(name) \(length)") }
    }

    static let invalid: [(String, [UInt8])] = [
        ("HTTP", Array("GET / HTTP/1.1\r\n".utf8)),
        ("version 1", Array("PROXY TCP4 198.51.100.7 192.0.2.1 1 2\r\n".utf8)),
        ("TLS", [0x16, 3, 1, 2, 0, 1]),
        ("another version", header(0x11, 0x11, ipv4)),
        ("an unknown command", header(0x22, 0x11, ipv4)),
        ("an unknown family", header(0x21, 0x41, ipv4)),
        ("datagrams", header(0x21, 0x12, ipv4)),
        ("too short for its family", header(0x21, 0x21, ipv4)),
        ("too long", signature + [0x21, 0x11, 0x10, 0x01]),
    ]

    @Test("anything else is none", arguments: invalid.indices)
    func none(index: Int) {
        let (name, bytes) = Self.invalid[index]
        #expect(ProxyHeader.parse(bytes) == .invalid, "\(name)")
    }
}
