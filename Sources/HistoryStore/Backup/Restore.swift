import Foundation

/// Puts a backup in the place of a data directory.
///
/// The files are made beside the directory, compared with the manifest and checked by SQLite first; then the two directories
/// change their names in one step. The directory that was there stays beside it.
package struct Restore {
    package struct Outcome: Sendable {
        package var manifest: BackupManifest
        /// Where the directory is that was replaced; `nil`: there was none.
        package var replaced: String?
    }

    let folder: BackupFolder
    let manifest: BackupManifest
    let directory: String
    /// Makes all that is in the directory, where root restores: only the folder itself is made and moved by root.
    let owner: DirectoryOwner
    let progress: (Double, String) -> Void

    /// - Parameters:
    ///   - id: of the backup; `nil`: the newest.
    ///   - directory: a data directory; made where it is missing.
    package init(
        _ id: String?, from folder: BackupFolder, to directory: String,
        progress: @escaping (Double, String) -> Void = { _, _ in }
    ) throws(StoreError) {
        self.folder = folder
        manifest = try folder.manifest(id)
        self.directory = URL(fileURLWithPath: directory).standardizedFileURL.path
        owner = DirectoryOwner(of: self.directory)
        self.progress = progress
    }

    /// Compares all chunks and files of the backup with the manifest, and changes nothing.
    /// - Returns: what it has.
    @discardableResult package func verify() throws -> BackupManifest {
        try reading { file in try folder.read(file, of: manifest) { _ in } }
        return manifest
    }

    /// - Throws: `StoreError`; then the directory is as it was.
    package func run() throws -> Outcome {
        let lock = try DirectoryLock(
            folder.path, inUse: "The folder \(folder.path) is in use by another backup or restore.")
        defer { lock.release() }
        // Before anything is made: to be refused after an hour would be late.
        let locks = try owner.run(lockDirectory)
        defer { for lock in locks { lock.release() } }
        let stage = "\(directory).restoring"
        do {
            remove(stage)
            try make(stage)
            try fill(stage)
            try owner.run { try keepOthers(in: stage) }
            let replaced = try swap(stage)
            return Outcome(manifest: manifest, replaced: replaced)
        } catch {
            remove(stage)
            throw StoreError(error, path: directory, store: "data directory")
        }
    }

    private func lockDirectory() throws(StoreError) -> [DirectoryLock] {
        var locks: [DirectoryLock] = []
        for name in DataFile.folders {
            let path = name.isEmpty ? directory : "\(directory)/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            guard name.isEmpty || status.st_mode & S_IFMT == S_IFDIR else {
                throw StoreError(
                    .notADirectory,
                    "\(path) is a link or a file, and a restore replaces the data directory with all that is in it; put a "
                        + "folder in its place, or restore into another directory with --data-dir.")
            }
            if FileManager.default.fileExists(atPath: path) { locks.append(try DirectoryLock(path)) }
        }
        return locks
    }

    /// Makes the folder that will have the directory's name.
    private func make(_ stage: String) throws {
        try owner.run { try DataDirectory.create(DataDirectory.folder(of: stage)) }
        if (try? owner.run { try DataDirectory.create(stage) }) == nil {
            // The owner may make nothing here, and so cannot put something else in the place of what root makes.
            try DataDirectory.create(stage)
            try owner.give(stage)
        }
        var status = stat()
        guard geteuid() == 0, stat(directory, &status) == 0 else { return }
        _ = try owner.run { chmod(stage, status.st_mode & 0o777) }
    }

    /// Removes what a restore made, acting as its owner, who may change it meanwhile.
    private func remove(_ stage: String) {
        let files = FileManager.default
        try? DirectoryOwner(of: stage).run {
            let names = try files.contentsOfDirectory(atPath: stage)
            for name in names { try files.removeItem(atPath: "\(stage)/\(name)") }
        }
        // In a folder that may be root's.
        if rmdir(stage) != 0 { unlink(stage) }
    }

    private func reading(_ body: (BackupManifest.File) throws -> Void) throws {
        for (number, file) in manifest.files.enumerated() {
            progress(Double(number) / Double(manifest.files.count), file.path)
            try body(file)
        }
    }

    private func fill(_ stage: String) throws {
        let allowed = DataFile.paths
        try reading { file in
            // A manifest comes from outside: it must not name a place elsewhere.
            guard let known = allowed.first(where: { $0.path == file.path }) else {
                throw StoreError(
                    .newerSchema,
                    "The backup \(manifest.id) has \(file.path), which this version of candlewire does not know; update the "
                        + "program to \(manifest.version).")
            }
            let isKept = known.kind == .log && FileManager.default.fileExists(atPath: "\(directory)/\(file.path)")
            if isKept { return }
            let path = "\(stage)/\(file.path)"
            let output = try owner.run {
                try DataDirectory.create(DataDirectory.folder(of: path))
                return try SyncedFile.create(path)
            }
            try folder.read(file, of: manifest) { try output.write(contentsOf: $0) }
            try output.synchronize()
            try output.close()
            guard known.kind == .database else { return }
            let contents = try owner.run {
                let contents = try DatabaseContents.read(path) { damaged(file, $0) }
                for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
                return contents
            }
            guard contents.rows == file.rows, contents.schema == file.schema else {
                throw damaged(file, "it has other rows than the manifest says")
            }
        }
    }

    private func damaged(_ file: BackupManifest.File, _ what: String) -> StoreError {
        StoreError(
            .corrupt,
            "The backup \(manifest.id) of \(file.path) cannot be used: \(what). Choose another one with --backup.")
    }

    /// Files of others in the directory stay in it: tokens or certificates that the user put there, and logs.
    private func keepOthers(in stage: String) throws {
        let files = FileManager.default
        let known = Set(DataFile.paths.filter { $0.kind != .log }.map(\.path))
        for folder in DataFile.folders {
            let prefix = folder.isEmpty ? "" : "\(folder)/"
            for name in (try? files.contentsOfDirectory(atPath: "\(directory)/\(folder)")) ?? [] {
                let path = prefix + name
                guard !known.contains(path), !DataFile.isTransient(name), !DataFile.folders.contains(path),
                    !files.fileExists(atPath: "\(stage)/\(path)"), !name.contains(".sqlite.")
                else { continue }
                try DataDirectory.create("\(stage)/\(folder)")
                do { try files.copyItem(atPath: "\(directory)/\(path)", toPath: "\(stage)/\(path)") } catch {
                    throw StoreError(
                        .other,
                        "\(directory)/\(path) cannot be copied into the restored folder by the owner of \(directory) "
                            + "(\(error.localizedDescription)); move it to another folder.")
                }
            }
        }
    }

    /// - Returns: where the replaced directory is.
    private func swap(_ stage: String) throws -> String? {
        guard FileManager.default.fileExists(atPath: directory) else {
            try SyncedFile.rename(stage, to: directory)
            return nil
        }
        let replaced = freeName()
        guard DirectoryExchange.exchange(stage, directory) else {
            throw StoreError(
                .unwritable,
                "The data directory \(directory) cannot be replaced (\(String(cString: strerror(errno)))): the folder it is in "
                    + "must be writable, and it must not be a mount of its own. Restore into another directory with "
                    + "--data-dir.")
        }
        try SyncedFile.rename(stage, to: replaced)
        return replaced
    }

    private func freeName() -> String {
        let name = "\(directory).replaced-\(Int(Date().timeIntervalSince1970))"
        guard FileManager.default.fileExists(atPath: name) else { return name }
        return "\(name)-\(getpid())"
    }
}
