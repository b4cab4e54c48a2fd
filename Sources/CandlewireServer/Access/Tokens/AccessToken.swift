import Foundation
import HistoryStore
import TradingCore

/// A token as its file has it: not the token itself, but its hash and what it opens.
///
/// The hash is one SHA-256. Slow hashes (bcrypt, Argon2) protect passwords, which can be guessed offline from their hash;
/// 256 random bits cannot, however fast each try is, and a slow hash would make every request pay for it.
package struct AccessToken: Sendable, Hashable, Codable {
    package var name: String
    /// SHA-256 of the token's text, in hexadecimal digits.
    package var sha256: String
    package var scopes: AccessScopes
    package var accounts: AccessAccounts
    /// Seconds since 1970 UTC.
    package var createdAt: Double
    /// Seconds since 1970 UTC; `nil`: never.
    package var expiresAt: Double?

    /// Begins every token that we make, so that programs that look for leaked secrets find it.
    private static let prefix = "cw_"
    private static let longestName = 64
    package static let nameRule = "1 to \(longestName) letters, digits or any of -_.@"

    /// Makes a token of 256 random bits.
    /// - Returns: the token, which is not kept anywhere, and its entry.
    package static func make(
        _ name: String, scopes: AccessScopes, accounts: AccessAccounts, now: Double, expiresAt: Double?
    ) -> (text: String, entry: AccessToken) {
        var random = SystemRandomNumberGenerator()
        let text = prefix + Base64URL.text((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        let entry = AccessToken(
            name: name, sha256: hash(text), scopes: scopes, accounts: accounts, createdAt: now, expiresAt: expiresAt)
        return (text, entry)
    }

    static func hash(_ text: String) -> String {
        SHA256.hash(Array(text.utf8)).hexadecimal
    }

    package static func isName(_ name: String) -> Bool {
        1...longestName ~= name.utf8.count
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                    UInt8(ascii: "@"):
                    true
                default: false
                }
            }
    }

    var principal: Principal {
        // A plain token has no name.
        let name = name.isEmpty ? Principal.plainToken : "token:\(name)"
        return Principal(
            name: name, scopes: scopes, accounts: accounts, expiresAt: expiresAt, tokenHash: sha256)
    }

    // MARK: The file

    private enum CodingKeys: String, CodingKey {
        case name, sha256, scopes, accounts
        case createdAt = "created_at"
        case expiresAt = "expires_at"
    }

    init(
        name: String, sha256: String, scopes: AccessScopes, accounts: AccessAccounts, createdAt: Double,
        expiresAt: Double?
    ) {
        self.name = name
        self.sha256 = sha256
        self.scopes = scopes
        self.accounts = accounts
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func refused(_ key: CodingKeys, _ rule: String) -> DecodingError {
            .dataCorruptedError(forKey: key, in: fields, debugDescription: rule)
        }
        name = try fields.decode(String.self, forKey: .name)
        guard Self.isName(name) else { throw refused(.name, Self.nameRule) }
        sha256 = try fields.decode(String.self, forKey: .sha256)
        guard sha256.utf8.count == 64, sha256.utf8.allSatisfy({ Array("0123456789abcdef".utf8).contains($0) }) else {
            throw refused(.sha256, "64 hexadecimal digits")
        }
        guard let scopes = AccessScopes(words: try fields.decode([String].self, forKey: .scopes)) else {
            throw refused(.scopes, "a list of \(AccessScopes.allowedNames)")
        }
        self.scopes = scopes
        if let word = try? fields.decode(String.self, forKey: .accounts) {
            guard word == "all" else { throw refused(.accounts, "a list of account ids, or \"all\"") }
            accounts = .all
        } else {
            let ids = try fields.decode([String].self, forKey: .accounts)
            guard ids.allSatisfy({ (try? AccountID<Paper>($0)) != nil }) else {
                throw refused(.accounts, "a list of account ids, or \"all\"")
            }
            accounts = .only(Set(ids))
        }
        createdAt = try fields.decode(Double.self, forKey: .createdAt)
        expiresAt = try fields.decodeIfPresent(Double.self, forKey: .expiresAt)
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(name, forKey: .name)
        try fields.encode(sha256, forKey: .sha256)
        try fields.encode(scopes.names, forKey: .scopes)
        switch accounts {
        case .all: try fields.encode("all", forKey: .accounts)
        case .only(let ids): try fields.encode(ids.sorted(), forKey: .accounts)
        }
        try fields.encode(createdAt, forKey: .createdAt)
        try fields.encodeIfPresent(expiresAt, forKey: .expiresAt)
    }
}
