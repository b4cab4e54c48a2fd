import Consultation

/// Keys of programs and people, each of which names its bearer (`X-API-Key`).
public struct APIKeys: Sendable, CustomStringConvertible {
    /// Shorter ones can be guessed.
    public static let shortest = 16
    private let keys: [(user: String, key: SecretBytes)]

    /// Reads a file of one `user:key` a line; empty lines and those that begin with `#` are left out. A user may have
    /// several, so that one can be replaced while the other is still in use.
    /// - Throws: `ServerError` that names the file and the line, and no key.
    public init(file path: String) throws(ServerError) {
        var keys: [(user: String, key: SecretBytes)] = []
        for line in try SecretFile.lines(path, what: "key") {
            // A key may hold colons, a name may not.
            let parts = line.text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, UserName.isValid(String(parts[0])) else {
                throw Self.refused(path, line.number, "it must be USER:KEY, the user with \(UserName.rule).")
            }
            guard !UserName.isReserved(String(parts[0])) else {
                throw Self.refused(
                    path, line.number,
                    "the user name \"\(ConsultationUser.local.id)\" is reserved for users without a login, such as "
                        + "holders of a stream token; choose another.")
            }
            guard parts[1].utf8.count >= Self.shortest else {
                throw Self.refused(path, line.number, "a key needs at least \(Self.shortest) bytes.")
            }
            let key = String(parts[1])
            guard !keys.contains(where: { $0.key.matches(Array(key.utf8)) }) else {
                throw Self.refused(path, line.number, "duplicate key.")
            }
            keys.append((String(parts[0]), SecretBytes(key)))
        }
        guard !keys.isEmpty else {
            throw ServerError(.access, "The key file \(path) holds no key; one USER:KEY a line.")
        }
        self.keys = keys
    }

    private static func refused(_ path: String, _ line: Int, _ why: String) -> ServerError {
        ServerError(.access, "\(path), line \(line): \(why)")
    }

    /// Whose key it is. The time depends on how many there are and how long, not on where they differ.
    func user(of candidate: String) -> String? {
        let candidate = Array(candidate.utf8)
        var user: String?
        for (name, key) in keys where key.matches(candidate) { user = name }
        return user
    }

    func hasUser(_ name: String) -> Bool { keys.contains { UserKey($0.user) == UserKey(name) } }

    public var description: String { "\(keys.count) key\(keys.count == 1 ? "" : "s")" }
}
