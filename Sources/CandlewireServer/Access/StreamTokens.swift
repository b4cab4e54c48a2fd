import Foundation

/// The tokens that open the stream, where a deployment asks for one.
public struct StreamTokens: Sendable, CustomStringConvertible {
    /// Shorter ones can be guessed.
    public static let shortest = 16
    private let tokens: [[UInt8]]

    /// Reads a file of one token a line; empty lines and those that begin with `#` are left out.
    /// - Throws: `ServerError` that names the file and the line, and no token.
    public init(file path: String) throws(ServerError) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ServerError(kind: .access, description: "The token file \(path) cannot be read.")
        }
        var tokens: [[UInt8]] = []
        for (index, line) in String(decoding: data, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false
        ).enumerated() {
            let token = line.trimmingCharacters(in: .whitespaces.union(.newlines))
            guard !token.isEmpty, !token.hasPrefix("#") else { continue }
            guard token.utf8.count >= Self.shortest else {
                throw ServerError(
                    kind: .access,
                    description: "\(path), line \(index + 1): a token needs at least \(Self.shortest) bytes.")
            }
            tokens.append(Array(token.utf8))
        }
        guard !tokens.isEmpty else {
            throw ServerError(kind: .access, description: "The token file \(path) holds no token; one a line.")
        }
        self.tokens = tokens
    }

    /// Whether the token is one of them. The time depends on how many there are and how long, not on where they differ.
    func contains(_ candidate: String) -> Bool {
        let candidate = Array(candidate.utf8)
        var isKnown = false
        for token in tokens {
            var difference: UInt8 = token.count == candidate.count ? 0 : 1
            for index in token.indices {
                difference |= token[index] ^ (index < candidate.count ? candidate[index] : 0)
            }
            isKnown = difference == 0 || isKnown
        }
        return isKnown
    }

    public var description: String { "\(tokens.count) token\(tokens.count == 1 ? "" : "s")" }
}
