import Foundation
import GRDB

/// A look at a ledger's files that changes nothing, also while a server writes them: one moment of the database.
package struct LedgerInspection {
    private let db: Database
    private let files: LedgerFiles
    private let key: LedgerKey?
    private let head: LedgerHead?
    private let headError: StoreError?

    /// The database file.
    package var path: String { files.database }

    /// - Throws: `StoreError` where there is no ledger that can be looked at, and whatever `body` throws.
    package static func run<R>(
        directory: String, keyFile: String? = nil, _ body: (LedgerInspection) throws -> R
    ) throws -> R {
        let files = LedgerFiles(directory: directory, keyFile: keyFile)
        // Before the database: it may only be behind.
        let key = try LedgerKey(file: files.key)
        var (head, headError): (LedgerHead?, StoreError?)
        do throws(StoreError) {
            head = try LedgerHead(file: files.head, key)
            if head == nil { headError = files.missingHead(key) }
        } catch { headError = error }
        guard FileManager.default.fileExists(atPath: files.database) else {
            if let head, !head.accounts.isEmpty { throw files.missing(head) }
            throw headError ?? StoreError(.missing, "There is no ledger in \(directory).")
        }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        do {
            let queue = try DatabaseQueue(path: files.database, configuration: configuration)
            defer { try? queue.close() }
            return try queue.read { db in
                guard try db.tableExists("ledger_head"), try LedgerFiles.isHeadKept(db) else {
                    throw headError
                        ?? StoreError(
                            .missing,
                            "The ledger \(files.database) is of an older version, without hashes: they are added when a server "
                                + "of this version starts with it.")
                }
                return try body(
                    LedgerInspection(db: db, files: files, key: key, head: head, headError: headError))
            }
        } catch let error as DatabaseError {
            throw StoreError(error, path: files.database, store: "ledger")
        }
    }

    /// What of the ledger is not as its head says, in a sentence; `nil`: nothing.
    package func headProblem() throws -> String? {
        if let headError { return headError.description }
        return try files.problem(of: head, LedgerReading.heads(db), db, saysWayOn: false)?.description
    }

    package func accounts() throws -> [String] { try String.fetchAll(db, sql: LedgerSchema.accounts) }

    /// Goes through an account's entries along its chain.
    /// - Returns: what is wrong, in a sentence without its end, where the chain or `body` found something.
    package func follow(_ account: String, _ body: (LedgerRecord) throws -> String?) throws -> String? {
        struct Found: Error { var problem: String }
        // What a deletion has not removed yet is no longer the account's.
        let start = try LedgerReading.deletion(of: account, db).map { $0 - 1 } ?? 0
        var chain = LedgerChain(account)
        do {
            try LedgerReading.entries(account, after: start, db) { entry in
                if let problem = try chain.problem(of: entry) ?? body(entry.record) { throw Found(problem: problem) }
            }
        } catch let found as Found { return found.problem }
        return nil
    }

    /// The states that are kept of an account, and whether the ledger's key has signed them.
    package func snapshots(of account: String) throws -> [(snapshot: LedgerSnapshot, isSigned: Bool)] {
        try LedgerSnapshot.all(of: account, db).map { stored in
            (stored.snapshot, key?.isSignature(stored.signature, of: stored.snapshot.signed(stored.hash)) == true)
        }
    }

    /// How many past orders and fills an account has in the index from an entry on, and the sum of their entries' numbers.
    package func index(of account: String, from sequence: Int) throws -> (orders: [Int], fills: [Int]) {
        func sums(_ table: String) throws -> [Int] {
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT COUNT(*), COALESCE(SUM(number), 0), COALESCE(SUM(sequence), 0) FROM \(table)
                    WHERE account = ? AND sequence >= ?
                    """, arguments: [account, sequence])
            return row.map { [$0[0], $0[1], $0[2]] } ?? []
        }
        return (try sums("past_orders"), try sums("past_fills"))
    }
}
