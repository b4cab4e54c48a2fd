import Foundation

/// A file that only grows, and only by whole pieces: a piece that does not fit is taken back.
///
/// A full disk takes as much of a write as there is room for. What stays behind would be half a line, or half a gzip
/// member, and the same piece would be there twice once it was tried again.
final class RecordingFile {
    let path: String
    private let handle: FileHandle
    /// Where the last whole piece ends.
    private var end: UInt64 = 0

    /// Creates the file, or empties it.
    init(_ path: String) throws(FeedError) {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw FeedError(.input, "\(path) cannot be written; check its folder and permissions.") }
        self.path = path
        self.handle = handle
    }

    func append(_ piece: [UInt8]) throws(FeedError) {
        do {
            try handle.write(contentsOf: Data(piece))
            end += UInt64(piece.count)
        } catch {
            try? handle.truncate(atOffset: end)
            throw FeedError(.input, "\(path) cannot be written any further: \(error.localizedDescription).")
        }
    }

    func close() { try? handle.close() }
}
