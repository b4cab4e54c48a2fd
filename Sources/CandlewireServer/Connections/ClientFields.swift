import HTTPTypes
import Hummingbird
import NIOHTTP1
import WebSocketTransport

/// What the connection knows about a request's client, for whoever handles the request. In fields of the head, because both
/// handshakes and requests have one; what a client sends under these names is removed.
enum ClientFields {
    fileprivate static let address = "X-Candlewire-Client"
    fileprivate static let scheme = "X-Candlewire-Scheme"

    static func set(_ client: TrustedProxies.Client, isSecure: Bool, in headers: inout HTTPHeaders) {
        headers.remove(name: address)
        headers.remove(name: scheme)
        if let known = client.address { headers.add(name: address, value: "\(known)") }
        if isSecure { headers.add(name: scheme, value: "https") }
    }
}

extension HTTPRequestHead {
    /// The address of the client, not of a trusted proxy in between; nil: unknown.
    var clientAddress: IPAddress? { headers.first(name: ClientFields.address).flatMap { IPAddress($0) } }
}

extension Request {
    /// The address of the client, not of a trusted proxy in between, as text; nil: unknown.
    var clientAddress: String? { headers[HTTPField.Name(ClientFields.address)!] }

    /// Whether the client came by HTTPS, to this server or to a trusted proxy in between.
    var isSecure: Bool { headers[HTTPField.Name(ClientFields.scheme)!] == "https" }
}
