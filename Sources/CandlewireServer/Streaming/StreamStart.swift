import MarketModel
import NIOCore
import StreamCore

/// What a subscription begins with: the position, and what leads up to it.
struct StreamStart: Sendable {
    enum Reason: Sendable {
        /// The reader subscribed.
        case answer(StreamRequest)
        /// The reader was too slow for the stream's messages, and gets its state instead.
        case refresh
        /// Continuity is lost for every reader.
        case newEpoch
    }

    var key: StreamKey
    /// The epoch's number on this server (`Mailbox`).
    var epoch: Int
    var reason: Reason
    var position: StreamPosition
    /// The frames that were missed; `nil`: the candles are sent.
    var missed: [ByteBuffer]?
    var candles: [Candle] = []
}

/// A subscription on its way to the market loop and back.
struct StreamRequest: Sendable {
    var message: SubscribeRequest
    /// Counts a connection's requests: an answer to an older one than the last is out of date.
    var number: Int
}

/// Names a connection, and the event loop it lives on.
struct ConnectionID: Sendable, Hashable {
    /// Index of its shard.
    var shard: Int
    /// Unique within the shard.
    var number: Int
}

/// Who may read the streams: shared by all connections.
struct StreamAdmission: Sendable {
    var access: AccessControl
    var limiter: ClientLimiter
    var origins: OriginPolicy
    /// Seconds that a client has for its token.
    var tokenTime = 10.0
}
