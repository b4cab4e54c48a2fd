import Foundation

/// Divides files into chunks and writes those that no pack has yet.
///
/// Chunks have a fixed size and lie at multiples of it, as a database's pages do: a page that did not change is in a chunk
/// that is there already, where its neighbours did not change either.
struct PackWriter {
    private let path: String
    private let name: String
    private let chunkBytes: Int
    private(set) var packs: [BackupManifest.Pack]
    private var known: [String: BackupManifest.Place] = [:]
    private var file: FileHandle?
    private(set) var writtenBytes = 0

    /// - Parameters:
    ///   - folder: a locked folder of backups.
    ///   - last: the newest backup there. Chunks of its packs are not written again, unless most of a pack is not needed any
    ///     more: what is left of such a pack is written anew, so that it goes with the last backup that needs it.
    init(_ folder: BackupFolder, id: String, after last: BackupManifest?, chunkBytes: Int) {
        name = "\(id).pack"
        path = folder.path(of: name)
        self.chunkBytes = chunkBytes
        packs = []
        guard let last, last.chunkBytes == chunkBytes else { return }
        let used = last.usedBytes()
        var renumbered: [Int: Int] = [:]
        for (index, pack) in last.packs.enumerated() where used[index] * 2 >= pack.bytes {
            renumbered[index] = packs.count
            packs.append(pack)
        }
        for file in last.files {
            for var place in file.places() ?? [] {
                guard let pack = renumbered[place.pack] else { continue }
                place.pack = pack
                known[place.sha256] = place
            }
        }
    }

    /// Adds a file.
    /// - Parameter each: called with the number of bytes read.
    mutating func add(
        _ source: String, each: (Int) throws -> Void
    ) throws -> (bytes: Int, sha256: String, chunks: [String]) {
        guard let input = FileHandle(forReadingAtPath: source) else {
            throw SyncedFile.Failure("\(source) cannot be read")
        }
        defer { try? input.close() }
        var whole = SHA256()
        var chunks: [String] = []
        var bytes = 0
        while let data = try input.read(upToCount: chunkBytes), !data.isEmpty {
            whole.update(data)
            bytes += data.count
            let place = try place(of: data)
            chunks.append("\(place.pack) \(place.offset) \(place.sha256)")
            try each(data.count)
        }
        return (bytes, whole.finalize().hexadecimal, chunks)
    }

    private mutating func place(of data: Data) throws -> BackupManifest.Place {
        let sha256 = SHA256.hash(data).hexadecimal
        if let place = known[sha256] { return place }
        if file == nil {
            file = try SyncedFile.create("\(path).part")
            packs.append(BackupManifest.Pack(name: name, bytes: 0))
        }
        let place = BackupManifest.Place(pack: packs.count - 1, offset: writtenBytes, sha256: sha256)
        try file?.write(contentsOf: data)
        writtenBytes += data.count
        packs[place.pack].bytes = writtenBytes
        known[sha256] = place
        return place
    }

    /// Puts the pack in place, on the disk.
    mutating func finish() throws {
        guard let file else { return }
        try file.synchronize()
        try file.close()
        self.file = nil
        try SyncedFile.rename("\(path).part", to: path)
    }
}
