import MarketModel
import NIOCore
import NIOHTTP1
import StreamCore
import WebSocketTransport

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
    /// The frames that were missed, in JSON for all; `nil`: the candles are sent.
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
    /// How its market data is written.
    var encoding = StreamEncoding.json
}

/// How market data is written for a reader. Everything else is JSON for all.
enum StreamEncoding: Sendable, Hashable {
    case json
    case binary

    /// The one that a client offers; JSON where it offers none that we have.
    init(_ head: HTTPRequestHead) {
        let offered = WebSocketServerUpgrade.offeredSubprotocols(head)
        self = offered.contains(BinaryMessageWriter.subprotocol) ? .binary : .json
    }

    /// What the server answers to the client's offer; `nil`: nothing.
    var subprotocol: String? { self == .binary ? BinaryMessageWriter.subprotocol : nil }
}

/// Who may read the streams: shared by all connections.
struct StreamAdmission: Sendable {
    var access: AccessControl
    var limiter: ClientLimiter
    var origins: OriginPolicy
    /// Seconds that a client has for its token.
    var tokenTime = 10.0
}
