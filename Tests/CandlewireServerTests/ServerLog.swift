import Foundation
import Logging
import NIOCore
import Synchronization
import WebSocketTransport

@testable import CandlewireServer

/// What the tests of this process keep secret: keys, tokens, tickets. Each server's log is looked through for all of them.
enum TestSecrets {
    /// What is shorter could stand in a log by chance.
    static let shortest = 6
    private static let known = Mutex<Set<String>>([])

    @discardableResult
    static func remember(_ secret: String) -> String {
        precondition(secret.utf8.count >= shortest, "too short to be looked for")
        known.withLock { _ = $0.insert(secret) }
        return secret
    }

    /// A file of secrets, which only its owner may read unless a mode is given.
    static func file(_ text: String, mode: Int = 0o600) throws -> String {
        let path = RunningServer.temporaryFolder() + ".private"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    static var all: Set<String> { known.withLock { $0 } }
}

extension ClientAddress {
    static let machine = ClientAddress(nil as IPAddress?)
}

/// Everything that a server logs, however little of it is usually shown, kept until it was looked through.
final class ServerLog: Sendable {
    private struct State {
        var text: [UInt8] = []
        var lines = 0
        var leaks: Set<String> = []
    }

    /// Bytes after which what there is is looked through, and those that stay: a secret may lie across the place.
    private static let maxBytes = 1 << 20
    private static let kept = 8 << 10

    private let state = Mutex(State())

    func logger() -> Logger {
        var logger = Logger(label: "test") { [self] _ in Handler(log: self) }
        logger.logLevel = .trace
        return logger
    }

    var lines: Int { state.withLock { $0.lines } }

    /// Whether a line has this text, among the newest that are kept.
    func contains(_ text: String) -> Bool { state.withLock { Self.contains($0.text, Array(text.utf8)) } }

    /// Secrets that the server wrote: their first letters, and how long they are.
    func leaks() -> Set<String> {
        state.withLock { state in
            Self.look(&state)
            return state.leaks
        }
    }

    fileprivate func add(_ line: String) {
        state.withLock { state in
            state.text += Array(line.utf8) + [0x0A]
            state.lines += 1
            guard state.text.count >= Self.maxBytes else { return }
            Self.look(&state)
            state.text.removeFirst(state.text.count - Self.kept)
        }
    }

    private static func look(_ state: inout State) {
        for secret in TestSecrets.all where contains(state.text, Array(secret.utf8)) {
            state.leaks.insert("\(secret.prefix(4))... (\(secret.utf8.count) bytes)")
        }
    }

    private static func contains(_ text: [UInt8], _ secret: [UInt8]) -> Bool {
        text.withUnsafeBytes { text in
            secret.withUnsafeBytes { secret in
                guard let first = secret.first.map({ Int32($0) }), let wanted = secret.baseAddress,
                    var at = text.baseAddress
                else { return false }
                let end = at + text.count
                while end - at >= secret.count, let found = memchr(at, first, end - at - secret.count + 1) {
                    if memcmp(found, wanted, secret.count) == 0 { return true }
                    at = UnsafeRawPointer(found) + 1
                }
                return false
            }
        }
    }

    private struct Handler: LogHandler {
        let log: ServerLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let said = event.metadata ?? [:]
            let error = event.error.map { " \($0)" } ?? ""
            log.add("\(event.level) \(event.source): \(event.message)\(error) \(metadata) \(said)")
            guard event.level == .critical else { return }
            try? FileHandle.standardError.write(contentsOf: Data("\(event.message) \(said)\n".utf8))
        }
    }
}
