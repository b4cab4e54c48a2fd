import Foundation
import Synchronization

/// Where each account's ledger ended, in a small signed file beside the database.
///
/// The chain of hashes shows that no entry was changed; only something outside of the database can show that its last
/// entries, or all of it, are gone. The head is written after the entries that it names are on disk, so a crash leaves a
/// head that is behind the ledger, never ahead of it: what it names must be there.
struct LedgerHead: Sendable, Equatable {
    var accounts: [String: LedgerPosition] = [:]

    private struct File: Codable {
        struct Account: Codable {
            var account: String
            var sequence: Int
            var hash: String
        }

        var version: Int
        var accounts: [Account]
        var signature: String
    }

    private static let version = 1

    /// What is signed.
    private var signed: [UInt8] {
        var text = "candlewire ledger head \(Self.version)\n"
        for (account, position) in accounts.sorted(by: { $0.key < $1.key }) {
            text += "\(account) \(position.sequence) \(position.hash)\n"
        }
        return Array(text.utf8)
    }

    func write(to path: String, _ key: LedgerKey) throws(StoreError) {
        let file = File(
            version: Self.version,
            accounts: accounts.sorted { $0.key < $1.key }.map {
                File.Account(account: $0.key, sequence: $0.value.sequence, hash: $0.value.hash.description)
            }, signature: key.signature(signed).hexadecimal)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        guard let data = try? encoder.encode(file) else { return }
        try SyncedFile.write(data + Data([0x0A]), to: path)
    }

    init(accounts: [String: LedgerPosition] = [:]) { self.accounts = accounts }

    /// - Returns: `nil` where there is no such file.
    /// - Throws: where its signature is not the key's.
    init?(file path: String, _ key: LedgerKey?) throws(StoreError) {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        guard let key else {
            throw StoreError(
                .lost,
                "The key of the ledger's head \(path) is missing, so that missing entries of the ledger cannot be detected."
            )
        }
        guard let file = try? JSONDecoder().decode(File.self, from: data), file.version == Self.version,
            let signature = [UInt8](hexadecimal: file.signature)
        else { throw Self.changed(path) }
        for entry in file.accounts {
            guard let hash = [UInt8](hexadecimal: entry.hash), hash.count == 32 else { throw Self.changed(path) }
            accounts[entry.account] = LedgerPosition(sequence: entry.sequence, hash: LedgerHash(bytes: hash))
        }
        guard key.isSignature(signature, of: signed) else { throw Self.changed(path) }
    }

    private static func changed(_ path: String) -> StoreError {
        StoreError(.lost, "The ledger's head \(path) was changed, or was signed with another key.")
    }
}

extension [UInt8] {
    init?(hexadecimal text: String) {
        guard text.utf8.count % 2 == 0, text.allSatisfy(\.isHexDigit) else { return nil }
        self = []
        var rest = Substring(text)
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
            append(byte)
            rest = rest.dropFirst(2)
        }
    }
}

/// Writes the head some time after each commit: at most once a second, since each write syncs the disk.
final class LedgerHeadWriter: Sendable {
    private struct State {
        var head: LedgerHead
        var isScheduled = false
        var problem: StoreError?
    }

    private let path: String
    private let key: LedgerKey
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "candlewire.ledger.head")
    /// Entries of so many seconds before a crash are not in the head: that they are missing would not be noticed.
    static let delay = 1.0

    private let isTimed: Bool

    /// - Parameter isTimed: whether it writes by itself.
    init(path: String, key: LedgerKey, head: LedgerHead, isTimed: Bool) {
        self.path = path
        self.key = key
        self.isTimed = isTimed
        state = Mutex(State(head: head))
    }

    /// The entries up to these are on disk.
    func note(_ accounts: [String: LedgerPosition]) {
        let isFirst = state.withLock { state in
            state.head.accounts = accounts
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        guard isFirst, isTimed else { return }
        queue.asyncAfter(deadline: .now() + Self.delay) { [self] in try? write() }
    }

    /// Writes the newest head, and returns when it is on disk.
    func flush() throws(StoreError) {
        let problem: StoreError? = queue.sync {
            do throws(StoreError) { try write() } catch { return error }
            return nil
        }
        if let problem { throw problem }
    }

    /// On the queue.
    private func write() throws(StoreError) {
        let head = state.withLock { state in
            state.isScheduled = false
            return state.head
        }
        do throws(StoreError) {
            try head.write(to: path, key)
            state.withLock { $0.problem = nil }
        } catch {
            // The one before stays: it names less, and what it names is there. The next commit tries again.
            state.withLock { $0.problem = error }
            throw error
        }
    }

    /// Why the head could not be written the last time.
    var problem: StoreError? { state.withLock { $0.problem } }
}
