import Foundation

/// A folder of backups: `ID.json`, the manifest of each, and `ID.pack`, the chunks that it added. Neither changes once it is
/// there, so that a copy of the folder elsewhere needs only what is new.
package struct BackupFolder: Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    func path(of name: String) -> String { "\(path)/\(name)" }

    /// Whether files are named by this id.
    func has(_ id: String) -> Bool {
        ["json", "pack"].contains { FileManager.default.fileExists(atPath: path(of: "\(id).\($0)")) }
    }

    /// All backups, the newest last.
    /// - Throws: `StoreError` where a manifest cannot be read.
    package func manifests() throws(StoreError) -> [BackupManifest] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        var manifests: [BackupManifest] = []
        for name in names.sorted() where name.hasSuffix(".json") {
            manifests.append(try manifest(String(name.dropLast(5))))
        }
        return manifests.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
    }

    /// One backup; without an id the newest.
    package func manifest(_ id: String?) throws(StoreError) -> BackupManifest {
        guard let id else {
            guard let newest = try manifests().last else {
                throw StoreError(.missing, "There is no backup in \(path); candlewire backup \(path) makes one.")
            }
            return newest
        }
        let file = path(of: "\(id).json")
        guard !id.contains("/"), let data = FileManager.default.contents(atPath: file) else {
            throw StoreError(
                .missing, "There is no backup \(id) in \(path); candlewire backup --list \(path) lists them.")
        }
        guard let manifest = try? JSONDecoder().decode(BackupManifest.self, from: data), manifest.id == id,
            manifest.chunkBytes > 0
        else {
            throw StoreError(.corrupt, "The backup \(file) is damaged; delete it, or choose another one with --backup.")
        }
        guard manifest.format <= BackupManifest.currentFormat else {
            throw StoreError(
                .newerSchema,
                "The backup \(file) was made by a newer version of candlewire, \(manifest.version); update the program."
            )
        }
        return manifest
    }

    /// Deletes what no manifest names: of backups that were interrupted, or are gone. The folder must be locked.
    func removeLeftovers() throws {
        // Without all manifests it is not known what they need.
        let needed = Set(try manifests().flatMap { $0.packs.map(\.name) })
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            let isLeft =
                name.hasSuffix(".part") || name == Self.workName || name.hasSuffix(".pack") && !needed.contains(name)
            if isLeft { try FileManager.default.removeItem(atPath: path(of: name)) }
        }
    }

    /// Deletes all backups but the newest ones. The folder must be locked.
    /// - Returns: how many went.
    func removeOldest(keeping count: Int) throws -> Int {
        let old = try manifests().dropLast(max(1, count))
        for manifest in old { try FileManager.default.removeItem(atPath: path(of: "\(manifest.id).json")) }
        try removeLeftovers()
        return old.count
    }

    static let workName = "work"

    // MARK: Reading

    /// Puts a file together from its chunks, and compares each chunk and the whole with what was recorded.
    /// - Parameter write: gets the bytes in their order.
    /// - Throws: `StoreError` with the code `corrupt` that names the pack.
    func read(_ file: BackupManifest.File, of manifest: BackupManifest, _ write: (Data) throws -> Void) throws {
        guard let places = file.places(), places.count == (file.bytes + manifest.chunkBytes - 1) / manifest.chunkBytes
        else { throw damaged(file, "its list of chunks is not whole") }
        var packs: [Int: FileHandle] = [:]
        var whole = SHA256()
        for (number, place) in places.enumerated() {
            guard manifest.packs.indices.contains(place.pack) else { throw damaged(file, "a pack is not listed") }
            let name = manifest.packs[place.pack].name
            let pack = try packs[place.pack] ?? open(name, for: file)
            packs[place.pack] = pack
            let length = min(manifest.chunkBytes, file.bytes - number * manifest.chunkBytes)
            try pack.seek(toOffset: UInt64(max(0, place.offset)))
            guard let data = try pack.read(upToCount: length), data.count == length,
                SHA256.hash(data).hexadecimal == place.sha256
            else { throw damaged(file, "\(name) is not what was written at byte \(place.offset)") }
            whole.update(data)
            try write(data)
        }
        guard whole.finalize().hexadecimal == file.sha256 else { throw damaged(file, "its SHA-256 is another") }
    }

    private func open(_ pack: String, for file: BackupManifest.File) throws -> FileHandle {
        guard !pack.contains("/"), let handle = FileHandle(forReadingAtPath: path(of: pack)) else {
            throw damaged(file, "\(pack) is missing")
        }
        return handle
    }

    private func damaged(_ file: BackupManifest.File, _ what: String) -> StoreError {
        StoreError(
            .corrupt,
            "The backup of \(file.path) in \(path) is damaged: \(what). Choose another one with --backup; candlewire backup "
                + "--list \(path) lists them.")
    }
}
