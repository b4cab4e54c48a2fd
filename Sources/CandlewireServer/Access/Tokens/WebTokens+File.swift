import Foundation
import MarketFeeds

extension WebTokens {
    /// Bytes of a shared secret: as many as the hash has (RFC 7518 section 3.2).
    public static let shortestSecret = 32

    /// Reads what tokens are checked with: a public key (PEM; RS256, ES256, ES384, ES512 or EdDSA), a set of them (JSON,
    /// RFC 7517), or a shared secret of at least 32 bytes (HS256).
    /// - Throws: `ServerError` that names the file, and nothing of what is in it.
    public init(file path: String) async throws(ServerError) {
        // Others may read a public key, and who can change it makes tokens of every user.
        let text = WebTokenKeyText(try Self.contents(path, withoutRights: 0o022))
        switch text {
        case .privateKey: throw Self.refused(path, "is a private key; tokens are checked with the public one.")
        case .pem(let text):
            guard let algorithm = WebTokenAlgorithm(pem: text) else {
                throw Self.refused(
                    path, "has no public key for RS256 (of 2048 bits or more), ES256, ES384, ES512 or EdDSA.")
            }
            self.init(keys: [Key(algorithm: algorithm)])
        case .json(let text): self.init(keys: try Self.keySet(Data(text.utf8), path))
        case .secret(let text):
            guard text.utf8.count >= Self.shortestSecret else {
                throw Self.refused(path, "must be \(Self.allowedFiles).")
            }
            _ = try Self.contents(path, withoutRights: 0o077)
            self.init(keys: [Self.sharedSecret(text)])
        case .unusable(let what): throw Self.refused(path, "\(what); it must be \(Self.allowedFiles).")
        }
    }

    private static func contents(_ path: String, withoutRights rights: Int) throws(ServerError) -> Data {
        do throws(PrivateFile.Refusal) {
            return try PrivateFile.contents(path, withoutRights: rights)
        } catch {
            throw refused(path, error.words)
        }
    }

    private static let allowedFiles =
        "a public key (PEM), a set of them (JWKS), or a secret of at least \(shortestSecret) bytes on one line"

    static func sharedSecret(_ text: String) -> Key { Key(algorithm: .sharedSecret(text)) }

    private static func keySet(_ data: Data, _ path: String) throws(ServerError) -> [Key] {
        guard let set = try? JSONDecoder().decode(JSONWebKey.Set.self, from: data), !set.keys.isEmpty else {
            throw refused(path, "is not a JSON Web Key Set: {\"keys\":[{\"kty\":\"RSA\", \"EC\" or \"OKP\",...},...]}.")
        }
        var keys: [Key] = []
        for (index, key) in set.keys.enumerated() {
            guard let name = key.algorithmName else {
                throw refused(path, "has key \(index + 1) of a kind that is not supported.")
            }
            guard let algorithm = WebTokenAlgorithm(key, name: name) else {
                throw refused(path, "has key \(index + 1), which is not complete or not valid.")
            }
            keys.append(Key(id: key.kid, algorithm: algorithm))
        }
        return keys
    }

    private static func refused(_ path: String, _ why: String) -> ServerError {
        ServerError(.access, "The file \(path) of --jwt-key \(why)")
    }
}
