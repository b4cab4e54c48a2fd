import Foundation
import Synchronization

/// The tokens that open streams and accounts, where a deployment requires one.
///
/// Their file is read again when it changes: what `candlewire tokens` creates or revokes counts a second later, in
/// connections that are open, too. While it cannot be read, the tokens stay as they were.
public struct StreamTokens: Sendable, CustomStringConvertible {
    /// Shorter ones can be guessed.
    public static let shortest = 16
    /// Seconds between two looks at the file.
    static let lookInterval = 1.0
    /// Bytes; what is longer is no token.
    private static let longest = 8 << 10

    private let path: String
    private let shared: Shared

    private final class Shared: Sendable {
        let state: Mutex<State>
        init(_ state: State) { self.state = Mutex(state) }
    }

    private struct State {
        var byHash: [String: AccessToken]
        var stamp: FileStamp?
        var lookedAt = -Double.infinity

        init(_ file: TokenFile, _ stamp: FileStamp?) {
            byHash = Self.byHash(file)
            self.stamp = stamp
        }

        mutating func replace(_ file: TokenFile) { byHash = Self.byHash(file) }

        private static func byHash(_ file: TokenFile) -> [String: AccessToken] {
            Dictionary(file.tokens.map { ($0.sha256, $0) }) { first, _ in first }
        }
    }

    /// What became of the file at a look.
    enum Change: Sendable, Equatable {
        case read(tokens: Int)
        /// It stays as it was read before.
        case failed(String)
    }

    /// Reads a file of one token a line, where empty lines and those that begin with `#` are left out, or one of
    /// `candlewire tokens`.
    /// - Throws: `ServerError` that names the file and the line, and no token; also where others may read it.
    public init(file path: String) throws(ServerError) {
        self.path = path
        // Before it is read: what changes meanwhile is read again.
        let stamp = FileStamp(path)
        shared = Shared(State(try TokenFile(reading: path), stamp))
    }

    /// Reads the file again where it changed, at most once a second.
    /// - Parameter now: seconds on a clock that never goes back.
    func refresh(now: Double) -> Change? {
        shared.state.withLock { state in
            guard now - state.lookedAt >= Self.lookInterval else { return nil }
            state.lookedAt = now
            let stamp = FileStamp(path)
            guard stamp != state.stamp else { return nil }
            state.stamp = stamp
            do throws(ServerError) {
                state.replace(try TokenFile(reading: path))
                return .read(tokens: state.byHash.count)
            } catch {
                return .failed(error.description)
            }
        }
    }

    /// Whose token it is. Which hash is looked for does not tell how much of a token was right, so that the time it takes
    /// tells nothing either.
    /// - Parameter now: seconds since 1970 UTC.
    func principal(of candidate: String, now: Double) -> Principal? {
        guard candidate.utf8.count <= Self.longest else { return nil }
        let hash = AccessToken.hash(candidate)
        return shared.state.withLock { Self.valid($0.byHash[hash], now)?.principal }
    }

    /// Whether a token that opened a connection still opens what it did then.
    func stillOpens(_ principal: Principal, now: Double) -> Bool {
        shared.state.withLock { state in
            Self.valid(principal.tokenHash.flatMap { state.byHash[$0] }, now)?.principal == principal
        }
    }

    private static func valid(_ token: AccessToken?, _ now: Double) -> AccessToken? {
        token.flatMap { token in token.expiresAt.map { now < $0 } ?? true ? token : nil }
    }

    /// The token in the value of a header `Authorization`; `nil` where it is none.
    static func bearer(_ authorization: String) -> String? {
        let parts = authorization.split(separator: " ", maxSplits: 1)
        return parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : nil
    }

    public var description: String {
        let count = shared.state.withLock { $0.byHash.count }
        return "\(count) token\(count == 1 ? "" : "s")"
    }
}

/// Tells whether a file is another one than before, or was written.
private struct FileStamp: Equatable {
    private let inode: UInt64
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        #if os(Linux)
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        #else
            (seconds, nanoseconds) = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
        #endif
    }
}
