import Foundation
package import GRDB

extension CandleStore {
    /// Deletes the store in `directory`, if there is one. It must not be open.
    public static func remove(directory: String) throws(StoreError) {
        try remove(fileName, from: directory, called: "candle store")
    }

    /// Deletes an SQLite file and what SQLite keeps beside it.
    static func remove(_ file: String, from directory: String, called name: String) throws(StoreError) {
        for suffix in ["", "-wal", "-shm"] {
            let path = "\(directory)/\(file)\(suffix)"
            guard FileManager.default.fileExists(atPath: path) else { continue }
            do {
                try FileManager.default.removeItem(atPath: path)
            } catch {
                throw StoreError(
                    .unwritable, "The \(name) \(path) cannot be removed; check the permissions of its folder.")
            }
        }
    }
}

/// Creates a store's file where there is none, for its owner alone whatever the folder allows, and removes the rights of
/// others to a file that is there. SQLite gives what it keeps beside a file the file's own rights. Where the system
/// refuses, SQLite reports it.
func restrictToOwner(_ path: String) {
    // Only a new file is opened: to close another one would release the locks that this process has on it.
    let created = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if created >= 0 {
        SyncedFile.giveToOwnerOfFolder(created, path)
        close(created)
    }
    for suffix in ["", "-wal", "-shm"] {
        var status = stat()
        // A link of another account could lead to any file.
        guard lstat(path + suffix, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 != 0
        else { continue }
        _ = chmod(path + suffix, status.st_mode & 0o700)
    }
}

/// The page size of files whose rows are documents. A row of a table without rowids that fills more than a quarter of a page
/// gets a page of its own beside the table (SQLite file format, section 1.6).
let documentPageBytes = 8192

extension DatabasePool {
    /// Opens or creates a store's file, in WAL mode, with the tables of this version. Only its owner may read it.
    /// - Parameters:
    ///   - label: names the queues in a debugger.
    ///   - store: the store's name in messages.
    ///   - synchronous: the value of the pragma: `FULL` syncs each commit, so that a power cut cannot undo it.
    ///   - pageBytes: of a new file.
    ///   - frees: whether a new file can give pages back to the system when rows are deleted.
    package static func open(
        _ path: String, label: String, store: String, busyTimeout: Duration, _ migrator: DatabaseMigrator,
        synchronous: String, pageBytes: Int = 4096, frees: Bool = false
    ) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.label = "candlewire.\(label)"
        configuration.busyMode = .timeout(busyTimeout / .seconds(1))
        configuration.prepareDatabase { db in
            // Before the first table; where there are tables it changes nothing.
            if !db.configuration.readonly {
                try db.execute(sql: "PRAGMA page_size = \(pageBytes)")
                if frees { try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL") }
            }
            try db.execute(sql: "PRAGMA synchronous = \(synchronous)")
        }
        restrictToOwner(path)
        let pool = try DatabasePool(path: path, configuration: configuration)
        try StoreMigration(pool: pool, path: path, store: store, migrator: migrator).run()
        // GRDB sets NORMAL when it turns the write-ahead log on.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = \(synchronous)") }
        return pool
    }
}

extension Database {
    /// Runs a statement that stays prepared.
    package func execute(_ sql: String, _ arguments: StatementArguments) throws {
        let statement = try cachedStatement(sql: sql)
        statement.setUncheckedArguments(arguments)
        try statement.execute()
    }
}

extension DatabaseMigrator {
    /// - Parameter migrations: their names and statements, in order.
    package init(_ migrations: KeyValuePairs<String, String>) {
        self.init()
        for (name, sql) in migrations { registerMigration(name) { try $0.execute(sql: sql) } }
    }
}
