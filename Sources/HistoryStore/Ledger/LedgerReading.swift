import Foundation
import GRDB

/// Reading the tables, for the store and for those who check its file.
enum LedgerReading {
    /// Entries that are read at a time: a long read would keep the write-ahead log from being emptied.
    static let step = 5_000

    /// Where each account ends. One whose last entry has no hash was not written by us.
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

extension StoreError {
    static func damagedLedger(_ path: String, _ what: String) -> StoreError {
        StoreError(
            .corrupt,
            "The ledger \(path) is damaged: \(what). Restore it from a backup, or move it and its head away to begin with "
                + "new accounts.")
    }
}
