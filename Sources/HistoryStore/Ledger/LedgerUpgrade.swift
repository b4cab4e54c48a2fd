import Foundation
import GRDB

/// Converts a ledger of version 0.1: it makes a new file beside the old one, and puts it in its place.
///
/// In place the file would grow to three times its size: it has pages of 4096 bytes, a quarter of which an order's entry with
/// its hash exceeds, so that it would get a page of its own beside the table (SQLite file format, section 1.6).
///
/// A crash between two steps leaves a ledger that is whole, old or new; the next start begins again, or finds it done.
struct LedgerUpgrade {
    enum Step: Equatable {
        /// So many entries are in the new file: for each percent.
        case copied(Int, of: Int)
        /// The new file is on the disk.
        case written
        /// The old file has its second name, which nothing deletes.
        case kept
        /// The new file has the old one's name.
        case replaced
    }

    /// Bytes of the new file for one of the old file, at most.
    private static let growth = 1.5

    let path: String
    var busyTimeout = Duration.seconds(5)
    /// Whether the file system has hard links. Without them the old file is copied.
    var hasLinks = true
    /// Bytes that are free on the disk of a file.
    var freeBytes: (String) -> Int? = SyncedFile.freeBytes
    var report: (Step) -> Void = { _ in }

    private var part: String { "\(path).part" }

    /// - Throws: `StoreError`; then nothing has changed.
    func run() throws(StoreError) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        do {
            try? FileManager.default.removeItem(atPath: part)
            // The rights of the file that is kept are the old file's.
            restrictToOwner(path)
            guard let entries = try oldEntries() else { return }
            try checkSpace()
            defer { try? FileManager.default.removeItem(atPath: part) }
            restrictToOwner(part)
            try copy(entries)
            // A log that is left belongs to the old file, and would be taken for the new one's.
            for suffix in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
                throw StoreError(
                    .busy,
                    "The ledger \(path) is being read by another process, and it must be converted; stop that process.")
            }
            try SyncedFile.sync(part)
            report(.written)
            try StoreMigration.keepReplaced(path, "ledger", before: "2 chain", hasLinks: hasLinks)
            report(.kept)
            try SyncedFile.rename(part, to: path)
            report(.replaced)
        } catch {
            throw StoreError(error, path: path, store: "ledger")
        }
    }

    /// How many entries an old ledger has; `nil` where the file is not of version 0.1.
    private func oldEntries() throws -> Int? {
        var configuration = Configuration()
        configuration.busyMode = .timeout(busyTimeout / .seconds(1))
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        return try queue.read { db in
            guard try LedgerSchema.migrator.appliedIdentifiers(db) == ["1 ledger"] else { return nil }
            // Without reading all of them: they are numbered without a hole.
            return try String.fetchAll(db, sql: LedgerSchema.accounts).reduce(0) { sum, account in
                let last = "SELECT sequence FROM ledger WHERE account = ? ORDER BY sequence DESC LIMIT 1"
                return sum + (try Int.fetchOne(db, sql: last, arguments: [account]) ?? 0)
            }
        }
    }

    private func checkSpace() throws {
        let old = (try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.doubleValue ?? 0
        // Without hard links the old file is copied, too.
        let needed = Int(old * (Self.growth + (hasLinks ? 0 : 1))) + 1_000_000
        guard let free = freeBytes(path), free < needed else { return }
        func megabytes(_ bytes: Int) -> String { String(format: "%.1f MB", Double(bytes) / 1e6) }
        throw StoreError(
            .full,
            "The ledger \(path) must be converted for this version of candlewire, for which \(megabytes(needed)) must be free "
                + "on its disk, and \(megabytes(free)) are; make room. Nothing has changed.")
    }

    /// Fills the new file, without a journal: one that is half filled is deleted and filled again.
    private func copy(_ total: Int) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA page_size = \(documentPageBytes)")
            try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        }
        let new = try DatabaseQueue(path: part, configuration: configuration)
        defer { try? new.close() }
        try LedgerSchema.migrator.migrate(new)
        try new.writeWithoutTransaction { db in
            try StoreMigration.noteRelease(LedgerSchema.migrator.migrations, db)
            try db.execute(sql: "ATTACH DATABASE ? AS old", arguments: [path])
            try db.inTransaction {
                try copyEntries(total, db)
                try db.execute(sql: "INSERT INTO main.equity SELECT * FROM old.equity")
                return .commit
            }
            // Into the file that is kept.
            _ = try db.checkpoint(.truncate, on: "old")
            try db.execute(sql: "DETACH DATABASE old")
        }
        try new.close()
    }

    private func copyEntries(_ total: Int, _ db: Database) throws {
        let rows = try Row.fetchCursor(
            db, sql: "SELECT account, sequence, time, kind, body, checksum FROM old.ledger ORDER BY account, sequence")
        let insert = try db.makeStatement(sql: LedgerSchema.insert)
        var (account, position) = ("", LedgerPosition(sequence: 0, hash: .first))
        var done = 0
        while let row = try rows.next() {
            let record = LedgerRecord(account: row[0], sequence: row[1], time: row[2], kind: row[3], body: row[4])
            if record.account != account {
                (account, position) = (record.account, LedgerPosition(sequence: 0, hash: .first))
            }
            guard record.sequence == position.sequence + 1 else {
                throw StoreError.damagedLedger(path, "entry \(position.sequence + 1) of account \(account) is missing")
            }
            guard record.checksum == row[5] else {
                throw StoreError.damagedLedger(
                    path, "entry \(record.sequence) of account \(account) is not what was written")
            }
            position = LedgerPosition(sequence: record.sequence, hash: record.hash(after: position.hash))
            insert.setUncheckedArguments([
                account, record.sequence, record.time, record.kind, record.body, nil, Data(position.hash.bytes), nil,
            ])
            try insert.execute()
            done += 1
            if done * 100 / total != (done - 1) * 100 / total { report(.copied(done, of: total)) }
        }
    }
}
