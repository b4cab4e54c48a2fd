public import MarketModel

/// What the application gets.
public enum SessionEvent: Equatable, Sendable {
    /// The state changed to this one.
    case state(SessionState)
    case stream(SubscriptionNumber, StreamEvent)
    case channel(ChannelKey, StreamChannelEvent)
    /// The smoothed round-trip time in seconds, after each answered ping.
    case latency(Double)
    /// The server reported an error that belongs to no stream, or a message could not be read.
    case problem(code: String, message: String)
    /// A message of a type that this version does not know.
    case unknownMessage(type: String)
    /// The server is about to stop; the session comes back after this many seconds by itself.
    case closing(reconnectAfter: Double)
}

/// What happened to one stream.
public enum StreamEvent: Equatable, Sendable {
    /// The server accepted the subscription. `recovered`: everything missed follows; otherwise a snapshot does.
    case subscribed(recovered: Bool)
    /// The stream's candles, ascending: they replace what was shown before.
    case snapshot([Candle], SnapshotReason)
    case tick(Tick)
    case candle(Bar)
    /// This many ticks or forming candles were left out before the next message, because the reader or its `maxRate` is
    /// slower than the market.
    case skipped(Int)
    /// Something was lost inside a connection. A snapshot follows.
    case gap
    /// No tick of the symbol for this many seconds.
    case stale(age: Double)
    /// The symbol ticks again.
    case fresh
    /// The server does not want to serve this stream. It is not requested again until it is subscribed again.
    case refused(code: String, message: String)
}

/// Why a snapshot came.
public enum SnapshotReason: Equatable, Sendable {
    /// The first one of this subscription.
    case first
    /// The connection was lost for longer than the server remembers.
    case reloaded
    /// Something was lost inside a connection.
    case gap
    /// The stream was paused or hidden.
    case resumed
    /// The server sent it unasked: a new epoch, or too slow a reader.
    case server
    /// The application read its events too slowly. Made on this side, from what the stream had brought until then.
    case behind
}

/// What happened to one channel.
public enum StreamChannelEvent: Equatable, Sendable {
    /// The server serves it from here on, after each connection again: a snapshot follows and replaces what was known.
    /// - Parameter sequence: the account's position in its ledger; `nil` where the channel has none.
    case subscribed(sequence: Int64?)
    /// A message, with its text as it came.
    case message(ChannelMessage)
    /// This many messages were dropped, because the application read its events too slowly; a snapshot follows. Made by
    /// the client, never by the session itself.
    case skipped(Int)
    /// The server does not want to serve it. It is not requested again until it is subscribed again.
    case refused(code: String, message: String)
}
