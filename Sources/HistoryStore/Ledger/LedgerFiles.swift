import Foundation
import GRDB

/// The files of a ledger, and what their head says that must be there.
struct LedgerFiles: Sendable {
    let database: String
    let head: String
    let key: String
    let directory: String

    init(directory: String, keyFile: String?) {
        self.directory = directory
        database = DataDirectory.path(of: LedgerStore.fileName, in: directory)
        head = DataDirectory.path(of: LedgerStore.headFileName, in: directory)
        key = keyFile ?? DataDirectory.path(of: LedgerStore.keyFileName, in: directory)
    }

    /// What is known before the database is opened.
    struct Expected {
        var key: LedgerKey?
        /// `nil`: there is none, or it cannot be trusted.
        var head: LedgerHead?
        var problem: StoreError?
    }

    /// - Parameter acceptsLoss: keeps what is wrong in the result.
    func expected(acceptsLoss: Bool) throws(StoreError) -> Expected {
        var expected = Expected(key: try LedgerKey(file: key))
        do throws(StoreError) {
            expected.head = try LedgerHead(file: head, expected.key)
            if let head = expected.head {
                if !head.accounts.isEmpty, !FileManager.default.fileExists(atPath: database) { throw missing(head) }
            } else if let problem = missingHead(expected.key) {
                throw problem
            }
        } catch {
            expected.problem = way(on: error)
            if !acceptsLoss { throw expected.problem ?? error }
        }
        return expected
    }

    /// What is wrong where there is no head; `nil`: there was none before.
    func missingHead(_ key: LedgerKey?) -> StoreError? {
        guard key?.namesHead(in: directory) == true else { return nil }
        guard !FileManager.default.fileExists(atPath: database) else { return headIsMissing }
        return StoreError(
            .lost, "The ledger \(database) and its head \(head) are missing: by the key \(self.key) there were both.")
    }

    private var headIsMissing: StoreError {
        StoreError(
            .lost,
            "The head \(head) of the ledger is missing, so that missing entries of the ledger cannot be detected.")
    }

    func missing(_ head: LedgerHead) -> StoreError {
        let entries = head.accounts.values.reduce(0) { $0 + $1.sequence }
        return StoreError(
            .lost,
            "The ledger \(database) is missing: by its head \(self.head) it had \(entries) entries of "
                + "\(head.accounts.count) accounts.")
    }

    /// What of a ledger is not as its head says; `nil` where all is there.
    /// - Parameter saysWayOn: whether the sentence ends with what can be done.
    func problem(
        of expected: LedgerHead?, _ found: [String: LedgerPosition], _ db: Database, saysWayOn: Bool = true
    ) throws -> StoreError? {
        let problem = try problem(expected, found, db)
        return saysWayOn ? problem.map(way) : problem
    }

    private func problem(
        _ expected: LedgerHead?, _ found: [String: LedgerPosition], _ db: Database
    ) throws -> StoreError? {
        guard let expected else {
            return try Self.isHeadKept(db) ? headIsMissing : nil
        }
        if found.isEmpty, !expected.accounts.isEmpty { return missing(expected) }
        for (account, position) in expected.accounts.sorted(by: { $0.key < $1.key }) {
            let last = found[account]?.sequence ?? 0
            guard last >= position.sequence else {
                return StoreError(
                    .lost,
                    "The ledger \(database) lacks entries: account \(account) ends at entry \(last), and by its head "
                        + "\(head) it had \(position.sequence).")
            }
            guard try LedgerReading.follows(position, account, db) else {
                return StoreError(
                    .lost,
                    "The ledger \(database) was changed: entry \(position.sequence) of account \(account) is not the one that "
                        + "its head \(head) names.")
            }
        }
        return nil
    }

    /// - Returns: why the key's file cannot name the folder.
    func addHeadToKey() -> StoreError? {
        do throws(StoreError) { try LedgerKey.addHead(in: directory, to: key) } catch { return error }
        return nil
    }

    /// Deletes the ledger and its head, if there are any. It must not be open.
    func remove() throws(StoreError) {
        // The head first: one without a ledger would be missed.
        try? FileManager.default.removeItem(atPath: head)
        try CandleStore.remove(LedgerStore.fileName, from: directory, called: "ledger")
    }

    static func isHeadKept(_ db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM ledger_head)") ?? false
    }

    /// The same error with what can be done about it.
    private func way(on error: StoreError) -> StoreError {
        guard error.code == .lost else { return error }
        return StoreError(
            .lost,
            "\(error.description) Restore a backup with its head and key, or start with --accept-ledger-loss to go on with "
                + "what is there.")
    }
}
