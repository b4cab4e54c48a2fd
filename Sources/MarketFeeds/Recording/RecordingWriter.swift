import Foundation

/// Writes what a connection says to the files that `Recording` reads: messages, receive times, and what was sent.
///
/// Messages are written as they came, one a line. One that holds line ends is minified if it is JSON, and refused
/// otherwise; binary ones are counted only, because a line cannot hold them.
///
/// What was received is gathered until `flush`, which writes it in one piece (of a `.gz` file: as one more member), so that
/// a process that is killed loses what came after its last flush and leaves files that can be read. Not for several
/// threads.
package final class RecordingWriter {
    package struct Counts: Sendable, Equatable {
        package var messages = 0
        /// Bytes of the messages as they came.
        package var bytes = 0
        package var sent = 0
        /// Messages with line ends, written without them.
        package var minified = 0
        /// Text messages that cannot be a line.
        package var refused = 0
        package var binary = 0

        package init() {}
    }

    package let paths: RecordingPaths
    package private(set) var counts = Counts()
    private let messages: RecordingFile
    private let times: RecordingFile
    private let sent: RecordingFile
    private var pendingMessages: [UInt8] = []
    private var pendingTimes: [UInt8] = []
    private var pendingSent: [UInt8] = []
    private var lastTime: Int64 = 0
    private var isClosed = false

    /// Creates the files.
    /// - Parameter overwrites: whether files of that name may be replaced.
    /// - Throws: `FeedError` that names the file and what is wrong with it.
    package init(_ paths: RecordingPaths, overwrites: Bool = false) throws(FeedError) {
        self.paths = paths
        try paths.check(overwrites: overwrites)
        messages = try RecordingFile(paths.messages)
        times = try RecordingFile(paths.times)
        sent = try RecordingFile(paths.sent)
    }

    /// Records a text message.
    /// - Parameter nanoseconds: when it was received, since 1970 UTC. A clock that is set back does not make the times go
    ///   back: they stand still until it has caught up.
    package func received(_ message: UnsafeRawBufferPointer, at nanoseconds: Int64) {
        switch RecordedLine(message) {
        case .asItCame: pendingMessages.append(contentsOf: message)
        case .minified(let line):
            pendingMessages.append(contentsOf: line)
            counts.minified += 1
        case .impossible:
            counts.refused += 1
            return
        }
        pendingMessages.append(0x0A)
        lastTime = max(lastTime, nanoseconds)
        pendingTimes.append(contentsOf: "\(lastTime)\n".utf8)
        counts.messages += 1
        counts.bytes += message.count
    }

    /// Counts a binary message.
    package func receivedBinary() { counts.binary += 1 }

    /// Records a message that was sent; tokens, keys and signatures in it are not written down.
    package func sent(_ message: String) {
        let bytes = Array(message.utf8)
        switch bytes.withUnsafeBytes({ RecordedLine($0) }) {
        case .asItCame: pendingSent += RecordedSecrets.hidden(in: bytes)
        case .minified(let line): pendingSent += RecordedSecrets.hidden(in: line)
        case .impossible: return
        }
        pendingSent.append(0x0A)
        counts.sent += 1
    }

    /// Bytes that `flush` would write.
    package var pending: Int { pendingMessages.count + pendingTimes.count + pendingSent.count }

    /// Writes what was received since the last time.
    /// - Throws: `FeedError` where the disk is full, for example. What was to be written is kept for another try, and
    ///   nothing of it stays in the file.
    package func flush() throws(FeedError) {
        try Self.write(&pendingSent, to: sent, isCompressed: false)
        // Messages first: what a kill in between leaves is messages without a time, which `Recording` leaves out.
        try Self.write(&pendingMessages, to: messages, isCompressed: paths.isCompressed)
        try Self.write(&pendingTimes, to: times, isCompressed: paths.isCompressed)
    }

    /// Writes the rest and closes the files. May be called again.
    package func close() throws(FeedError) {
        guard !isClosed else { return }
        isClosed = true
        defer {
            for file in [messages, times, sent] { file.close() }
        }
        try flush()
    }

    private static func write(_ bytes: inout [UInt8], to file: RecordingFile, isCompressed: Bool) throws(FeedError) {
        guard !bytes.isEmpty else { return }
        let packed: [UInt8]
        do throws(Gzip.Failure) {
            packed = isCompressed ? try Gzip.pack(bytes) : bytes
        } catch { throw FeedError(.input, "There is not enough memory to pack \(file.path).") }
        try file.append(packed)
        bytes.removeAll(keepingCapacity: true)
    }
}
