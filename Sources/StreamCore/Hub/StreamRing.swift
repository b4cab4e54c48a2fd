/// The last messages of one stream, by offset.
///
/// Bounded twice: in messages, and in bytes, so that a stream of large messages does not hold more memory than one of
/// small ones.
public struct StreamRing<Payload> {
    /// What can be done for a reader that left off at some position.
    public enum CatchUp {
        /// These messages, in order; none where it has missed nothing.
        case replay([Payload])
        /// Its position is of another epoch, or older than the ring: only a snapshot helps.
        case snapshot
    }

    public let epoch: String
    public let capacity: Int
    public let byteLimit: Int
    /// The newest message's offset; 0 before the first.
    public private(set) var lastOffset: Int64 = 0
    public private(set) var bytes = 0

    private var entries: [(payload: Payload, size: Int)?]
    /// Offset of the oldest message still held; `lastOffset + 1` where there is none.
    private var firstOffset: Int64 = 1

    /// - Parameters:
    ///   - epoch: names this run of the stream.
    ///   - capacity: messages kept at the most, at least 1.
    ///   - byteLimit: bytes kept at the most; one message is always kept.
    public init(epoch: String, capacity: Int = 4096, byteLimit: Int = 1 << 20) {
        self.epoch = epoch
        self.capacity = max(1, capacity)
        self.byteLimit = byteLimit
        entries = []
    }

    public var position: StreamPosition { StreamPosition(epoch: epoch, offset: lastOffset) }
    public var count: Int { Int(lastOffset - firstOffset + 1) }

    /// Adds the message with offset `lastOffset + 1`.
    /// - Complexity: O(1) amortised.
    public mutating func append(_ payload: Payload, size: Int) {
        lastOffset += 1
        let index = place(of: lastOffset)
        // The array grows to its capacity once, so that a quiet stream costs little.
        if index == entries.count {
            entries.append((payload, size))
        } else {
            if let old = entries[index] {
                bytes -= old.size
                firstOffset = lastOffset - Int64(capacity) + 1
            }
            entries[index] = (payload, size)
        }
        bytes += size
        while bytes > byteLimit, firstOffset < lastOffset {
            let oldest = place(of: firstOffset)
            bytes -= entries[oldest]?.size ?? 0
            entries[oldest] = nil
            firstOffset += 1
        }
    }

    /// Where the message with this offset lies in `entries`.
    private func place(of offset: Int64) -> Int { Int((offset - 1) % Int64(capacity)) }

    /// What a reader at `position` needs.
    public func catchUp(from position: StreamPosition) -> CatchUp {
        guard position.epoch == epoch, position.offset <= lastOffset, position.offset + 1 >= firstOffset,
            position.offset >= 0
        else { return .snapshot }
        var missed: [Payload] = []
        missed.reserveCapacity(Int(lastOffset - position.offset))
        for offset in position.offset..<lastOffset {
            guard let entry = entries[place(of: offset + 1)] else { return .snapshot }
            missed.append(entry.payload)
        }
        return .replay(missed)
    }
}
