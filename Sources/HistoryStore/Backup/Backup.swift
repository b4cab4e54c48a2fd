import Foundation
import GRDB

/// Copies the data of a directory into a folder of backups, while a server works with it.
///
/// All databases are read as they are at one moment: a read transaction on each is opened before the first page is copied,
/// and SQLite's backup reads within it. Writers do not wait for it. The copy is checked by SQLite, divided into chunks, and
/// only the chunks that earlier backups lack are written. The manifest is written last.
package struct Backup {
    package struct Options: Sendable {
        /// Bytes to read in a second, so that the disk has time for the server; `nil`: no limit.
        package var maxBytesPerSecond: Double? = 50e6
        /// Backups that stay in the folder; `nil`: all.
        package var keep: Int?
        var chunkBytes = 64 << 10

        package init() {}
    }

    package struct Outcome: Sendable {
        package var manifest: BackupManifest
        /// Bytes that no earlier backup had.
        package var addedBytes: Int
        /// Old backups that were deleted.
        package var removed: Int
    }

    /// A database within its read transaction.
    private struct Snapshot {
        let path: String
        let queue: DatabaseQueue
    }

    let directory: String
    let folder: BackupFolder
    let options: Options
    /// Part done and what is being done, for people.
    let progress: (Double, String) -> Void
    /// For tests: called when all databases stand still.
    var whileFrozen: () throws -> Void = {}

    /// - Parameters:
    ///   - directory: a data directory.
    ///   - folder: made where it is missing.
    package init(
        of directory: String, in folder: BackupFolder, options: Options = Options(),
        progress: @escaping (Double, String) -> Void = { _, _ in }
    ) {
        self.directory = directory
        self.folder = folder
        self.options = options
        self.progress = progress
    }

    /// - Throws: `StoreError`. Earlier backups are as they were.
    package func run() throws -> Outcome {
        let present = DataFile.paths.filter { FileManager.default.fileExists(atPath: "\(directory)/\($0.path)") }
        guard !present.isEmpty else {
            throw StoreError(
                .missing, "There is no data in \(directory); name the data directory of a server with --data-dir.")
        }
        try refuseInside()
        try DataDirectory.create(folder.path)
        let lock = try DirectoryLock(
            folder.path, inUse: "The folder \(folder.path) is in use by another backup or restore.")
        defer { lock.release() }
        do {
            try folder.removeLeftovers()
            let work = folder.path(of: BackupFolder.workName)
            try FileManager.default.createDirectory(
                atPath: work, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            defer { try? FileManager.default.removeItem(atPath: work) }
            return try copy(present, work)
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(error, path: folder.path, store: "backup")
        }
    }

    private func refuseInside() throws(StoreError) {
        let inner = URL(fileURLWithPath: folder.path).standardizedFileURL.path + "/"
        let outer = URL(fileURLWithPath: directory).standardizedFileURL.path + "/"
        guard inner.hasPrefix(outer) else { return }
        throw StoreError(
            .unwritable,
            "The folder \(folder.path) is inside the data directory \(directory), which a restore replaces; choose another."
        )
    }

    private func copy(_ present: [(path: String, kind: DataFile.Kind)], _ work: String) throws -> Outcome {
        let last = try folder.manifests().last
        var snapshots: [String: Snapshot] = [:]
        var copies: [String: String] = [:]
        // In their order: see `DataFile.all`.
        for (number, file) in present.enumerated() {
            let source = "\(directory)/\(file.path)"
            copies[file.path] = "\(work)/\(number)"
            switch file.kind {
            case .database: snapshots[file.path] = try freeze(file.path)
            case .plain, .log: try FileManager.default.copyItem(atPath: source, toPath: "\(work)/\(number)")
            }
        }
        let time = Date().timeIntervalSince1970
        try whileFrozen()
        var id = Self.id(at: time)
        var repeats = 1
        // A pack outlives its manifest while others need it.
        while folder.has(id) {
            repeats += 1
            id = "\(Self.id(at: time))-\(repeats)"
        }
        var writer = PackWriter(folder, id: id, after: last, chunkBytes: options.chunkBytes)
        var files: [BackupManifest.File] = []
        let pacer = Pacer(limit: options.maxBytesPerSecond)
        for (number, file) in present.enumerated() {
            guard let copy = copies[file.path] else { continue }
            let part = { (done: Double) in
                progress((Double(number) + done) / Double(present.count), file.path)
            }
            var contents = (schema: [String](), rows: [String: Int]())
            if let snapshot = snapshots[file.path] {
                try copyPages(of: snapshot, to: copy, pacer, part)
                contents = try check(copy, of: file.path)
            }
            let size = try (FileManager.default.attributesOfItem(atPath: copy)[.size] as? Int) ?? 0
            var read = 0
            let added = try writer.add(copy) { count in
                read += count
                pacer.wait(after: count)
                part(0.5 + 0.5 * Double(read) / Double(max(1, size)))
            }
            // Its room on the disk is needed for the next one.
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy + suffix) }
            files.append(
                BackupManifest.File(
                    path: file.path, bytes: added.bytes, sha256: added.sha256, schema: contents.schema,
                    rows: contents.rows, chunks: added.chunks))
        }
        try writer.finish()
        let manifest = BackupManifest(
            id: id, version: CandlewireRelease.version, time: time, chunkBytes: options.chunkBytes, packs: writer.packs,
            files: files)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        try SyncedFile.write(try encoder.encode(manifest), to: folder.path(of: "\(id).json"))
        let removed = try options.keep.map(folder.removeOldest) ?? 0
        return Outcome(manifest: manifest, addedBytes: writer.writtenBytes, removed: removed)
    }

    private static func id(at time: Double) -> String {
        let seconds = Int(time)
        var parts = tm()
        var moment = time_t(seconds)
        gmtime_r(&moment, &parts)
        return String(
            format: "%04d-%02d-%02dT%02d%02d%02dZ", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
            parts.tm_hour,
            parts.tm_min, parts.tm_sec)
    }

    // MARK: One database

    /// Opens a read transaction: from here on the database stands still for it.
    private func freeze(_ path: String) throws -> Snapshot {
        let source = "\(directory)/\(path)"
        do {
            var configuration = Configuration()
            configuration.label = "candlewire.backup"
            configuration.readonly = true
            configuration.allowsUnsafeTransactions = true
            configuration.busyMode = .timeout(10)
            let queue = try DatabaseQueue(path: source, configuration: configuration)
            try queue.inDatabase { db in
                try db.beginTransaction(.deferred)
                // The transaction begins with the first read.
                _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master")
            }
            return Snapshot(path: path, queue: queue)
        } catch {
            throw StoreError(error, path: source, store: "database")
        }
    }

    private func copyPages(
        of snapshot: Snapshot, to copy: String, _ pacer: Pacer, _ part: @escaping (Double) -> Void
    ) throws {
        do {
            restrictToOwner(copy)
            var configuration = Configuration()
            // The copy is read again before it counts, and then written to the disk as chunks.
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
            let target = try DatabaseQueue(path: copy, configuration: configuration)
            try snapshot.queue.inDatabase { source in
                let pageBytes = try Int.fetchOne(source, sql: "PRAGMA page_size") ?? 4096
                let step = max(1, (1 << 20) / pageBytes)
                try target.inDatabase { target in
                    try source.backup(to: target, pagesPerStep: CInt(step)) { progress in
                        pacer.wait(after: step * pageBytes)
                        part(0.5 * Double(progress.completedPageCount) / Double(max(1, progress.totalPageCount)))
                    }
                }
                try source.commit()
            }
            try target.close()
            try snapshot.queue.close()
        } catch {
            throw StoreError(error, path: "\(directory)/\(snapshot.path)", store: "database")
        }
    }

    /// What a copy has, after SQLite found nothing wrong with it: a damaged database must not replace a good backup unseen.
    private func check(_ copy: String, of path: String) throws -> (schema: [String], rows: [String: Int]) {
        try DatabaseContents.read(copy) { what in
            StoreError(
                .corrupt,
                "The database \(directory)/\(path) is damaged, so no backup of it was made: \(what). Earlier backups are as "
                    + "they were; candlewire restore puts one back.")
        }
    }
}
