import Foundation
import GRDB

/// Reading the tables, for the store and for those who check its file.
enum LedgerReading {
    /// Where each account ends. Entries that have no hash yet are not looked at.
    static func heads(_ db: Database) throws -> [String: LedgerPosition] {
        var heads: [String: LedgerPosition] = [:]
        let last = try db.cachedStatement(
            sql: "SELECT sequence, hash FROM ledger WHERE account = ? ORDER BY sequence DESC LIMIT 1")
        for account in try String.fetchAll(db, sql: LedgerSchema.accounts) {
            guard let row = try Row.fetchOne(last, arguments: [account]), let hash = hash(row[1]) else { continue }
            heads[account] = LedgerPosition(sequence: row[0], hash: hash)
        }
        return heads
    }

    static func hash(_ value: DatabaseValue) -> LedgerHash? {
        guard let bytes = Data.fromDatabaseValue(value), bytes.count == 32 else { return nil }
        return LedgerHash(bytes: [UInt8](bytes))
    }

    /// Whether an account had this entry. What was before a deletion may be gone.
    static func follows(_ position: LedgerPosition, _ account: String, _ db: Database) throws -> Bool {
        let found = try Row.fetchOne(
            db, sql: "SELECT hash FROM ledger WHERE account = ? AND sequence = ?",
            arguments: [account, position.sequence])
        if let found { return hash(found[0]) == position.hash }
        if let block = try LedgerBlock.containing(position.sequence, of: account, db) {
            let before = block.first == 1 ? nil : try LedgerBlock.containing(block.first - 1, of: account, db)
            return block.hash(of: position.sequence, after: before?.hash ?? .first) == position.hash
        }
        return try deletion(of: account, db) ?? 0 > position.sequence
    }

    /// The entry with which an account was deleted the last time.
    static func deletion(of account: String, _ db: Database) throws -> Int? {
        try Int.fetchOne(
            db,
            sql: """
                SELECT deletions.sequence FROM deletions
                JOIN ledger ON ledger.account = deletions.account AND ledger.sequence = deletions.sequence
                WHERE deletions.account = ? AND ledger.kind = ?
                """, arguments: [account, LedgerRecord.deletion])
    }

    /// A stored entry, and what it has to be proved by.
    struct Entry {
        var record: LedgerRecord
        var checksum: Int64
        /// `nil`: of an older version.
        var hash: LedgerHash?
        /// Of an entry that ends an account.
        var previous: LedgerHash?
        /// In a block: the block's first entry. Only its last entry has a hash.
        var blockStart: Int?
    }

    /// The entries of an account after a number, ascending, those of blocks first.
    /// - Parameter limit: enough are read when there are as many.
    static func entries(
        _ account: String, after sequence: Int, limit: Int = .max, _ db: Database, _ body: (Entry) throws -> Void
    ) throws {
        var (last, count) = (sequence, 0)
        while count < limit, let block = try LedgerBlock.next(account, after: last, db) {
            for record in block.records where record.sequence > last {
                let hash = record.sequence == block.last ? block.hash : nil
                try body(Entry(record: record, checksum: 0, hash: hash, blockStart: block.first))
                count += 1
            }
            last = block.last
        }
        if count < limit { try rows(account, after: last, limit: limit - count, db, body) }
    }

    /// The entries that are rows.
    static func rows(
        _ account: String, after sequence: Int, limit: Int, _ db: Database, _ body: (Entry) throws -> Void
    ) throws {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT sequence, time, kind, body, principal, checksum, hash, previous FROM ledger
                    WHERE account = ? AND sequence > ? ORDER BY sequence LIMIT ?
                    """), arguments: [account, sequence, limit])
        while let row = try rows.next() {
            try body(
                Entry(
                    record: LedgerRecord(
                        account: account, sequence: row[0], time: row[1], kind: row[2], body: row[3], principal: row[4]),
                    checksum: row[5], hash: hash(row[6]), previous: hash(row[7])))
        }
    }
}

/// Follows an account's chain from entry to entry.
struct LedgerChain {
    let account: String
    /// The last entry that was proved.
    private(set) var position: LedgerPosition
    private(set) var isDeleted = false

    /// - Parameter position: an entry that is known to be right; `nil`: from the first on.
    init(_ account: String, after position: LedgerPosition? = nil) {
        self.account = account
        self.position = position ?? LedgerPosition(sequence: 0, hash: .first)
    }

    /// What is wrong with the next entry, as the end of a sentence; `nil`: nothing, and it is the last one now.
    mutating func problem(of entry: LedgerReading.Entry) -> String? {
        let record = entry.record
        var previous = position.hash
        if record.sequence != position.sequence + 1 {
            // An account that was deleted begins with its deletion.
            guard position.sequence == 0, record.kind == LedgerRecord.deletion, let kept = entry.previous else {
                return "entry \(position.sequence + 1) of account \(account) is missing"
            }
            previous = kept
        }
        let hash = record.hash(after: previous)
        if let start = entry.blockStart {
            guard entry.hash == nil || hash == entry.hash else {
                return "one of the entries \(start) to \(record.sequence) of account \(account) is not what was written"
            }
            position = LedgerPosition(sequence: record.sequence, hash: hash)
            return nil
        }
        guard hash == entry.hash else {
            return "entry \(record.sequence) of account \(account) is not what was written"
        }
        position = LedgerPosition(sequence: record.sequence, hash: hash)
        isDeleted = record.kind == LedgerRecord.deletion
        return nil
    }
}

/// Gives the entries of versions before 0.2 their hashes.
enum LedgerSealing {
    /// Entries of one transaction: short ones, so that the write-ahead log stays small.
    static let step = 5_000

    /// A crash in the middle is no harm: what has a hash keeps it, and the rest is done at the next start.
    static func run(_ pool: DatabasePool, step: Int = step) throws {
        let accounts = try pool.read { try String.fetchAll($0, sql: LedgerSchema.accounts) }
        for account in accounts {
            // Hashes are given in order: where the last entry has one all have.
            let isSealed = try pool.read { db in
                try Bool.fetchOne(
                    db,
                    sql: """
                        SELECT hash IS NOT NULL FROM ledger WHERE account = ? ORDER BY sequence DESC LIMIT 1
                        """, arguments: [account])
            }
            if isSealed == true { continue }
            var position = LedgerPosition(sequence: 0, hash: .first)
            while let next = try pool.write({ db in try seal(account, after: position, step, db) }) { position = next }
        }
    }

    /// - Returns: the last entry of the step; `nil` where there was none.
    private static func seal(
        _ account: String, after start: LedgerPosition, _ step: Int, _ db: Database
    ) throws -> LedgerPosition? {
        var position = start
        var hashes: [(Int, LedgerHash)] = []
        try LedgerReading.entries(account, after: start.sequence, limit: step, db) { entry in
            let record = entry.record
            guard record.sequence == position.sequence + 1 || record.kind == LedgerRecord.deletion else {
                throw damaged(db, "entry \(position.sequence + 1) of account \(account) is missing")
            }
            if let hash = entry.hash {
                position = LedgerPosition(sequence: record.sequence, hash: hash)
                return
            }
            guard record.checksum == entry.checksum else {
                throw damaged(db, "entry \(record.sequence) of account \(account) is not what was written")
            }
            position = LedgerPosition(sequence: record.sequence, hash: record.hash(after: position.hash))
            hashes.append((record.sequence, position.hash))
        }
        for (sequence, hash) in hashes {
            try db.execute(
                "UPDATE ledger SET hash = ? WHERE account = ? AND sequence = ?",
                [Data(hash.bytes), account, sequence])
        }
        return position.sequence == start.sequence ? nil : position
    }

    private static func damaged(_ db: Database, _ what: String) -> StoreError {
        let file = try? String.fetchOne(db, sql: "SELECT file FROM pragma_database_list WHERE name = 'main'")
        let path = file ?? LedgerStore.fileName
        return .damagedLedger(path, what)
    }
}

extension StoreError {
    static func damagedLedger(_ path: String, _ what: String) -> StoreError {
        StoreError(
            .corrupt,
            "The ledger \(path) is damaged: \(what). Restore it from a backup, or move it and its head away to begin with "
                + "new accounts.")
    }
}
