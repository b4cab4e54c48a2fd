/// How far one stream has been read, and whether what comes next follows.
///
/// The position is one value, epoch and offset together. Without one there is nothing to recover from.
///
/// Messages are counted twice. `position` is the last one delivered. `cursor` is the last one seen on the socket that
/// the stream is read from: while one connection replaces another the new socket begins where the request left off,
/// behind what the old one has delivered since, and its holes are its own.
package struct StreamProgress: Sendable, Equatable {
    package enum Verdict: Sendable, Equatable {
        /// New; this many offsets before it were left out by the server, and never delivered.
        case deliver(skipped: Int)
        /// Delivered before.
        case duplicate
        /// Something was lost: the hole is not the one the server reported of.
        case gap
    }

    /// The last delivered message, or the snapshot's; `nil`: nothing can be recovered.
    package private(set) var position: StreamPosition?
    private var cursor: Int64 = 0
    /// What the server reported as left out since the last message.
    private var reported: Int64 = 0
    /// The last message lay behind the cursor.
    private var wasRepeated = false

    package init() {}

    /// Whether what was delivered goes at least as far.
    package func contains(_ other: StreamPosition) -> Bool {
        position.map { $0.epoch == other.epoch && $0.offset >= other.offset } ?? false
    }

    /// A snapshot replaces everything.
    /// - Returns: what was reported to be left out before it.
    package mutating func restart(at position: StreamPosition) -> Int {
        let left = Int(clamping: reported)
        // A negative offset is none; below zero the differences could overflow.
        self.position = StreamPosition(epoch: position.epoch, offset: max(0, position.offset))
        resume(from: position.offset)
        return left
    }

    /// A socket replaces another; its first message follows `offset`.
    package mutating func resume(from offset: Int64) {
        cursor = max(0, offset)
        reported = 0
        wasRepeated = false
    }

    /// Nothing that was delivered can be built upon.
    package mutating func forget() { position = nil }

    /// The server left out this many messages before the next one.
    package mutating func skip(_ count: Int) {
        // What a hostile count could overflow is no position.
        if count > 0, count < 1 << 30, reported < 1 << 30 { reported += Int64(count) }
    }

    /// A message with this offset came.
    package mutating func accept(_ offset: Int64) -> Verdict {
        guard offset > cursor else {
            // One message may come twice. The first one of an epoch, or two in a row, mean that a new epoch began and
            // the word of it was lost.
            let isRepetition = offset > 1 && !wasRepeated
            wasRepeated = true
            return isRepetition ? .duplicate : .gap
        }
        guard offset - cursor - 1 == reported, let delivered = position?.offset else { return .gap }
        let before = cursor > delivered ? cursor : delivered
        cursor = offset
        reported = 0
        wasRepeated = false
        guard offset > delivered else { return .duplicate }
        position?.offset = offset
        // Never more than was reported, which 32 bits hold.
        return .deliver(skipped: Int(clamping: offset - before - 1))
    }
}
