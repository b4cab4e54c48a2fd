/// What a venue's message is about.
public enum VenueMessageKind: Int, Sendable, CaseIterable {
    case trades
    /// The venue's own candles.
    case candles
    /// Best prices, or a day's figures.
    case quotes
    /// An order book or changes of it.
    case book
    /// Nothing happened, but the connection lives.
    case heartbeat
    /// A request was granted.
    case acknowledgement
    /// The venue did not do what it was asked for.
    case refusal
    /// How the venue itself is.
    case status
    /// Well-formed and none of ours.
    case other
    /// It cannot be read; `VenueSession.Counts.flaws` says why.
    case malformed

    /// Its name in documents and listings.
    public var name: String { "\(self)" }
}
