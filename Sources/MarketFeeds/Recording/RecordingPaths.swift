import Foundation

/// The names of a recording's files, from the name of its messages: `X.jsonl` or `X.jsonl.gz`.
public struct RecordingPaths: Sendable, Equatable {
    public let messages: String
    /// Receive times, one a message.
    public let times: String
    /// What the recording client sent.
    public let sent: String
    public let isCompressed: Bool

    /// - Throws: `FeedError` where the name ends otherwise.
    public init(_ path: String) throws(FeedError) {
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
    public func check(overwrites: Bool) throws(FeedError) {
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
