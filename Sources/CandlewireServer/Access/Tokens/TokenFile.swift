import Foundation
import HistoryStore

/// The file of `candlewire tokens`: `{"version":2,"tokens":[...]}`, or one of plain tokens, one a line, as earlier versions
/// had it. A server reads both; only the first is changed by commands.
package struct TokenFile: Sendable {
    package private(set) var tokens: [AccessToken] = []
    /// Whether it has the tokens themselves.
    package private(set) var isPlain = false

    /// Bytes, some thousand tokens: larger ones are refused, since a server reads it between requests.
    static let longest = 1 << 20
    private static let version = 2

    private struct Document: Codable {
        var version: Int
        var tokens: [AccessToken]
    }

    // MARK: Reading

    /// - Throws: `ServerError` that names the file and the place, and no token.
    package init(reading path: String) throws(ServerError) {
        let data = try SecretFile.contents(path, what: "token")
        guard data.count <= Self.longest else {
            throw ServerError(.access, "The token file \(path) must have at most \(Self.longest) bytes.")
        }
        let first = data.first { !Character(UnicodeScalar($0)).isWhitespace }
        if first == UInt8(ascii: "{") { try decode(data, path) } else { try readLines(data, path) }
    }

    private mutating func decode(_ data: Data, _ path: String) throws(ServerError) {
        let document: Document
        do {
            document = try JSONDecoder().decode(Document.self, from: data)
        } catch let error as DecodingError {
            throw ServerError(.access, "The token file \(path) is not as it must be: \(Self.words(error)).")
        } catch {
            throw ServerError(.access, "The token file \(path) is not as it must be.")
        }
        guard document.version == Self.version else {
            throw ServerError(
                .access, "The token file \(path) has version \(document.version); this program reads \(Self.version).")
        }
        tokens = document.tokens
        for (index, token) in tokens.enumerated() where tokens[..<index].contains(where: { $0.name == token.name }) {
            throw ServerError(.access, "The token file \(path) has two tokens of the name \"\(token.name)\".")
        }
    }

    /// Where it is wrong, and what is allowed there; nothing of what stands there.
    private static func words(_ error: DecodingError) -> String {
        func place(_ path: [any CodingKey]) -> String {
            path.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined().drop { $0 == "." }.description
        }
        switch error {
        case .keyNotFound(let key, let context): return "\(place(context.codingPath + [key])) is missing"
        case .typeMismatch(let type, let context): return "\(place(context.codingPath)) must be of the type \(type)"
        case .valueNotFound(_, let context): return "\(place(context.codingPath)) must not be null"
        case .dataCorrupted(let context) where context.codingPath.isEmpty: return "it is not JSON"
        case .dataCorrupted(let context): return "\(place(context.codingPath)) must be \(context.debugDescription)"
        @unknown default: return "it cannot be read"
        }
    }

    /// Every plain token may do everything.
    private mutating func readLines(_ data: Data, _ path: String) throws(ServerError) {
        isPlain = true
        for line in SecretFile.lines(data) {
            guard line.text.utf8.count >= StreamTokens.shortest else {
                throw ServerError(
                    .access, "\(path), line \(line.number): a token needs at least \(StreamTokens.shortest) bytes.")
            }
            tokens.append(
                AccessToken(
                    name: "", sha256: AccessToken.hash(line.text), scopes: .all, accounts: .all, createdAt: 0,
                    expiresAt: nil))
        }
        guard !tokens.isEmpty else {
            throw ServerError(
                .access,
                "The token file \(path) has no token; write one token per line, or let candlewire tokens create make it."
            )
        }
    }

    // MARK: Changing

    /// Changes a file while no other command does. A missing one is made.
    /// - Throws: `ServerError`.
    package static func change<R>(
        _ path: String, _ body: (inout [AccessToken]) -> R
    ) throws(ServerError) -> R {
        let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        let folder = url.deletingLastPathComponent().path
        let lock: DirectoryLock
        do throws(StoreError) {
            try DataDirectory.create(folder)
            // On the folder, since the file is replaced.
            lock = try DirectoryLock(folder: folder)
        } catch {
            throw ServerError(.access, "The token file \(path) cannot be changed. \(error)")
        }
        defer { lock.release() }
        var file = TokenFile()
        if FileManager.default.fileExists(atPath: url.path) { file = try TokenFile(reading: url.path) }
        guard !file.isPlain else {
            throw ServerError(
                .access,
                "The token file \(path) has plain tokens, one a line; give another one with --file. A server reads either."
            )
        }
        let result = body(&file.tokens)
        try file.write(to: url.path)
        return result
    }

    /// - Returns: whether there was none of this name.
    package static func add(_ token: AccessToken, to tokens: inout [AccessToken]) -> Bool {
        guard !tokens.contains(where: { $0.name == token.name }) else { return false }
        tokens.append(token)
        return true
    }

    private init() {}

    /// Replaces the file, so that a server never sees half of one.
    private func write(to path: String) throws(ServerError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let document = try? encoder.encode(Document(version: Self.version, tokens: tokens)),
            document.count < Self.longest
        else {
            throw ServerError(
                .access, "The token file \(path) would have more than \(Self.longest) bytes; revoke tokens.")
        }
        do throws(StoreError) { try SyncedFile.write(document + Data("\n".utf8), to: path) } catch {
            throw ServerError(.access, error.description)
        }
    }
}
