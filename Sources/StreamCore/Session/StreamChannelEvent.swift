/// What happened to one channel.
public enum StreamChannelEvent: Equatable, Sendable {
    /// The server serves it from here on, after each connection anew: a snapshot follows, which replaces what was known.
    /// - Parameter sequence: the account's position in its ledger; `nil` where the channel has none.
    case subscribed(sequence: Int64?)
    /// A message, with its text as it came.
    case message(ChannelMessage)
    /// So many messages were dropped, because the application took its events too slowly; a snapshot follows. Made by the
    /// client, never by the session itself.
    case skipped(Int)
    /// The server does not want to serve it. It is not asked again until it is subscribed again.
    case refused(code: String, message: String)
}
