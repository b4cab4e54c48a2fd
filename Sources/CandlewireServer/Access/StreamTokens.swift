/// The tokens that open the stream, where a deployment requires one.
public struct StreamTokens: Sendable, CustomStringConvertible {
    /// Shorter ones can be guessed.
    public static let shortest = 16
    private let tokens: [SecretBytes]

    /// Reads a file of one token a line; empty lines and those that begin with `#` are left out.
    /// - Throws: `ServerError` that names the file and the line, and no token.
    public init(file path: String) throws(ServerError) {
        var tokens: [SecretBytes] = []
        for line in try SecretFile.lines(path, what: "token") {
            guard line.text.utf8.count >= Self.shortest else {
                throw ServerError(
                    .access, "\(path), line \(line.number): a token needs at least \(Self.shortest) bytes.")
            }
            tokens.append(SecretBytes(line.text))
        }
        guard !tokens.isEmpty else {
            throw ServerError(.access, "The token file \(path) has no token; write one token per line.")
        }
        self.tokens = tokens
    }

    /// Whether the token is one of them. The time depends on how many there are and how long, not on where they differ.
    func contains(_ candidate: String) -> Bool {
        let candidate = Array(candidate.utf8)
        var isKnown = false
        for token in tokens { isKnown = token.matches(candidate) || isKnown }
        return isKnown
    }

    /// - Parameter header: the value of a header, by its name in lower case.
    /// - Throws: 401 where none of the tokens is in `X-Stream-Token` or `Authorization`.
    func check(_ header: (String) -> String?) throws(APIError) {
        let sent = header("x-stream-token") ?? Self.bearer(header("authorization") ?? "")
        guard sent.map(contains) != true else { return }
        throw .unauthenticated(
            "This server requires a token: send Authorization: Bearer TOKEN or X-Stream-Token: TOKEN.")
    }

    /// The token in the value of a header `Authorization`; `nil` where it is none.
    static func bearer(_ authorization: String) -> String? {
        let parts = authorization.split(separator: " ", maxSplits: 1)
        return parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : nil
    }

    public var description: String { "\(tokens.count) token\(tokens.count == 1 ? "" : "s")" }
}
