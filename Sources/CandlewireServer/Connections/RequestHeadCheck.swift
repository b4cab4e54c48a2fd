import HTTPTypes
import NIOHTTP1

/// What the parser lets through and RFC 9112 does not, because a proxy in front could read it in another way.
enum RequestHeadCheck {
    static func flaw(of head: HTTPRequestHead) -> APIError? {
        let isOld = (head.version.major, head.version.minor) < (1, 1)
        let hosts = head.headers["host"]
        if hosts.count > 1 {
            return APIError(.badRequest, "invalid_host", "A request has one Host header; this one has \(hosts.count).")
        }
        // Section 3.2; HTTP/1.0 may do without.
        guard let host = hosts.first ?? (isOld ? "" : nil) else {
            return APIError(.badRequest, "invalid_host", "The Host header is missing.")
        }
        guard host.utf8.count <= 261, host.utf8.allSatisfy(isOfHost) else {
            return APIError(.badRequest, "invalid_host", "The Host header must be a name or an address, and a port.")
        }
        // Section 6.1: a sender of 1.0 does not know the header, or hides something.
        if isOld, head.headers.contains(name: "transfer-encoding") {
            return APIError(
                .badRequest, "invalid_transfer_encoding", "HTTP/1.0 has no Transfer-Encoding; send Content-Length.")
        }
        return nil
    }

    /// Of names, addresses and a port (RFC 3986, section 3.2.2), without user information.
    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~%!$&'()*+,;=:[]".utf8.contains(byte)
        }
    }
}
