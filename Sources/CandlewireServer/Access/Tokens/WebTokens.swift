import Consultation
import StreamCore

/// JSON Web Tokens (RFC 7519): who their bearer is, and until when.
///
/// A key checks one algorithm and no other, whatever a token claims: no one can pass off a public key as a
/// shared secret, and `none` is none of them (RFC 8725 section 3.1).
public struct WebTokens: Sendable, CustomStringConvertible {
    struct Key: Sendable {
        var id: String?
        var algorithm: WebTokenAlgorithm
    }

    /// The claims of a valid token.
    struct Claims: Sendable, Hashable {
        var user: String
        /// Seconds since 1970 UTC. It is accepted for `leeway` longer.
        var expiresAt: Double
        /// `scope` and `accounts`: what it opens beside the conversations of its user. `nil`: it has no `scope`.
        var scopes: AccessScopes?
        var accounts = AccessAccounts.none

        /// `nil` where it opens nothing.
        var principal: Principal? {
            guard let scopes, !scopes.isEmpty else { return nil }
            return Principal(
                name: "jwt:\(user)", scopes: scopes, accounts: accounts, expiresAt: expiresAt + WebTokens.leeway)
        }
    }

    /// Seconds by which clocks may differ.
    public static let leeway = 60.0
    /// What a time may be, in seconds: from 1970 to the end of the year 9999, the last one that RFC 3339 can write. A
    /// program that writes another means something else by it.
    private static let times = 0...253_402_300_799.0
    /// Bytes; a larger one is not looked at.
    private static let longest = 8 << 10

    let keys: [Key]
    /// What `iss` must be; `nil`: anything.
    public var issuer: String?
    /// What `aud` must be, or have among others; `nil`: anything.
    public var audience: String?

    init(keys: [Key]) { self.keys = keys }

    /// - Parameter now: seconds since 1970 UTC.
    func claims(of token: String, now: Double) throws(WebTokenRefusal) -> Claims {
        let text = Array(token.utf8.prefix(Self.longest + 1))
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.count <= Self.longest, parts.count == 3, let header = Self.object(parts[0]),
            let signature = Base64URL.bytes(parts[2])
        else { throw .malformed }
        try check(signature, over: text[..<(text.count - parts[2].count - 1)], header)
        guard let claims = Self.object(parts[1]) else { throw .malformed }
        return try check(claims, now: now)
    }

    private func check(
        _ signature: [UInt8], over text: ArraySlice<UInt8>, _ header: [String: JSONValue]
    ) throws(WebTokenRefusal) {
        guard header["crit"] == nil else { throw .extensions }
        let able = keys.filter { $0.algorithm.name == header["alg"]?.text }
        guard !able.isEmpty else { throw .algorithm(allowed: allowed) }
        let id = header["kid"]?.text
        let named = able.filter { $0.id == nil || id == nil || $0.id == id }
        guard !named.isEmpty else { throw .unknownKey }
        // What is wrong with a signature's form is as good as a wrong one.
        guard named.contains(where: { $0.algorithm.verifies(signature, of: text) }) else { throw .signature }
    }

    private func check(_ claims: [String: JSONValue], now: Double) throws(WebTokenRefusal) -> Claims {
        guard let expiry = claims["exp"]?.number else { throw .noExpiry }
        guard Self.times.contains(expiry) else { throw .noTime("exp") }
        guard now < expiry + Self.leeway else { throw .expired(secondsAgo: Int(now - expiry)) }
        if let start = claims["nbf"] {
            guard let start = start.number, Self.times.contains(start) else { throw .noTime("nbf") }
            guard now >= start - Self.leeway else { throw .notYetValid }
        }
        if let issuer {
            guard claims["iss"]?.text == issuer else { throw .issuer(wanted: issuer) }
        }
        if let audience {
            let named = claims["aud"]?.elements ?? claims["aud"].map { [$0] } ?? []
            guard named.contains(.string(audience)) else { throw .audience(wanted: audience) }
        }
        guard let user = claims["sub"]?.text, UserName.isValid(user) else { throw .noSubject }
        guard !UserName.isReserved(user) else { throw .reservedSubject }
        var found = Claims(user: user, expiresAt: expiry)
        // Separated by spaces (RFC 8693 section 4.2), among them scopes of other servers.
        if let scope = claims["scope"]?.text {
            found.scopes = AccessScopes(known: scope.split(separator: " "))
        }
        switch claims["accounts"] {
        case .string("all"): found.accounts = .all
        case .array(let ids): found.accounts = .only(Set(ids.compactMap(\.text)))
        default: break
        }
        return found
    }

    private static func object(_ part: ArraySlice<UInt8>) -> [String: JSONValue]? {
        guard let bytes = Base64URL.bytes(part) else { return nil }
        return bytes.withUnsafeBytes { try? JSONValue(parsing: $0) }?.members
    }

    private var allowed: String { Set(keys.map(\.algorithm.name)).sorted().joined(separator: ", ") }

    public var description: String { "\(keys.count) key\(keys.count == 1 ? "" : "s") (\(allowed))" }
}

/// Why a JSON Web Token is refused: a sentence for its sender, with nothing of the token.
enum WebTokenRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    case malformed
    case algorithm(allowed: String)
    case unknownKey
    case signature
    case extensions
    case noExpiry
    /// A claim that is no time.
    case noTime(String)
    case expired(secondsAgo: Int)
    case notYetValid
    case issuer(wanted: String)
    case audience(wanted: String)
    case noSubject
    case reservedSubject

    /// Whether its sender need not ever have had a right one.
    var isGuess: Bool {
        switch self {
        case .malformed, .algorithm, .unknownKey, .signature, .extensions: true
        case .noExpiry, .noTime, .expired, .notYetValid, .issuer, .audience, .noSubject, .reservedSubject: false
        }
    }

    var description: String {
        switch self {
        case .malformed: "The token is not a JSON Web Token."
        case .algorithm(let allowed): "The token's algorithm is not allowed; \(allowed) is."
        case .unknownKey: "The token's key id is not known here."
        case .signature: "The token's signature is not valid."
        case .extensions: "The token has critical extensions (crit), which are not supported."
        case .noExpiry: "The token has no time at which it expires (exp)."
        case .noTime(let claim):
            "The token's \(claim) is no time: it must be a number of seconds since 1970, up to the year 9999."
        case .expired(let seconds): "The token expired \(seconds) seconds ago; get a new one."
        case .notYetValid: "The token is not valid yet (nbf)."
        case .issuer(let wanted): "The token's issuer (iss) must be \"\(wanted)\"."
        case .audience(let wanted): "The token's audience (aud) must be \"\(wanted)\"."
        case .noSubject: "The token's subject (sub) must name a user: \(UserName.rule)."
        case .reservedSubject:
            "The token's subject (sub) is \"\(ConsultationUser.local.id)\", the name that this server gives to users without "
                + "one; the login must use another name."
        }
    }
}

/// What a user may be called: 1 to 128 bytes without control characters, and not the name of users without one.
enum UserName {
    static let longest = 128
    static let rule = "1 to \(longest) bytes without control characters"

    static func isValid(_ name: String) -> Bool {
        1...longest ~= name.utf8.count && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }

    /// Whether it is the name of clients with a stream's token, or with none: a user of the same name would see their
    /// consultations.
    static func isReserved(_ name: String) -> Bool { UserKey(name) == UserKey(ConsultationUser.local.id) }
}
