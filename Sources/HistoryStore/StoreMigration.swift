import Foundation
import GRDB

/// This package's release by semantic versioning; `candlewire --version` prints it, and stores remember which release changed
/// their tables.
package enum CandlewireRelease {
    package static let version = "0.2.0-dev"
}

/// Brings a store's tables to this release, and keeps a copy of what was there.
///
/// The copy is `NAME.before-schema-N` beside the file, where N is the number of the first migration that was applied
/// afterwards. An older release reads it: see Docs/operate.md. Nothing deletes it: where an older release was used again and
/// wrote something else, the copy of then is `NAME.before-schema-N.2`, and so on.
struct StoreMigration {
    let pool: DatabasePool
    let path: String
    /// The store's name in messages.
    let store: String
    let migrator: DatabaseMigrator

    private static let createReleases = """
        CREATE TABLE IF NOT EXISTS releases (
            -- Which release of the program applied which migration.
            migration TEXT PRIMARY KEY,
            version TEXT NOT NULL
        ) WITHOUT ROWID
        """

    /// - Throws: `StoreError` where a newer release changed the file, or the copy cannot be made; then nothing has changed.
    func run() throws {
        let applied = try pool.read(migrator.appliedIdentifiers)
        let known = migrator.migrations
        if let unknown = applied.subtracting(known).min(by: Self.isEarlier) { throw try newer(unknown) }
        let pending = known.filter { !applied.contains($0) }
        guard let first = pending.first else { return }
        if !applied.isEmpty { try keepCopy(before: first) }
        try migrator.migrate(pool)
        try pool.write { try Self.noteRelease(pending, $0) }
    }

    static func noteRelease(_ migrations: [String], _ db: Database) throws {
        try db.execute(sql: createReleases)
        for migration in migrations {
            try db.execute(
                sql: "INSERT OR REPLACE INTO releases VALUES (?, ?)", arguments: [migration, CandlewireRelease.version])
        }
    }

    // MARK: The copy

    private static func number(of migration: String) -> Int? { Int(migration.prefix { $0 != " " }) }

    private static func isEarlier(_ one: String, _ other: String) -> Bool {
        (number(of: one) ?? .max, one) < (number(of: other) ?? .max, other)
    }

    /// The copies that there are, oldest first, and the next one's path.
    private static func copies(of path: String, before migration: String) -> (made: [String], next: String) {
        let first = "\(path).before-schema-\(number(of: migration).map(String.init) ?? migration)"
        var (made, next) = ([String](), first)
        while FileManager.default.fileExists(atPath: next) {
            made.append(next)
            next = "\(first).\(made.count + 1)"
        }
        return (made, next)
    }

    private func keepCopy(before migration: String) throws {
        try Self.keepCopy(of: path, store, before: migration) { part in
            restrictToOwner(part)
            let queue = try DatabaseQueue(path: part)
            try pool.backup(to: queue)
            try queue.close()
        }
    }

    /// Keeps a file that is about to be replaced, closed and without a log: under a second name, which takes no room.
    /// - Parameter hasLinks: whether the file system has second names; otherwise, or where it refuses, it is copied.
    static func keepReplaced(_ path: String, _ store: String, before migration: String, hasLinks: Bool) throws {
        try keepCopy(of: path, store, before: migration) { part in
            if !hasLinks || link(path, part) != 0 { try FileManager.default.copyItem(atPath: path, toPath: part) }
        }
    }

    private static func keepCopy(
        of path: String, _ store: String, before migration: String, _ make: (_ part: String) throws -> Void
    ) throws {
        let (made, copy) = copies(of: path, before: migration)
        let part = "\(copy).part"
        do {
            try? FileManager.default.removeItem(atPath: part)
            try make(part)
            // What a crash or the way back left as it was is kept already.
            if made.contains(where: { FileManager.default.contentsEqual(atPath: $0, andPath: part) }) {
                return try FileManager.default.removeItem(atPath: part)
            }
            try SyncedFile.sync(part)
            try SyncedFile.rename(part, to: copy)
        } catch {
            try? FileManager.default.removeItem(atPath: part)
            throw StoreError(
                .unwritable,
                "The \(store) \(path) must be changed for this version of candlewire, and no copy of it can be kept at "
                    + "\(copy) first (\(StoreError(error, path: part, store: "copy").description)); make room, or choose "
                    + "another data directory.")
        }
    }

    // MARK: Going back

    /// A sentence that names the release that changed the file, and the way back.
    private func newer(_ migration: String) throws -> StoreError {
        let version = try pool.read { db in
            try db.tableExists("releases")
                ? String.fetchOne(db, sql: "SELECT version FROM releases WHERE migration = ?", arguments: [migration])
                : nil
        }
        let writer = version.map { "a newer version of candlewire, \($0)" } ?? "a newer version of candlewire"
        let back = Self.copies(of: path, before: migration).made.last.map {
            " To go back instead, move it and its -wal file away and copy \($0) to \(path): what was written since is not "
                + "in it."
        }
        return StoreError(
            .newerSchema,
            "The \(store) \(path) was written by \(writer), and this is \(CandlewireRelease.version); update the program "
                + "or choose another data directory.\(back ?? "")")
    }
}
