import Foundation
import GRDB

/// What state the databases of a data directory are in, found out without changing them, while a server may run.
package struct DataInspection: Sendable {
    /// Inside the data directory.
    package let path: String
    package let bytes: Int
    /// The rights of its file.
    package let mode: Int
    /// The last migration that was applied; `nil`: none, or it cannot be read.
    package var schema: String?
    /// Whether a newer release changed it.
    package var isNewer = false
    /// What is wrong with it; `nil`: nothing was found.
    package var flaw: String?
    /// Whether SQLite looked at all of it: not where it is larger than was allowed.
    package var isChecked = false

    /// - Parameter limit: files with more bytes are not read whole.
    package static func databases(in directory: String, checkingUpTo limit: Int) -> [DataInspection] {
        DataFile.paths.filter { $0.kind == .database }.compactMap { file in
            var status = stat()
            let place = "\(directory)/\(file.path)"
            guard stat(place, &status) == 0 else { return nil }
            var found = DataInspection(path: file.path, bytes: Int(status.st_size), mode: Int(status.st_mode & 0o777))
            found.inspect(place, isWhole: found.bytes <= limit)
            return found
        }
    }

    private init(path: String, bytes: Int, mode: Int) {
        (self.path, self.bytes, self.mode) = (path, bytes, mode)
    }

    /// The migrations that this release has for a file.
    private static func known(_ path: String) -> [String] {
        switch (path as NSString).lastPathComponent {
        case CandleStore.fileName: Schema.migrator.migrations
        case LedgerStore.fileName: LedgerSchema.migrator.migrations
        default: ConversationSchema.migrator { $0 }.migrations
        }
    }

    private mutating func inspect(_ place: String, isWhole: Bool) {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(2)
        do {
            let queue = try DatabaseQueue(path: place, configuration: configuration)
            let known = Self.known(path)
            (schema, isNewer, flaw) = try queue.read { db in
                let applied =
                    try db.tableExists("grdb_migrations")
                    ? String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid") : []
                let flaw = isWhole ? try String.fetchOne(db, sql: "PRAGMA quick_check(1)") : nil
                return (applied.last, applied.contains { !known.contains($0) }, flaw == "ok" ? nil : flaw)
            }
            isChecked = isWhole
            try queue.close()
        } catch {
            flaw = StoreError(error, path: place, store: "database").description
        }
    }

    /// Whether a process holds the directory; `nil`: it cannot be said.
    package static func isInUse(_ directory: String) -> Bool? {
        let descriptor = open("\(directory)/lock", O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return errno == ENOENT ? false : nil }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0
    }

    /// Seconds that each of some small writes took until it was on the disk, in a file that is removed again.
    /// - Throws: where the directory may not be written.
    package static func syncTimes(in directory: String, count: Int) throws -> [Double] {
        let path = "\(directory)/.doctor-\(getpid())"
        let file = try SyncedFile.create(path)
        defer { try? FileManager.default.removeItem(atPath: path) }
        var times: [Double] = []
        for _ in 0..<count {
            let began = ContinuousClock.now
            try file.write(contentsOf: Data(repeating: 0, count: 4096))
            try file.synchronize()
            times.append(began.duration(to: .now) / .seconds(1))
        }
        try file.close()
        return times
    }
}
