/// What a message towards a reader is, and so what may become of it when the reader is slow.
public enum OutboxKind: Sendable, Equatable {
    /// Answers and errors: always sent, in order. They belong to no stream.
    case control
    /// A message that a recovering reader had missed: sent in order, unless a snapshot replaces all.
    case past
    /// The stream's state; it replaces whatever the reader had of the stream.
    case snapshot
    /// A candle that ended with the message before it: sent in order, unless a snapshot that contains it does it
    /// better. What waits of its stream is part of it.
    case final
    /// A candle that ended earlier and was changed by a late tick: as `final`, but behind what waits of its stream.
    case correction
    /// May be replaced by the next one of its stream.
    case tick
    /// May be replaced by the next one of its stream.
    case forming
}

/// A message on its way to one reader.
public struct OutboxMessage<Payload> {
    public var kind: OutboxKind
    /// `StreamKey.slot`; any number for control messages.
    public var stream: Int
    /// The reader's position in the stream once it has the message.
    public var offset: Int64
    public var payload: Payload
    /// Bytes of the payload.
    public var size: Int
    /// The position that the message continues: what lies between the reader's and this one was left out.
    @usableFromInline var follows: Int64

    @inlinable public init(kind: OutboxKind, stream: Int, offset: Int64, payload: Payload, size: Int) {
        self.kind = kind
        self.stream = stream
        self.offset = offset
        self.payload = payload
        self.size = size
        follows = offset - 1
    }

    /// What the message costs while it waits: its bytes, and what an array entry and an allocation need besides.
    var cost: Int { size + 128 }
}

extension OutboxMessage: Sendable where Payload: Sendable {}

/// How much may wait for one reader, and how long.
public struct OutboxLimits: Sendable, Equatable {
    /// Final candles of one stream: beyond, a snapshot replaces them.
    public var streamBytes: Int
    /// Final candles and replayed messages of all streams together: beyond, snapshots replace all of them.
    public var shortenableBytes: Int
    /// Everything that waits in order: beyond, the reader is closed.
    public var bytes: Int
    /// Seconds without an accepted byte, while something waits: beyond, the reader is closed.
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
