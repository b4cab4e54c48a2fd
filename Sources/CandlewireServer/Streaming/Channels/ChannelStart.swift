import NIOCore
import StreamCore

/// A subscription to a channel on its way to the market loop and back.
struct ChannelRequest: Sendable {
    var key: ChannelKey
    var id: RequestID?
    /// Counts a connection's requests: an answer to an older one than the last is out of date.
    var number: Int
}

/// What a subscription to a channel begins with: its answer and its snapshot, as frames; or why there is none.
struct ChannelStart: Sendable {
    var request: ChannelRequest
    var outcome: Result<[ByteBuffer], WireError>
}
