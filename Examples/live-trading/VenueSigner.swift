import CCrypto
import Foundation

/// A venue's key and its secret. Nothing prints the secret: neither a log, nor an error, nor a debugger's description.
struct VenueKey: Sendable, CustomStringConvertible, CustomReflectable {
    let name: String
    private let secret: [UInt8]

    init(name: String, secret: String) {
        self.name = name
        self.secret = Array(secret.utf8)
    }

    /// HMAC-SHA256 of a query, in hexadecimal digits. By OpenSSL; in an app, CryptoKit makes the same.
    func signature(of query: String) -> String {
        let query = Array(query.utf8)
        var code = [UInt8](repeating: 0, count: 32)
        let made = EVP_Q_mac(
            nil, "HMAC", nil, "SHA256", nil, secret, secret.count, query, query.count, &code, code.count, nil)
        precondition(made != nil, "OpenSSL made no HMAC: is there memory?")
        return code.map { String(format: "%02x", $0) }.joined()
    }

    var description: String { "a venue's key" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Signs requests as Binance describes it:
/// https://developers.binance.com/docs/binance-spot-api-docs/rest-api/request-security
///
/// The venue accepts a request until `window` after its timestamp, by its own clock. So the signer corrects this machine's
/// clock by what the venue's was ahead when it was last read.
struct VenueSigner: Sendable {
    let key: VenueKey
    /// Milliseconds that a request is valid.
    var window = 5000
    /// Milliseconds that the venue's clock is ahead of ours.
    var offset: Int64 = 0

    /// - Parameter now: milliseconds since 1970 by our clock.
    func query(_ parameters: [(String, String)], now: Int64) -> String {
        let stamped = parameters + [("recvWindow", "\(window)"), ("timestamp", "\(now + offset)")]
        let query = stamped.map { "\($0)=\(Self.escape($1))" }.joined(separator: "&")
        return query + "&signature=" + key.signature(of: query)
    }

    private static func escape(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? text
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
