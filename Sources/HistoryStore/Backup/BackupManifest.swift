import Foundation

/// What a backup has: which files, of which schema, how large, and where each piece of them is. A file of JSON beside the
/// packs, written last: while it is not there, there is no such backup.
package struct BackupManifest: Codable, Sendable, Equatable {
    /// A file of chunks, one behind the other. Later backups refer to those of earlier ones.
    package struct Pack: Codable, Sendable, Equatable {
        package var name: String
        package var bytes: Int
    }

    /// Where a piece of a file is.
    struct Place: Hashable, Sendable {
        /// An index into `packs`.
        var pack: Int
        var offset: Int
        var sha256: String
    }

    package struct File: Codable, Sendable, Equatable {
        /// Inside the data directory: `ledger.sqlite`, `live/ledger.sqlite`.
        package var path: String
        package var bytes: Int
        package var sha256: String
        /// A database's migrations, in their order; empty for other files.
        package var schema: [String]
        /// A database's tables and their rows.
        package var rows: [String: Int]
        /// The file's pieces: `PACK OFFSET SHA256`. Each has `chunkBytes`, the last one the rest.
        var chunks: [String]

        func places() -> [Place]? {
            var places: [Place] = []
            places.reserveCapacity(chunks.count)
            for chunk in chunks {
                let parts = chunk.split(separator: " ")
                guard parts.count == 3, let pack = Int(parts[0]), let offset = Int(parts[1]) else { return nil }
                places.append(Place(pack: pack, offset: offset, sha256: String(parts[2])))
            }
            return places
        }
    }

    static let currentFormat = 1
    /// Versions of what is written here; larger ones are refused.
    var format = BackupManifest.currentFormat
    /// When it was made, UTC: `2026-11-26T191802Z`. The manifest's name without `.json`.
    package var id: String
    /// The release that made it.
    package var version: String
    /// Seconds since 1970 UTC: the moment at which all its databases stood still for it.
    package var time: Double
    var chunkBytes: Int
    package var packs: [Pack]
    package var files: [File]

    private enum CodingKeys: String, CodingKey {
        case format, id, version, time
        case chunkBytes = "chunk_bytes"
        case packs, files
    }

    package var bytes: Int { files.reduce(0) { $0 + $1.bytes } }

    /// The bytes of each pack that this backup needs; the rest of a pack belongs to other backups, or to none.
    func usedBytes() -> [Int] {
        var used = [Int](repeating: 0, count: packs.count)
        for place in Set(files.flatMap { $0.places() ?? [] }) where used.indices.contains(place.pack) {
            used[place.pack] += chunkBytes
        }
        return used
    }
}
