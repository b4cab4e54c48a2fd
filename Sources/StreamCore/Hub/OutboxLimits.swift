/// How much may wait for one reader, and how long.
public struct OutboxLimits: Sendable, Equatable {
    /// Final candles of one stream: beyond, a snapshot takes their place.
    public var streamBytes: Int
    /// Final candles and replayed messages of all streams together: beyond, snapshots take the place of all of them.
    public var shortenableBytes: Int
    /// Everything that waits in order: beyond, the reader is closed.
    public var bytes: Int
    /// Seconds without a byte taken, while something waits: beyond, the reader is closed.
    public var stall: Double

    public init(
        streamBytes: Int = 64 << 10, shortenableBytes: Int = 2 << 20, bytes: Int = 4 << 20, stall: Double = 30
    ) {
        self.streamBytes = streamBytes
        self.shortenableBytes = shortenableBytes
        self.bytes = bytes
        self.stall = stall
    }
}
