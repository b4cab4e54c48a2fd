import Foundation

/// A file that only grows, and only by whole pieces: a piece that does not fit is removed again. A full disk accepts as
/// much of a write as there is room for. What stays behind would be half a line, or half a gzip member, and the same
/// piece would be there twice once it was tried again.
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

/// The names of a recording's files, from the name of its messages: `X.jsonl` or `X.jsonl.gz`.
package struct RecordingPaths: Sendable, Equatable {
    package let messages: String
    /// Receive times, one a message.
    package let times: String
    /// What the recording client sent.
    package let sent: String
    package let isCompressed: Bool

    /// - Throws: `FeedError` where the name ends otherwise.
    package init(_ path: String) throws(FeedError) {
        isCompressed = path.hasSuffix(".jsonl.gz")
        guard isCompressed || path.hasSuffix(".jsonl"), !path.hasSuffix("/.jsonl") else {
            throw FeedError(.usage, "A recording's name ends with .jsonl or .jsonl.gz; it is \"\(path)\".")
        }
        let stem = String(path.dropLast(isCompressed ? 9 : 6))
        messages = path
        times = stem + ".times.txt" + (isCompressed ? ".gz" : "")
        sent = stem + ".sent.jsonl"
    }

    /// Looks whether the files can be made, and makes nothing.
    /// - Parameter overwrites: whether files of these names may be replaced.
    /// - Throws: `FeedError` that names the file and what is wrong with it.
    package func check(overwrites: Bool) throws(FeedError) {
        let files = FileManager.default
        for path in [messages, times, sent] where !overwrites && files.fileExists(atPath: path) {
            throw FeedError(.usage, "\(path) exists already; choose another name, or --force to replace it.")
        }
        let folder = URL(fileURLWithPath: messages).deletingLastPathComponent().path
        guard files.isWritableFile(atPath: folder) else {
            throw FeedError(.input, "\(messages) cannot be written; check its folder and permissions.")
        }
    }
}
